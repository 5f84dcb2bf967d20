import Foundation
import Testing

/// A page of the documentation, with the blocks of code in it.
struct DocumentedPage: Sendable, CustomTestStringConvertible {
    /// A line that calls the tool.
    struct Example {
        /// The arguments of each `tintype` in the line, which may be a pipeline.
        let commands: [[String]]
        /// What the page shows that the line prints.
        var shown = ""

        /// Whether the page shows that the tool refuses the line.
        var isRefused: Bool { shown.hasPrefix("Error: ") || shown.contains("\"exitCode\":2") }

        /// Whether the text has the first line that is shown, up to an ellipsis.
        func shows(_ text: String) -> Bool {
            let line = shown.prefix { $0 != "\n" }
            return text.contains(line.hasSuffix(" ...") ? line.dropLast(4) : line)
        }
    }

    /// The path from the project's folder.
    let name: String
    let text: String

    var testDescription: String { name }

    static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../..").standardizedFileURL

    /// The README, and all pages below `docs` and in `Cluster`.
    static let all: [DocumentedPage] = {
        let names = ["docs", "Cluster"].flatMap { folder in
            let paths = FileManager.default.enumerator(atPath: root.appendingPathComponent(folder).path)
            return (paths?.compactMap { $0 as? String } ?? []).map { "\(folder)/\($0)" }
        }
        return (["README.md"] + names.filter { $0.hasSuffix(".md") }.sorted()).compactMap { name in
            let text = try? String(contentsOf: root.appendingPathComponent(name), encoding: .utf8)
            return text.map { DocumentedPage(name: name, text: $0) }
        }
    }()

    /// The blocks of a language.
    func blocks(of language: String) -> [String] {
        text.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
    }

    /// The lines of `sh` blocks that call the tool, and those after `$` in `console` blocks, with what follows each.
    var examples: [Example] {
        let plain = blocks(of: "sh").flatMap { $0.split(separator: "\n") }.map { ($0, "") }
        let shown = blocks(of: "console").flatMap { "\n\($0)".components(separatedBy: "\n$ ").dropFirst() }
            .map {
                let parts = $0.split(separator: "\n", maxSplits: 1)
                return (parts[0], parts.count > 1 ? String(parts[1]) : "")
            }
        return (plain + shown).map { line, shown in
            let commands = ShellLine(line).commands.filter { $0.first == "tintype" }
            return Example(commands: commands.map { Array($0.dropFirst()) }, shown: shown)
        }
        .filter { !$0.commands.isEmpty }
    }
}

/// A line of a shell, as far as the pages need it.
struct ShellLine {
    private enum Word {
        case text(String)
        case `operator`(Character)
    }

    private var words: [Word] = []

    init(_ line: some StringProtocol) {
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word?.append(character) }
                continue
            }
            switch character {
            case "'", "\"": (quote, word) = (character, word ?? "")
            case "#" where word == nil: return
            case " ": end(&word)
            case "<", ">", "|", ";", "&", ")":
                end(&word)
                words.append(.operator(character))
            default: word = (word ?? "") + String(character)
            }
        }
        end(&word)
    }

    private mutating func end(_ word: inout String?) {
        if let text = word { words.append(.text(text)) }
        word = nil
    }

    /// The simple commands, without redirections.
    var commands: [[String]] {
        var commands: [[String]] = [[]]
        var isRedirection = false
        for word in words {
            switch word {
            case .text where isRedirection: isRedirection = false
            case .text(let text): commands[commands.count - 1].append(text)
            case .operator("<"), .operator(">"): isRedirection = true
            case .operator: commands.append([])
            }
        }
        return commands.filter { !$0.isEmpty }
    }
}
