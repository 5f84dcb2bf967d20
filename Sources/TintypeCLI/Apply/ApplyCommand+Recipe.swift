import ArgumentParser
import Foundation
import Tintype

extension ApplyCommand {
    /// What a run does and where it puts the results.
    struct Settings {
        /// The outputs that every photo gets, at least one.
        let outputs: [RecipeOutput]
        let destination: OutputDestination
        /// The folder of the file of `--recipe`, as an absolute path; nil without such a file. Relative paths of filters
        /// begin there.
        private(set) var recipeFolder: String?

        var recipes: [NamedRecipe] { outputs.map(\.recipe) }

        /// The filters of all outputs.
        var filters: FilterChain { FilterChain(recipes.flatMap(\.recipe.chain.filters)) }

        /// Where relative paths of filters begin, as an absolute path; nil if there are none.
        var folderOfFiles: String? {
            guard filters.filePaths.contains(where: { !$0.hasPrefix("/") }) else { return nil }
            return recipeFolder ?? FileManager.default.currentDirectoryPath
        }

        /// What flags ask for.
        ///
        /// - Parameter formatIsDefault: whether the flags' format gives way to the output's extension.
        init(_ flags: RecipeFlags, output: String?, formatIsDefault: Bool = false) throws {
            do {
                let destination = try OutputDestination(output, isFolder: isFolder)
                try destination.checkFolder()
                if let recipeFile = flags.recipeFile {
                    try self.init(recipeFile: recipeFile, destination)
                } else {
                    let recipe = try flags.recipe(for: destination, formatIsDefault: formatIsDefault)
                    self.init([RecipeOutput(recipe)], destination)
                }
            } catch let error as FilterError {
                throw ValidationError(error.description)
            } catch let error as OutputError {
                throw ValidationError(error.description)
            }
            if recipes[0].name == nil, self.destination.template?.uses(.output) == true {
                throw ValidationError(
                    "{output} in --output is the name of a recipe's output: give a --recipe with \"outputs\"."
                )
            }
        }

        /// What `--recipe` asks for.
        private init(recipeFile: String, _ destination: OutputDestination) throws {
            let file: RecipeFile
            do throws(RecipeError) {
                file = try RecipeFile(recipeFile)
            } catch {
                throw ValidationError(error.description)
            }
            switch file.outputs {
            case .single(let recipe):
                do {
                    let format = try destination.format(recipe.format)
                    self.init([RecipeOutput(recipe.with(format: format))], destination)
                } catch OutputError.formatMismatch(let ending, let format) {
                    throw ValidationError(
                        "--output's extension says \(ending), the recipe says \(format). Change one, or use {ext}."
                    )
                }
            case .several(let outputs): try self.init(namedOutputs: outputs, destination)
            }
            recipeFolder = file.folder.absolutePath.trimmingTrailingSlashes
        }

        private init(namedOutputs outputs: [RecipeOutput], _ destination: OutputDestination) throws {
            switch destination {
            case .folder, .objects(_, names: nil): self.init(outputs, destination)
            case .template(let template) where template.uses(.output),
                .objects(_, let template?) where template.uses(.output):
                if try destination.impliedFormat() != nil {
                    throw ValidationError(
                        "With --recipe, --output's template ends in {ext}: the recipe decides the format.")
                }
                let place =
                    if case .objects(let base, _) = destination {
                        OutputDestination.objects(base, names: nil)
                    } else { destination }
                self.init(outputs.map { RecipeOutput($0.recipe, template: template) }, place)
            default:
                throw ValidationError(
                    "--recipe makes several outputs of each photo: give -o a folder, or a template with {output}, such as "
                        + "'out/{dir}/{stem}-{output}.{ext}'.")
            }
        }

        /// What the canonical text of a recipe asks for; nil unless this version would write the same text, and the filters'
        /// files can be read.
        init?(
            canonicalText text: String, _ destination: OutputDestination,
            reading files: FilterFiles = .readable
        ) {
            guard let recipes = [NamedRecipe](canonicalText: text, reading: files) else { return nil }
            self.init(
                recipes.map { RecipeOutput($0, template: $0.name.flatMap { _ in RecipeFile.usual }) },
                destination)
        }

        /// - Precondition: there is an output.
        init(_ outputs: [RecipeOutput], _ destination: OutputDestination) {
            self.outputs = outputs
            self.destination = destination
        }
    }

    /// The settings of the folder's outputs, for a `--retry-failed` that names none; nil otherwise.
    func keptSettings(in destination: OutputDestination) throws -> Settings? {
        guard retriesAll, recipe.filters.isEmpty, !asksForConversion, case .folder(let folder) = destination
        else {
            return nil
        }
        do {
            guard let made = try JournalPreview(outputFolder: folder).recipe() else { return nil }
            guard let settings = Settings(canonicalText: made, destination) else {
                if let problem = Recipe.fileProblem(in: made, reading: .readable) {
                    throw ValidationError(
                        "\(problem) The journal's recipe needs it: give the filters or the --recipe again.")
                }
                throw JournalError.otherRecipe(folder: folder, made: made, asked: made)
            }
            return settings
        } catch let error as JournalError {
            throw ValidationError(error.description)
        }
    }
}

extension OutputDestination {
    /// The outputs' format: what the destination's extension says, or else what was asked for.
    ///
    /// - Parameter isDefault: whether the format that was asked for gives way to the extension.
    fileprivate func format(_ asked: PhotoFormat?, isDefault: Bool = false) throws -> PhotoFormat? {
        let implied = try impliedFormat()
        if let implied, let asked, implied != asked, !isDefault {
            throw OutputError.formatMismatch(extensionSays: implied.rawValue, formatSays: asked.rawValue)
        }
        return implied ?? asked
    }
}

extension Recipe {
    fileprivate func with(format: PhotoFormat?) -> Recipe {
        var recipe = self
        recipe.format = format
        return recipe
    }
}

extension RecipeFlags {
    /// The recipe of a single output.
    fileprivate func recipe(for destination: OutputDestination, formatIsDefault: Bool) throws -> Recipe {
        var recipe = Recipe(try FilterChain(parsing: filters))
        for flag in RecipeFlag.all { flag.apply(self, &recipe) }
        recipe.format = try destination.format(recipe.format, isDefault: formatIsDefault)
        return recipe
    }

    /// Whether something is asked for besides filters.
    ///
    /// - Parameter output: a path whose extension may name a format.
    func isConversion(output: String?) -> Bool {
        let implied = try? OutputDestination(output, isFolder: isFolder).impliedFormat()
        return implied != nil || RecipeFlag.converting.contains { $0.asks(self) }
    }
}
