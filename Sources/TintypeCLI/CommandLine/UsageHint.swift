import ArgumentParser
import Foundation
import Tintype

/// Corrections for wrong command lines, where the argument parser's own messages do not help.
enum UsageHint {
    /// Complains of a command line without a subcommand, or with one that does not exist; nil where there is one.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - subcommands: all of them; the hidden ones too.
    static func complaint(_ arguments: [String], subcommands: [String]) -> String? {
        guard let first = arguments.first else { return nil }
        if first.hasPrefix("-") {
            return isParsersOwn(first) ? nil : "A subcommand comes first. \(wayToFilter(arguments))"
        }
        let hidden = [ConformanceCommand.configuration, DriverProcessCommand.configuration].map(\.commandName)
        let shown = subcommands.filter { !hidden.contains($0) }
        if first != "help" {
            return subcommands.contains(first) ? nil : unknown(first, arguments, shown)
        }
        guard let asked = arguments.dropFirst().first, !asked.hasPrefix("-"), asked != "help" else {
            return nil
        }
        return subcommands.contains(asked) ? nil : unknownTopic(asked, shown)
    }

    /// Flags that the parser understands without a subcommand; shells ask for completions with three hyphens.
    private static func isParsersOwn(_ flag: String) -> Bool {
        ["-h", "--help", "--help-hidden", "--version"].contains(flag)
            || ["--generate-completion-script", "--experimental-dump-help", "---"].contains(
                where: flag.hasPrefix)
    }

    /// - Parameter known: the subcommands that the help lists.
    private static func unknown(_ name: String, _ arguments: [String], _ known: [String]) -> String {
        let complaint = "There is no subcommand '\(quoted(name))'."
        if let hint = filtersFirst(arguments, naming: "It") {
            return "\(complaint) \(hint)"
        }
        if let near = nearestName(to: name, in: known) { return "\(complaint) Did you mean '\(near)'?" }
        guard isNoFile(name) else { return "\(complaint) \(wayToFilter(arguments))" }
        if ShippedRecipe[name] != nil {
            let words = ["tintype", "apply", "--recipe", name, "-o", "out"] + arguments.dropFirst()
            return "\(complaint) It is a recipe: \(line(words))"
        }
        if let near = nearestName(to: name, in: FilterCatalog.all.map { $0.name }),
            let hint = filtersFirst([near] + arguments.dropFirst(), naming: "It")
        {
            return "\(complaint) Did you mean '\(near)'? \(hint)"
        }
        if let hint = FilterAlias.suggestion(for: name) {
            return "\(complaint) \(hint) See 'tintype filters'."
        }
        return "\(complaint) \(wayToFilter(arguments))"
    }

    private static func unknownTopic(_ name: String, _ known: [String]) -> String {
        let complaint = "There is no subcommand '\(quoted(name))'."
        if FilterCatalog.has(name) { return "\(complaint) It is a filter: tintype filters \(name)" }
        return "\(complaint) \(suggestion(for: name, in: known))"
    }

    /// The line that applies filters which stand before the photos without `-f`; nil if the first argument is none, or is
    /// a file.
    ///
    /// - Parameter subject: what the sentence calls the first filter; nil is its text.
    static func filtersFirst(_ arguments: [String], naming subject: String? = nil) -> String? {
        let filters = arguments.prefix(while: isFilter)
        guard let first = filters.first else { return nil }
        let photos = arguments.count > filters.count ? Array(arguments[filters.count...]) : ["photos/"]
        let words = ["tintype", "apply"] + filters.flatMap { ["-f", $0] } + photos
        return "\(subject ?? "'\(quoted(first))'") is a filter. To filter photos, write: \(line(words))"
    }

    private static func isFilter(_ argument: String) -> Bool {
        FilterCatalog.has(String(argument.prefix { !":+,=".contains($0) })) && isNoFile(argument)
    }

    private static func isNoFile(_ argument: String) -> Bool {
        !FileManager.default.fileExists(atPath: argument)
    }

    private static func wayToFilter(_ arguments: [String]) -> String {
        let hasFilter = arguments.contains { $0.hasPrefix("-f") || $0.hasPrefix("--filter") }
        let words = ["tintype", "apply"] + (hasFilter ? [] : ["-f", "sepia"]) + arguments
        return "To filter photos, write: \(line(words))"
    }

    /// More of a command line than this, such as a thousand photos, hides the message.
    private static let longestLine = 300

    private static func line(_ words: [String]) -> String {
        var line = ""
        for word in words {
            let quoted = shown(word).shellQuoted
            guard line.count + quoted.count < longestLine else { return line + " ..." }
            line += (line.isEmpty ? "" : " ") + quoted
        }
        return line
    }

    /// An argument as messages may show it: addresses without passwords.
    static func shown(_ argument: String) -> String {
        argument.contains("://") ? WebAddress.redacting(argument) : argument
    }

    private static func quoted(_ argument: String) -> String { shown(argument).excerpt() }

    /// The parser's complaint without guesses that are far off, without passwords, and with the beginning of long
    /// arguments only.
    static func improving(_ text: String, _ arguments: [String]) -> String {
        let addresses = arguments.filter { $0.contains("://") }
        var text = addresses.reduce(text) { $0.replacingOccurrences(of: $1, with: shown($1)) }
            .withoutPasswords
        if parsersComplaints.contains(where: { text.hasPrefix("Error: \($0)") })
            || text.contains(" unexpected arguments: '")
        {
            text = shortening(arguments, in: text)
        }
        guard let flag = text.between("Unknown option '", "'"),
            let guess = text.between("Unknown option '\(flag)'. Did you mean '", "'?")
        else { return text }
        let isNear = nearestName(to: flag.hyphensRemoved, in: [guess.hyphensRemoved]) != nil
        return isNear ? text : text.replacingOccurrences(of: ". Did you mean '\(guess)'?", with: ".")
    }

    /// How the parser's messages that quote arguments begin.
    private static let parsersComplaints = [
        "The value '", "The option '", "Unknown option '", "Unexpected argument '", "Missing value for '",
    ]

    /// The text with arguments, and values after their flags, on one line each, and not too long.
    private static func shortening(_ arguments: [String], in text: String) -> String {
        let values = arguments.flatMap { argument -> [String] in
            let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            return [shown(argument)] + parts.map { shown(String($0)) }
        }
        let short = values.sorted { $0.count > $1.count }.reduce(text) { text, value in
            let excerpt = value.excerpt()
            return excerpt == value ? text : text.replacingOccurrences(of: value, with: excerpt)
        }
        // A thousand unexpected arguments are in one line, too.
        let lines = short.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false).map(
            String.init)
        return ([lines[0].excerpt(longestComplaint)] + lines.dropFirst()).joined(separator: "\n")
    }

    private static let longestComplaint = 500
}

extension String {
    fileprivate var hyphensRemoved: String { String(drop { $0 == "-" }) }

    /// The text with its addresses as messages may show them; quotes and blanks end an address.
    fileprivate var withoutPasswords: String {
        let words = split(omittingEmptySubsequences: false) { "' \"\n=".contains($0) }
        return words.filter { $0.contains("://") }.reduce(self) { text, word in
            text.replacingOccurrences(of: word, with: WebAddress.redacting(String(word)))
        }
    }

    /// What stands between two texts, where they first come after each other.
    fileprivate func between(_ start: String, _ end: String) -> String? {
        guard let from = range(of: start)?.upperBound,
            let to = range(of: end, range: from..<endIndex)?.lowerBound
        else { return nil }
        return String(self[from..<to])
    }
}
