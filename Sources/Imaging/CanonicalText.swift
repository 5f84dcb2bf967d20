import Foundation

/// The canonical text of a recipe, or of several with an output each, as journals and manifests keep it.
///
/// It may come from another version, with filters and settings that this version does not know.
package struct CanonicalText {
    /// Between the outputs. A canonical text of one recipe has no blank before or after a bar.
    package static let separator = " | "

    private let text: String

    package init(_ text: String) { self.text = text }

    /// The outputs, with the canonical texts of their recipes. A single recipe's has no name.
    package var outputs: [(name: String?, recipe: String)] {
        var outputs: [(name: String?, recipe: String)] = []
        for part in text.components(separatedBy: Self.separator) {
            let words = part.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].hasSuffix(":") else { return [(nil, text)] }
            outputs.append((String(words[0].dropLast()), String(words[1])))
        }
        return outputs
    }

    /// The recipe in the words of the command line: `-f sepia:intensity=0.8 --strip`.
    package var flags: String {
        let named = outputs.compactMap { name, recipe in
            name.map { "\($0) (\(CanonicalText(recipe).flags))" }
        }
        if !named.isEmpty { return "a recipe of the outputs \(named.joined(separator: ", "))" }
        let flags = text.split(separator: " ").compactMap { word -> String? in
            let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(
                String.init)
            let value = parts.last ?? ""
            if parts[0] == "filters" { return value == "none" ? nil : "-f \(value)" }
            if let option = RecipeOption.all.first(where: { $0.word == parts[0] }) {
                return option.flag(for: value)
            }
            // A further filter of the chain.
            return word.contains(":") ? "-f \(word)" : nil
        }
        return flags.isEmpty ? "no filter" : flags.joined(separator: " ")
    }
}
