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

    /// How many outputs a canonical text has, also if this version does not know their filters; nil if it is that of a
    /// single recipe.
    package static func count(in canonicalText: String) -> Int? { parts(of: canonicalText)?.count }

    /// Parses a canonical text; nil unless this version would write the same text, and the filters' files can be read.
    package init?(canonicalText text: String, reading files: FilterFiles) {
        guard let parts = Self.parts(of: text) else { return nil }
        self = []
        for part in parts {
            guard let recipe = Recipe(canonicalText: part.recipe, reading: files) else { return nil }
            append(NamedRecipe(part.name, recipe))
        }
    }

    /// The outputs in a canonical text, with the canonical texts of their recipes; nil if it is that of a single
    /// recipe.
    static func parts(of canonicalText: String) -> [(name: String, recipe: String)]? {
        var parts: [(name: String, recipe: String)] = []
        for part in canonicalText.components(separatedBy: separator) {
            let words = part.split(separator: " ", maxSplits: 1)
            guard words.count == 2, words[0].hasSuffix(":") else { return nil }
            parts.append((String(words[0].dropLast()), String(words[1])))
        }
        return parts
    }
}
