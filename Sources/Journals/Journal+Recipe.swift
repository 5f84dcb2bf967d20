import Foundation
import SystemPackage
import TintypeFiles

/// One recipe for each folder, so that runs with different recipes do not mix their outputs.
///
/// `.tintype/recipe` holds the canonical text of the recipe of the folder's outputs. It changes under the
/// journal's lock, and only while no other run is at work: each run holds a shared lock on one byte of the
/// lock file from its claim to its end.
extension Journal {
    /// Claims the folder for a recipe until this journal is released. Call it before any work.
    ///
    /// - Parameters:
    ///   - recipe: see `Recipe.canonicalText`.
    ///   - overwrites: whether the folder may hold outputs of another recipe, which this run replaces.
    /// - Throws: `JournalError`; `.otherRecipe` or `.otherRecipeAtWork` if the folder has another recipe.
    public func claim(recipe: String, overwrites: Bool = false) throws(JournalError) {
        guard let locks else { return try claimWithoutLocks(recipe: recipe) }
        try locked { file throws(JournalError) in
            try file.refresh()
            let ownFolder = path(of: Self.folderName)
            let text = RecipeFile(folder: ownFolder)
            if let made = try file.madeRecipe(besides: ownFolder), made.exact != recipe.exact {
                if !overwrites, try file.holdsOutputs(in: folder) {
                    throw .otherRecipe(folder: folder, made: made, asked: recipe)
                }
                guard try locks.tryLock(RangeLocks.runs) else {
                    throw .otherRecipeAtWork(folder: folder, made: made)
                }
            }
            if text.text?.exact != recipe.exact { try text.write(recipe) }
            // The byte is locked exclusively only under the journal's lock, so this normally succeeds.
            guard try locks.share(RangeLocks.runs) else {
                throw .otherRecipeAtWork(folder: folder, made: recipe)
            }
        }
    }
}

extension Journal {
    /// For a shard: the first run of any shard writes the recipe, and it never changes.
    private func claimWithoutLocks(recipe: String) throws(JournalError) {
        let text = RecipeFile(folder: path(of: Self.folderName))
        if text.text == nil { try text.create(recipe) }
        guard let made = text.text, made.exact != recipe.exact else { return }
        throw .otherRecipe(folder: folder, made: made, asked: recipe)
    }
}

extension JournalFile {
    /// The recipe of the folder's outputs; nil if there are none yet. In folders of earlier versions, the
    /// last `done` receipt tells it.
    ///
    /// - Parameter ownFolder: the folder that the journal lies in.
    func madeRecipe(besides ownFolder: String) throws(JournalError) -> String? {
        if let text = RecipeFile(folder: ownFolder).text { return text }
        guard let last = index.entries.values.compactMap(\.done).max(by: { $0.offset < $1.offset }) else {
            return nil
        }
        return try receipt(at: last)?.recipe
    }

    /// Whether any output in the journal still exists.
    func holdsOutputs(in folder: String) throws(JournalError) -> Bool {
        for entry in index.entries.values {
            guard let span = entry.done ?? (entry.state == .publishing ? entry.latest : nil),
                let receipt = try receipt(at: span)
            else { continue }
            if (try? Stat(link: folder.appendingPathComponent(receipt.output))) != nil { return true }
        }
        return false
    }
}

/// The file that holds a folder's recipe, on one line.
private struct RecipeFile {
    let path: String

    init(folder: String) { path = folder.appendingPathComponent("recipe") }

    /// A larger file is damaged.
    private static let maxByteCount = 1 << 20

    /// The recipe; nil if there is none or it cannot be read.
    var text: String? {
        guard let file = try? OpenFile(reading: path), let status = try? file.status(),
            status.isRegularFile, status.byteCount <= Self.maxByteCount,
            let bytes = try? file.firstBytes(status.byteCount), bytes.last == UInt8(ascii: "\n")
        else { return nil }
        return String(validating: bytes.dropLast(), as: UTF8.self)
    }

    /// Creates the file, unless another process does so first.
    func create(_ text: String) throws(JournalError) {
        do throws(Errno) {
            let file = try OutputFile(at: path, temporaries: TemporaryFiles())
            try file.file.write(Array("\(text)\n".utf8))
            try file.publish(overwrites: false)
        } catch .fileExists {
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    /// Replaces the file atomically.
    func write(_ text: String) throws(JournalError) {
        do throws(Errno) {
            try OpenFile.replace(path) { file throws(Errno) in try file.write(Array("\(text)\n".utf8)) }
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }
}
