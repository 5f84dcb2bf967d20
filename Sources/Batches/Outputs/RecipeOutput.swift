import TintypeFilters

/// One of the outputs that every photo of a run gets.
public struct RecipeOutput: Hashable, Sendable {
    /// What is done with the photo, and the output's name.
    public let recipe: NamedRecipe
    /// The output's path; a relative one is below the output folder. Nil leaves it to the destination.
    public let template: OutputTemplate?

    public init(_ recipe: NamedRecipe, template: OutputTemplate?) {
        self.recipe = recipe
        self.template = template
    }

    /// A photo's only output.
    public init(_ recipe: Recipe) { self.init(NamedRecipe(nil, recipe), template: nil) }
}
