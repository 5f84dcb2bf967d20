import Foundation
import Locking
import Tintype

/// Saves a gallery's photos in its output folder, like `tintype apply`, with the folder's journal.
final class GallerySaving: Sendable {
    private struct State {
        /// From the start of a batch to its end. The batch itself is made a little later.
        var isRunning = false
        var batch: Batch?
        var savedCount = 0
    }

    private let settings: Gallery.Settings
    private let mainQueue: SerialMainQueue
    private let state = Locked(State())

    init(_ settings: Gallery.Settings, on mainQueue: SerialMainQueue) {
        self.settings = settings
        self.mainQueue = mainQueue
    }

    /// Photos whose outputs are in the folder.
    var savedCount: Int { state.withLock { $0.savedCount } }

    var isRunning: Bool { state.withLock { $0.isRunning } }

    /// Starts a batch over the photos; what is saved already is not filtered again. Does nothing while one runs.
    ///
    /// It leaves half of the cores to the photos in view.
    ///
    /// - Throws: `GalleryError`, `OutputError`, `JournalError`, or `DeviceError`.
    func start(_ photos: [InputPhoto], _ recipe: GalleryRecipe) throws {
        guard let output = settings.output else { throw GalleryError.nothingIsSaved }
        let wasRunning = state.withLock { state in
            defer { state.isRunning = true }
            return state.isRunning
        }
        guard !wasRunning else { return }
        do {
            let batch = try makeBatch(photos, recipe, output)
            state.withLock { state in
                state.savedCount = 0
                state.batch = batch
            }
            batch.start()
        } catch {
            end()
            throw error
        }
    }

    private func makeBatch(_ photos: [InputPhoto], _ recipe: GalleryRecipe, _ output: String) throws -> Batch
    {
        let whole = Recipe(recipe.chain)
        let planner = OutputPlanner(.folder(output), recipe: whole, overwrites: false, hasJournal: true)
        let jobs = try planner.plan(for: photos).jobs
        let journal = try Journal(outputFolder: output)
        try journal.claim(recipe: whole.canonicalText)
        let batchSettings = Batch.Settings(
            through: PhotoPipeline(whole, limits: settings.limits), on: recipe.devices,
            downloader: settings.downloader, journal: journal,
            concurrentPhotoCount: max(1, AvailableMachine.current.processorCount / 2))
        return Batch(
            jobs, batchSettings, on: mainQueue,
            events: Batch.Events(
                result: { [weak self] result in self?.count(result) },
                finished: { [weak self] _ in self?.end() }))
    }

    private func end() {
        state.withLock { state in
            state.isRunning = false
            state.batch = nil
        }
    }

    private func count(_ result: PhotoResult) {
        switch result.status {
        case .done, .skipped(.upToDate): state.withLock { $0.savedCount += 1 }
        case .skipped, .failed: break
        }
    }

    func cancel() { state.withLock { $0.batch }?.cancel() }
}
