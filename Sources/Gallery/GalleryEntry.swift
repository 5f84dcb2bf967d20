import Tintype
import TintypeLocking

/// A photo's entry in the journal of a gallery's folder. Its output gets its name only while the folder has its recipe.
final class GalleryEntry: OutputEntry {
    private let entry: JournalEntry
    private let item: Int
    private let recipe: String
    private let saving: GallerySaving
    private let isPublishing = Locked(false)

    /// - Parameter recipe: the entry's.
    init(_ entry: JournalEntry, of item: Int, recipe: String, _ saving: GallerySaving) {
        self.entry = entry
        self.item = item
        self.recipe = recipe
        self.saving = saving
    }

    func admit(isCancelled: @escaping () -> Bool) throws -> OutputVerdict {
        let verdict = try entry.admit(isCancelled: isCancelled)
        if case .upToDate = verdict { saving.count(item, recipe) }
        return verdict
    }

    var output: PhotoJob.Output { entry.output }
    func move(to output: PhotoJob.Output) { entry.move(to: output) }
    var verdict: OutputVerdict? { entry.verdict }
    var partialsFolder: URL? { entry.partialsFolder }
    func note(_ download: Downloaded) { entry.note(download) }
    var stagedPath: String? { entry.stagedPath }
    func deliver(isCancelled: @escaping () -> Bool) {}

    /// - Throws: `CancellationError` if the page has another recipe meanwhile: the photo is filtered anew.
    func announce(_ publication: PhotoPipeline.Publication, device: String?) throws {
        guard saving.beginPublication(of: recipe) else { throw CancellationError() }
        isPublishing.withLock { $0 = true }
        try entry.announce(publication, device: device)
    }

    func finish(_ report: FilterReport) {
        entry.finish(report)
        saving.count(item, recipe)
    }

    func fail(_ error: PhotoError) { entry.fail(error) }

    func release() {
        entry.release()
        let wasPublishing = isPublishing.withLock { isPublishing in
            defer { isPublishing = false }
            return isPublishing
        }
        if wasPublishing { saving.endPublication() }
    }
}
