import Foundation
import SystemPackage
import Tintype

/// What `--recipe` names, before it is understood.
struct RecipeText {
    /// For messages.
    let name: String
    let bytes: [UInt8]
    /// The file's folder, in which relative paths begin; empty for the current folder.
    let folder: String

    /// More text than any recipe has.
    private static let maxByteCount = 1 << 20

    /// - Parameter argument: the path of a file or a pipe, `-` for standard input, or the name of a recipe that Tintype has.
    init(_ argument: String) throws(RecipeError) {
        let isInput = argument == "-"
        let name = isInput ? "standard input" : argument
        var folder = ""
        let bytes: [UInt8]
        do throws(Errno) {
            // Without O_NONBLOCK, which would end a named pipe before its writer comes.
            let file = try isInput ? OpenFile(duplicating: STDIN_FILENO) : OpenFile(argument, .readOnly)
            if !isInput, try file.status().isRegularFile, argument.contains("/") {
                folder = argument.parentFolder
            }
            bytes = try file.nextBytes(Self.maxByteCount + 1)
        } catch .noSuchFileOrDirectory where !argument.contains("/") {
            guard let own = ShippedRecipe[argument] else { throw Self.unknown(argument) }
            bytes = Array(own.json.utf8)
        } catch {
            throw RecipeError(path: name, text: "The recipe cannot be read: \(error).")
        }
        guard bytes.count <= Self.maxByteCount else {
            throw RecipeError(path: name, text: "This is too large for a recipe.")
        }
        (self.name, self.bytes, self.folder) = (name, bytes, folder)
    }

    private static func unknown(_ name: String) -> RecipeError {
        let hint = suggestion(
            for: name, in: ShippedRecipe.all.map(\.name), intro: "Recipes that Tintype has")
        return RecipeError(
            path: name, text: "There is no such file, and no recipe of this name. " + hint)
    }
}
