import Foundation

/// One of several recipes that a run applies to every photo. Each makes an output of its own.
public struct NamedRecipe: Hashable, Sendable {
    /// The output's name, which tells it from the others: letters, digits and hyphens.
    public let name: String
    public let recipe: Recipe

    public init(_ name: String, _ recipe: Recipe) {
        self.name = name
        self.recipe = recipe
    }
}

extension Array where Element == NamedRecipe {
    // A canonical text of one recipe has no blank before or after a bar.
    private static let separator = " | "

    /// All that the bytes of the outputs depend on besides the input, in one line: for each output its name, a
    /// colon and the canonical text of its recipe.
    public var canonicalText: String {
        map { "\($0.name): \($0.recipe.canonicalText)" }.joined(separator: Self.separator)
    }

    /// Parses a canonical text; nil unless this version would write the same text.
    package init?(canonicalText text: String) {
        self = []
        for part in text.components(separatedBy: Self.separator) {
            let words = part.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].hasSuffix(":"),
                let recipe = Recipe(canonicalText: String(words[1]))
            else { return nil }
            append(NamedRecipe(String(words[0].dropLast()), recipe))
        }
    }

    /// The names in a canonical text of several recipes; nil if it is that of a single one.
    package static func names(in canonicalText: String) -> [String]? {
        let words = canonicalText.components(separatedBy: separator).map { $0.prefix { $0 != " " } }
        guard words.allSatisfy({ $0.hasSuffix(":") }) else { return nil }
        return words.map { String($0.dropLast()) }
    }
}
