import ArgumentParser
import Tintype

extension ApplyCommand {
    /// What a run does and where it puts the results.
    struct Settings {
        /// The recipe of the single output, or of the first of several.
        let recipe: Recipe
        /// The outputs that every photo gets instead of a single one.
        var outputs: [RecipeOutput] = []
        let destination: OutputDestination

        /// All that the outputs' bytes depend on besides the photos.
        var recipeText: String {
            outputs.isEmpty ? recipe.canonicalText : outputs.map(\.recipe).canonicalText
        }

        init(recipe: Recipe, destination: OutputDestination) {
            self.recipe = recipe
            self.destination = destination
        }

        /// - Precondition: there is an output.
        init(_ outputs: [RecipeOutput], _ destination: OutputDestination) {
            recipe = outputs[0].recipe.recipe
            self.outputs = outputs
            self.destination = destination
        }
    }

    /// The settings of `--recipe`.
    func settings(of recipeFile: String) throws -> Settings {
        let outputs: [RecipeOutput]
        do throws(RecipeError) {
            outputs = try RecipeFile(recipeFile).outputs
        } catch {
            throw ValidationError(error.description)
        }
        let destination = try OutputDestination(self.output, isFolder: isFolder)
        try destination.checkFolder()
        switch destination {
        case .folder: return Settings(outputs, destination)
        case .template(let template) where template.uses(.output):
            if try destination.impliedFormat() != nil {
                throw ValidationError(
                    "With --recipe, --output's template ends in {ext}: the recipe decides the format.")
            }
            return Settings(outputs.map { RecipeOutput($0.recipe, template: template) }, destination)
        default:
            throw ValidationError(
                "--recipe makes several outputs of each photo: give -o a folder, or a template with {output}, such as "
                    + "'out/{dir}/{stem}-{output}.{ext}'.")
        }
    }

    /// The settings of the folder's outputs, for a `--retry-failed` that names none; nil otherwise.
    func keptSettings(in destination: OutputDestination) throws -> Settings? {
        guard retriesAll, self.filters.isEmpty, !asksForConversion, case .folder(let folder) = destination
        else {
            return nil
        }
        do throws(JournalError) {
            guard let made = try JournalPreview(outputFolder: folder).recipe() else { return nil }
            if let recipe = Recipe(canonicalText: made) {
                return Settings(recipe: recipe, destination: destination)
            }
            guard let recipes = [NamedRecipe](canonicalText: made), let template = RecipeFile.usual else {
                throw .otherRecipe(folder: folder, made: made, asked: made)
            }
            return Settings(recipes.map { RecipeOutput($0, template: template) }, destination)
        } catch {
            throw ValidationError(error.description)
        }
    }
}
