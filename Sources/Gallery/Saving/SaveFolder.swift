import Tintype

/// A folder that photos can be saved in.
struct SaveFolder {
    let path: String

    /// What is in the folder, for photos of a recipe.
    func message(for recipe: Recipe) -> SaveFoldersMessage.Folder {
        do {
            let hasOthers = try hasOthers(than: recipe)
            return SaveFoldersMessage.Folder(
                path: path, savedCount: try savedCount(), hasOthers: hasOthers,
                beside: hasOthers ? try beside(recipe).path : nil)
        } catch {
            return SaveFoldersMessage.Folder(path: path, savedCount: 0, hasOthers: false, problem: "\(error)")
        }
    }

    /// More bytes of filters' names than this become a hash alone.
    private static let longestLabel = 80

    /// A folder for photos of this recipe beside this one. It has the name of the filters; also a hash if that one has photos
    /// of other settings.
    ///
    /// - Throws: `JournalError`.
    func beside(_ recipe: Recipe) throws -> SaveFolder {
        let label = recipe.label.isEmpty ? recipe.format?.rawValue ?? Recipe.emptyLabel : recipe.label
        guard label.utf8.count <= Self.longestLabel else {
            return SaveFolder(path: "\(path)-\(ContentHash.of(Array(recipe.canonicalText.utf8)).prefix(16))")
        }
        let named = SaveFolder(path: "\(path)-\(label)")
        return try named.hasOthers(than: recipe) ? SaveFolder(path: "\(path)-\(recipe.tag)") : named
    }

    private func hasOthers(than recipe: Recipe) throws -> Bool {
        do throws(JournalError) {
            try JournalPreview(outputFolder: path).check(recipe: recipe.canonicalText)
            return false
        } catch .otherRecipe {
            return true
        }
    }

    private func savedCount() throws -> Int {
        do throws(JournalError) {
            return try JournalSummary(outputFolder: path).doneCount
        } catch .none {
            return 0
        }
    }
}
