import ArgumentParser
import Foundation
import Tintype

/// Corrections for wrong command lines, where the argument parser's own messages do not help.
enum UsageHint {
    /// Complains of a command line without a verb, or with one that does not exist; nil where there is one.
    ///
    /// - Parameters:
    ///   - arguments: without the program's name.
    ///   - verbs: all of them; the hidden ones too.
    static func complaint(_ arguments: [String], verbs: [String]) -> String? {
        guard let first = arguments.first else { return nil }
        if first.hasPrefix("-") {
            return isParsersOwn(first) ? nil : "A verb comes first. \(wayToFilter(arguments))"
        }
        if first != "help" {
            return verbs.contains(first) ? nil : unknownVerb(first, arguments, verbs)
        }
        guard let asked = arguments.dropFirst().first, !asked.hasPrefix("-"), asked != "help" else {
            return nil
        }
        return verbs.contains(asked) ? nil : unknownVerb(asked, nil, verbs)
    }

    /// Flags that the parser understands without a verb; shells ask for completions with three hyphens.
    private static func isParsersOwn(_ flag: String) -> Bool {
        ["-h", "--help", "--help-hidden", "--version"].contains(flag)
            || ["--generate-completion-script", "--experimental-dump-help", "---"].contains(
                where: flag.hasPrefix)
    }

    /// - Parameter photos: the command line, where it may name what is to be filtered.
    private static func unknownVerb(_ verb: String, _ photos: [String]?, _ verbs: [String]) -> String {
        let hidden = [ConformanceCommand.configuration, DriverProcessCommand.configuration].map(\.commandName)
        let known = verbs.filter { !hidden.contains($0) }
        if let near = nearestName(to: verb, in: known) {
            return "There is no verb '\(shown(verb).excerpt())'. Did you mean '\(near)'?"
        }
        let wayOut = photos.map { wayToFilter($0) } ?? "There are: \(known.joined(separator: ", "))."
        return "There is no verb '\(shown(verb).excerpt())'. \(wayOut)"
    }

    private static func wayToFilter(_ arguments: [String]) -> String {
        let hasFilter = arguments.contains { $0.hasPrefix("-f") || $0.hasPrefix("--filter") }
        let words =
            ["tintype", "apply"] + (hasFilter ? [] : ["-f", "sepia"])
            + arguments.map { shown($0).shellQuoted }
        return "To filter photos, write: \(words.joined(separator: " "))"
    }

    /// An argument as messages may show it: addresses without passwords.
    static func shown(_ argument: String) -> String {
        argument.contains("://") ? WebAddress.redacting(argument) : argument
    }

    /// The parser's complaint without guesses that are far off, and without passwords.
    static func improving(_ text: String, _ arguments: [String]) -> String {
        let addresses = arguments.filter { $0.contains("://") }
        let text = addresses.reduce(text) { $0.replacingOccurrences(of: $1, with: shown($1)) }
            .withoutPasswords
        guard let flag = text.between("Unknown option '", "'"),
            let guess = text.between("Unknown option '\(flag)'. Did you mean '", "'?")
        else { return text }
        let isNear = nearestName(to: flag.hyphensRemoved, in: [guess.hyphensRemoved]) != nil
        return isNear ? text : text.replacingOccurrences(of: ". Did you mean '\(guess)'?", with: ".")
    }
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
