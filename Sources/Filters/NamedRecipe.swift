import TintypeImaging

/// One of the recipes that a run applies to every photo. Each makes an output of its own.
public struct NamedRecipe: Hashable, Sendable {
    /// The output's name, which tells it from the others: letters, digits and hyphens. Nil for a photo's only output.
    public let name: String?
    public let recipe: Recipe

    public init(_ name: String?, _ recipe: Recipe) {
        self.name = name
        self.recipe = recipe
    }
}

extension Array where Element == NamedRecipe {
    /// All that the bytes of the outputs depend on besides the input, in one line: for each output its name and a
    /// colon, if it has one, and the canonical text of its recipe.
    public var canonicalText: String {
        map { ($0.name.map { "\($0): " } ?? "") + $0.recipe.canonicalText }
            .joined(separator: CanonicalText.separator)
    }

    /// Parses a canonical text; nil unless this version would write the same text, and the filters' files can be read.
    package init?(canonicalText text: String, reading files: FilterFiles) {
        self = []
        for part in CanonicalText(text).outputs {
            guard let recipe = Recipe(canonicalText: part.recipe, reading: files) else { return nil }
            append(NamedRecipe(part.name, recipe))
        }
    }
}
