import ArgumentParser
import Tintype

/// An output of a recipe while its keys are read.
struct OutputDraft {
    var filters: [String] = []
    var format: PhotoFormat?
    var quality: Recipe.Quality?
    var scale = Scale.full
    var strips = false
    var optimizes = false
    var restartRows: RestartRows?
    var convertsToSRGB = false
    var turnsUpright = false
    /// The output's path, below the output folder.
    var template: String?

    /// - Parameter files: those that filters may read.
    /// - Throws: `FilterError` or `OutputError`.
    func recipe(reading files: FilterFiles) throws -> Recipe {
        let implied = try destination()?.impliedFormat()
        return Recipe(
            try FilterChain(parsing: filters, reading: files), format: implied ?? format,
            quality: quality ?? .keep,
            halvesSize: scale == .half, stripsMetadata: strips, optimizesCodes: optimizes,
            convertsToSRGB: convertsToSRGB, turnsUpright: turnsUpright, restartRows: restartRows?.count)
    }

    /// - Throws: `FilterError`, `OutputError` or `TemplateMistake`.
    func check(reading files: FilterFiles) throws {
        _ = try recipe(reading: files)
        if let implied = try destination()?.impliedFormat(), let format, implied != format {
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

    static let all = [
        RecipeKey(name: "filters", expects: "filters such as \"sepia+sharpen\", or a list of them") {
            switch $1 {
            case .text(let text): $0.filters = [text]
            case .list(let texts): $0.filters = texts
            default: return false
            }
            return true
        },
        option("format", \.format, expects: PhotoFormat.expectation),
        option("quality", \.quality, expects: "a number from 1 to 100, or \"keep\""),
        RecipeKey(name: "scale", expects: "0.5 or 1") { draft, value in
            guard let scale = value.scalarText.flatMap(Scale.init(argument:)) else { return false }
            draft.scale = scale
            return true
        },
        RecipeKey(name: "metadata", expects: "\"keep\" or \"strip\"") { draft, value in
            guard [.text("keep"), .text("strip")].contains(value) else { return false }
            draft.strips = value == .text("strip")
            return true
        },
        flag("optimize", \.optimizes),
        option("restart-rows", \.restartRows, expects: RestartRows.expectation),
        flag("to-srgb", \.convertsToSRGB),
        flag("auto-orient", \.turnsUpright),
        RecipeKey(name: "output", expects: "a template such as \"web/{stem}.{ext}\"") { draft, value in
            guard case .text(let text) = value, !text.isEmpty else { return false }
            draft.template = text
            return true
        },
    ]

    private static func flag(
        _ name: String, _ flag: WritableKeyPath<OutputDraft, Bool> & Sendable
    ) -> RecipeKey {
        RecipeKey(name: name, expects: "true or false") { draft, value in
            guard case .flag(let isOn) = value else { return false }
            draft[keyPath: flag] = isOn
            return true
        }
    }

    private static func option<Value: ExpressibleByArgument>(
        _ name: String, _ option: WritableKeyPath<OutputDraft, Value?> & Sendable, expects: String
    ) -> RecipeKey {
        RecipeKey(name: name, expects: expects) { draft, value in
            guard let value = value.scalarText.flatMap(Value.init(argument:)) else { return false }
            draft[keyPath: option] = value
            return true
        }
    }
}
