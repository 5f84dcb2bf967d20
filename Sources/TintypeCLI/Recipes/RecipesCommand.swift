import ArgumentParser
import Tintype
import TintypeBenchmarking

/// `tintype recipes`: the recipes that Tintype has.
struct RecipesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "recipes",
        abstract: "List the recipes of several outputs that Tintype has, or print one.",
        discussion: """
            A recipe makes several outputs of each photo, which is decoded once for all of them:
              tintype apply --recipe web -o out photos/
            For a recipe of your own, change a file of one:
              tintype recipes web > own.json
              tintype apply --recipe own.json -o out photos/
            A recipe of one output needs no name: it is an object of the keys below, without 'output', such as
              { "filters": "sepia", "quality": 85 }
            Paths in its filters, such as that of a watermark, begin in the recipe's folder.

            KEYS OF AN OUTPUT
            \(RecipeKey.all.map { "  \($0.name): \($0.expects)" }.joined(separator: "\n"))
            Without 'output', its files are named '\(RecipeFile.usualTemplate)'.
            """)

    @Argument(
        help: ArgumentHelp("The recipe to print, as JSON.", valueName: "name"), completion: .recipeNames)
    var name: String?

    func run() throws {
        guard let name else {
            return try StandardStream.writeResult(
                TextTable.text(
                    ShippedRecipe.all.map { [$0.name, $0.summary] }, width: StandardStream.resultColumns))
        }
        guard let recipe = ShippedRecipe[name] else {
            throw ValidationError(
                "There is no recipe '\(name.excerpt())'. "
                    + suggestion(for: name, in: ShippedRecipe.all.map(\.name)))
        }
        try StandardStream.writeResult(recipe.json)
    }
}
