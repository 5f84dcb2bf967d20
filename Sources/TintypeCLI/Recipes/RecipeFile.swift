import Foundation
import Tintype

/// What a file for `--recipe` makes of each photo.
struct RecipeFile {
    enum Outputs {
        /// One output, as flags would make it: `{ "filters": "sepia" }`.
        case single(Recipe)
        /// Several named ones, in the file's order: `{ "outputs": { "web": { "filters": "sepia" } } }`.
        case several([RecipeOutput])
    }

    /// For an output without a template of its own.
    static let usualTemplate = "{dir}/{stem}-{output}.{ext}"

    static var usual: OutputTemplate? { try? OutputTemplate(usualTemplate) }

    let outputs: Outputs
    /// Where relative paths in its filters begin; empty for the current folder.
    let folder: String

    /// - Parameter argument: the path of a file, `-` for standard input, or the name of a recipe that Tintype has.
    /// - Throws: `RecipeError` with the file, the line and the key of the first mistake.
    init(_ argument: String) throws(RecipeError) {
        let text = try RecipeText(argument)
        folder = text.folder
        do throws(RecipeMistake) {
            outputs = try Self.outputs(in: text.bytes, reading: FilterFiles(in: [text.folder]))
        } catch {
            throw RecipeError(path: text.name, line: error.line, text: error.text)
        }
    }

    private static func outputs(
        in bytes: [UInt8], reading files: FilterFiles
    ) throws(RecipeMistake) -> Outputs {
        let entries: [SettingsScanner.Entry]
        do throws(SettingsScanner.Complaint) {
            entries = try SettingsScanner.entries(in: bytes, nested: true)
        } catch {
            throw RecipeMistake(line: error.line, text: error.text)
        }
        try checkRepeated(entries)
        guard !entries.isEmpty else {
            throw RecipeMistake(
                line: 1,
                text: "A recipe has filters, such as { \"filters\": \"sepia\" }, or \"outputs\", such as "
                    + "\(exampleOfOutputs).")
        }
        guard let outputs = entries.first(where: { $0.key == "outputs" }) else {
            return .single(try single(entries, reading: files))
        }
        for entry in entries where entry.key != "outputs" {
            throw RecipeMistake(unknown: entry, known: ["outputs"])
        }
        return .several(try several(outputs, reading: files))
    }

    private static let exampleOfOutputs = "{ \"outputs\": { \"web\": { \"filters\": \"sepia\" } } }"

    /// An output without a name has no template: `--output` names its files, as it does without a recipe.
    private static func single(
        _ entries: [SettingsScanner.Entry], reading files: FilterFiles
    ) throws(RecipeMistake) -> Recipe {
        if let entry = entries.first(where: { $0.key == "output" }) {
            guard case .text = entry.value else { throw RecipeMistake(unknown: entry, known: ["outputs"]) }
            throw RecipeMistake(
                line: entry.line,
                text: "'output' belongs to an output with a name, as in \(exampleOfOutputs). "
                    + "Without names, --output says where files go.")
        }
        return try OutputDraft(entries, reading: files, orKey: ["outputs"]).checkedRecipe(
            reading: files, named: "The recipe", line: entries[0].line)
    }

    private static func several(
        _ entry: SettingsScanner.Entry, reading files: FilterFiles
    ) throws(RecipeMistake) -> [RecipeOutput] {
        guard case .object(let named) = entry.value, !named.isEmpty else {
            throw RecipeMistake(
                line: entry.line, text: "A recipe has \"outputs\", such as \(exampleOfOutputs).")
        }
        try checkRepeated(named)
        var outputs: [RecipeOutput] = []
        for entry in named {
            let output = try RecipeOutput(entry, reading: files)
            if output.template?.uses(.output) == false,
                outputs.contains(where: { $0.template == output.template })
            {
                throw RecipeMistake(
                    line: entry.line,
                    text:
                        "'\(entry.key.excerpt())' has the template of another output, so their files would have the same names. "
                        + "Add {output} to it.")
            }
            outputs.append(output)
        }
        return outputs
    }

