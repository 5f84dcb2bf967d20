import Files
import Filters

/// A path with placeholders in braces: `out/{dir}/{stem}-{chain}.{ext}`. Two braces stand for one.
public struct OutputTemplate: Hashable, Sendable {
    /// What a placeholder stands for.
    public enum Placeholder: String, CaseIterable, Hashable, Sendable {
        /// The photo's folder, below the folder that was given.
        case dir
        /// The photo's name without its extension.
        case stem
        /// The filters' names, joined by `+`.
        case chain
        /// The extension that fits the output's format.
        case ext
        /// `stem`, a dot and `ext`.
        case name
        /// Eight hexadecimal digits, made from where the photo is: two photos of one name get different ones, and
        /// every run gives a photo the same.
        case id
    }

    private enum Part: Hashable, Sendable {
        case text(String)
        case placeholder(Placeholder)
    }

    private let parts: [Part]

    /// - Throws: `OutputError.unknownPlaceholder`, with the nearest name, and `OutputError.unbalancedBrace`.
    public init(_ text: String) throws(OutputError) {
        var parts: [Part] = []
        var literal = ""
        var rest = text[...]
        while let first = rest.first {
            rest.removeFirst()
            guard first == "{" || first == "}" else {
                literal.append(first)
                continue
            }
            if rest.first == first {
                rest.removeFirst()
                literal.append(first)
                continue
            }
            guard first == "{", let end = rest.firstIndex(of: "}") else {
                throw .unbalancedBrace(template: text)
            }
            let name = String(rest[..<end])
            guard let placeholder = Placeholder(rawValue: name) else { throw .unknownPlaceholder(name) }
            parts += [.text(literal), .placeholder(placeholder)]
            literal = ""
            rest = rest[rest.index(after: end)...]
        }
        self.parts = parts + [.text(literal)]
    }

    func uses(_ placeholder: Placeholder) -> Bool { parts.contains(.placeholder(placeholder)) }

    /// True for text that is meant as a template rather than as a folder.
    public static func hasBraces(_ text: String) -> Bool { text.contains("{") || text.contains("}") }

    /// The folder that every output lies in, as far as the template says so before its first placeholder.
    package var fixedFolder: String {
        guard case .text(let text)? = parts.first, let slash = text.lastIndex(of: "/") else { return "." }
        return slash == text.startIndex ? "/" : String(text[..<slash])
    }

    /// The extension that the template spells out; nil where a placeholder decides.
    package var fixedExtension: String? {
        guard case .text(let text)? = parts.last, text.contains(".") else { return nil }
        return FileName("_" + text.lastPathComponent).fileExtension
    }

    /// The path for one photo, without empty and `.` components in it.
    package func path(_ values: [Placeholder: String]) -> String {
        let text = parts.map { part in
            switch part {
            case .text(let text): text
            // An empty folder at the front must not turn the path into an absolute one.
            case .placeholder(.dir): values[.dir].flatMap { $0.isEmpty ? nil : $0 } ?? "."
            case .placeholder(let placeholder): values[placeholder] ?? ""
            }
        }.joined()
        let components = text.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
        return text.hasPrefix("/") ? "/" + components : components
    }
}
