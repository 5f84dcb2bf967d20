import ArgumentParser
import Tintype

/// An output of a recipe while its keys are read.
struct OutputDraft {
    var filters: [String] = []
    /// All but the filters.
    var recipe = Recipe(FilterChain([]))
    /// The output's path, below the output folder.
    var template: String?

    /// - Parameter files: those that filters may read.
    /// - Throws: `FilterError` or `OutputError`.
    func recipe(reading files: FilterFiles) throws -> Recipe {
        var made = recipe
        made.chain = try FilterChain(parsing: filters, reading: files)
        if let implied = try destination()?.impliedFormat() { made.format = implied }
        return made
    }

    /// - Throws: `FilterError`, `OutputError` or `TemplateMistake`.
    func check(reading files: FilterFiles) throws {
        _ = try recipe(reading: files)
        if let implied = try destination()?.impliedFormat(), let format = recipe.format, implied != format {
            throw OutputError.formatMismatch(extensionSays: implied.rawValue, formatSays: format.rawValue)
        }
        guard let template else { return }
        let parts = template.split(separator: "/", omittingEmptySubsequences: false)
        if parts.contains("..") || parts.first == "" || parts.last == "" {
            throw TemplateMistake.outside
        }
        guard OutputTemplate.hasBraces(template) else {
            throw TemplateMistake.oneName
        }
    }

    private func destination() throws(OutputError) -> OutputDestination? {
        guard let template else { return nil }
        guard !OutputPath.isReserved(template) else { throw .reservedName(template) }
        return .template(try OutputTemplate(template))
    }
}

/// Why a template cannot be that of a recipe's output.
enum TemplateMistake: Error, CustomStringConvertible {
    /// It leads out of the output folder, or names none of the files below it.
    case outside
    /// It has no placeholder.
    case oneName

    var description: String {
        switch self {
        case .outside:
            "The template must name a file below the output folder, such as 'web/{stem}.{ext}'."
        case .oneName:
            "The template gives all photos the same name. Use {stem} or {id}, as in 'web/{stem}.{ext}'."
        }
    }
}

/// A key of an output in a recipe. Its values are those of the flag of `tintype apply` with the same name.
struct RecipeKey: Sendable {
    let name: String
    /// What values there are, for messages.
    let expects: String
    /// Gives the output the value; false if it is no value of this key.
    let assign: @Sendable (inout OutputDraft, SettingValue) -> Bool

    static let all = [filters] + RecipeFlag.all.map(\.key) + [output]

    private static let filters = RecipeKey(
        name: "filters", expects: "filters such as \"sepia+sharpen\", or a list of them"
    ) {
        switch $1 {
        case .text(let text): $0.filters = [text]
        case .list(let texts): $0.filters = texts
        default: return false
        }
        return true
    }

    private static let output = RecipeKey(
        name: "output", expects: "a template such as \"web/{stem}.{ext}\""
    ) { draft, value in
        guard case .text(let text) = value, !text.isEmpty else { return false }
        draft.template = text
        return true
    }
}