    fileprivate static func checkRepeated(_ entries: [SettingsScanner.Entry]) throws(RecipeMistake) {
        var keys: Set<String> = []
        for entry in entries where !keys.insert(entry.key).inserted {
            throw RecipeMistake(line: entry.line, text: "'\(entry.key.excerpt())' is given twice.")
        }
    }
}

extension RecipeOutput {
    /// An entry of "outputs": the output's name, and its keys.
    fileprivate init(
        _ entry: SettingsScanner.Entry, reading files: FilterFiles
    ) throws(RecipeMistake) {
        let isName = { (byte: UInt8) in
            Character(Unicode.Scalar(byte)).isLetter || "0123456789-".utf8.contains(byte)
        }
        guard !entry.key.isEmpty, entry.key.utf8.allSatisfy({ $0 < 0x80 && isName($0) }) else {
            throw RecipeMistake(
                line: entry.line,
                text: "'\(entry.key.excerpt())' is no name of an output: use letters, digits and hyphens.")
        }
        guard case .object(let entries) = entry.value else {
            throw RecipeMistake(
                line: entry.line,
                text:
                    "'\(entry.key.excerpt())' expects an object, such as { \"filters\": \"sepia\" }, got \(entry.value.description.excerpt())."
            )
        }
        try RecipeFile.checkRepeated(entries)
        let draft = try OutputDraft(entries, reading: files)
        let recipe = try draft.checkedRecipe(
            reading: files, named: "'\(entry.key.excerpt())'", line: entry.line)
        guard let template = try? OutputTemplate(draft.template ?? RecipeFile.usualTemplate) else {
            preconditionFailure("the template was checked")
        }
        self.init(NamedRecipe(entry.key, recipe), template: template)
    }
}

extension OutputDraft {
    /// - Parameter others: keys that would have been right where these are.
    fileprivate init(
        _ entries: [SettingsScanner.Entry], reading files: FilterFiles, orKey others: [String] = []
    ) throws(RecipeMistake) {
        self.init()
        for entry in entries {
            guard let key = RecipeKey.all.first(where: { $0.name == entry.key }) else {
                throw RecipeMistake(unknown: entry, known: others + RecipeKey.all.map(\.name))
            }
            guard key.assign(&self, entry.value) else {
                throw RecipeMistake(
                    line: entry.line,
                    text:
                        "'\(entry.key.excerpt())' expects \(key.expects), got \(entry.value.description.excerpt())."
                )
            }
            do {
                try check(reading: files)
            } catch {
                let text =
                    (error as? OutputError)?.problem(naming: "The template", format: "'format'")
                    ?? "\(error)"
                throw RecipeMistake(line: entry.line, text: "'\(entry.key.excerpt())': \(text)")
            }
        }
    }

    /// - Parameter name: the output in messages.
    fileprivate func checkedRecipe(
        reading files: FilterFiles, named name: String, line: Int
    ) throws(RecipeMistake) -> Recipe {
        guard let recipe = try? recipe(reading: files), !recipe.doesNothing else {
            throw RecipeMistake(
                line: line,
                text: "\(name) does nothing. Give it "
                    + (["filters"] + RecipeFlag.converting.map(\.example)).joined(conjunction: "or") + ".")
        }
        return recipe
    }
}

/// Why a recipe cannot be used.
struct RecipeError: Error, CustomStringConvertible {
    let path: String
    /// From 1; nil if the error belongs to no line.
    var line: Int?
    let text: String

    var description: String {
        let place = line.map { "\(path.printableName), line \($0)" } ?? path.printableName
        return "\(place): \(text.printable)"
    }
}

/// What is wrong on a line of a recipe.
private struct RecipeMistake: Error {
    let line: Int
    let text: String

    init(line: Int, text: String) {
        self.line = line
        self.text = text
    }

    init(unknown entry: SettingsScanner.Entry, known: [String]) {
        self.init(
            line: entry.line,
            text: "There is no key '\(entry.key.excerpt())'. " + suggestion(for: entry.key, in: known)
        )
    }
}
