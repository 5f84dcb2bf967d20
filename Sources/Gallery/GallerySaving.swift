import Dispatch
import Tintype
import TintypeLocking

/// Saves a gallery's photos in its output folder as they are filtered, like `tintype apply`, with the folder's
/// journal.
///
/// The folder has one recipe. While the page has another one, or no filters, nothing is saved.
final class GallerySaving: Sendable {
    /// Where a photo is saved.
    struct Target {
        let output: PhotoJob.Output
        /// Names it anew for the format of a download.
        let naming: OutputNaming?
        let entry: GalleryEntry
    }

    private struct State {
        /// The canonical text of the recipe whose photos are saved.
        var recipe: String?
        /// Why the recipe's photos are not saved, or what may be wrong with those that are.
        var problem: String?
        /// Outputs that may be wrong, and that the journal does not know of yet.
        var unrecorded: Set<ExactText> = []
        /// Photos that have no output, such as two of the same name.
        var refused: [Int: PhotoError] = [:]
        var saved: Set<Int> = []
        /// Nil before `plan`.
        var names: FormatNames?
    }

    private let folder: String
    private let overwrites: Bool
    private let logger: Logger
    private let journal: Journal
    private let state = Locked(State())
    /// Outputs that are getting their names.
    private let publications = DispatchGroup()
    /// Held while the journal learns of outputs that may be wrong.
    private let recording = Locked(())

    /// - Throws: `JournalError`.
    init(in folder: String, overwrites: Bool, logger: Logger) throws {
        self.folder = folder
        self.overwrites = overwrites
        self.logger = logger
        journal = try Journal(outputFolder: folder)
    }

    /// Photos of the recipe that are in the folder.
    var savedCount: Int { state.withLock { $0.saved.count } }

    /// Whether photos are saved.
    var isOn: Bool { state.withLock { $0.recipe != nil } }

    /// Why nothing is saved, or what may be wrong with what is; nil if all is well, or there are no filters.
    var problem: String? { state.withLock { $0.problem } }

    /// Saves the photos of this chain from now on. Waits until no output is getting its name: one of the last recipe keeps
    /// the folder from another.
    ///
    /// - Throws: `JournalError` if the folder has photos of another one; nothing is saved then.
    func use(_ chain: FilterChain) throws {
        state.withLock { state in
            state.recipe = nil
            state.problem = nil
            state.saved = []
        }
        guard !chain.filters.isEmpty else { return }
        // None begins without a recipe.
        publications.wait()
        let recipe = Recipe(chain)
        do {
            try journal.claim(recipe: recipe.canonicalText, overwrites: overwrites)
            state.withLock { $0.recipe = recipe.canonicalText }
        } catch {
            state.withLock { $0.problem = "\(error)" }
            throw error
        }
    }

    /// Finds out which photos have no output.
    ///
    /// - Parameter photos: all of the gallery's.
    /// - Throws: `OutputError` if none may have one.
    func plan(_ photos: [InputPhoto], _ chain: FilterChain) throws {
        let planner = planner(Recipe(chain))
        let plan = try planner.plan(for: photos)
        let errors = Dictionary(plan.failures.map { ($0.path.exact, $0.error) }) { first, _ in first }
        let refused = photos.indices.compactMap { item in errors[photos[item].path.exact].map { (item, $0) } }
        state.withLock { state in
            state.refused = Dictionary(uniqueKeysWithValues: refused)
            state.names = FormatNames(planner, plan.jobs, otherInputs: plan.failures.map(\.path))
        }
    }

    /// Where a photo that this recipe makes is saved.
    ///
    /// - Returns: nil if this recipe's photos are not saved.
    /// - Throws: `PhotoError` if this photo has no output.
    func target(of photo: InputPhoto, _ item: Int, _ recipe: Recipe) throws(PhotoError) -> Target? {
        let text = recipe.canonicalText
        let (isSaved, refusal, known) = state.withLock { ($0.recipe == text, $0.refused[item], $0.names) }
        guard isSaved else { return nil }
        if let refusal { throw refusal }
        let path = planner(recipe).path(for: photo)
        let job = PhotoJob(photo: photo, output: .file(path: path))
        let names = FormatNames.concerns(job, recipe) ? known : nil
        let entry = JournalEntry(
            journal, photo, output: path, alternatives: names?.alternatives(to: job) ?? [], recipe: text,
            overwrites: overwrites, logger: logger)
        var naming: OutputNaming?
        if let names { naming = { format in try names.output(of: job, having: format) } }
        return Target(
            output: job.output, naming: naming, entry: GalleryEntry(entry, of: item, recipe: text, self))
    }

    /// Call `endPublication` when the output has its name, or does not get it.
    ///
    /// - Returns: false if photos of this recipe are not saved any more.
    func beginPublication(of recipe: String) -> Bool {
        state.withLock { state in
            guard state.recipe == recipe else { return false }
            publications.enter()
            return true
        }
    }

    func endPublication() { publications.leave() }

    /// Counts a photo whose output of this recipe is in the folder now.
    func count(_ item: Int, _ recipe: String) {
        state.withLock { state in
            if state.recipe == recipe { state.saved.insert(item) }
        }
    }

    /// Records that outputs may be wrong, because their device gave wrong pixels later: they are saved again when their
    /// photos are filtered anew.
    ///
    /// - Returns: whether the journal has just learned of the last one. Those that are being finished are recorded in a
    ///   later call.
    func record(suspects outputs: [String]) -> Bool { recording.withLock { _ in recordNow(outputs) } }

    private func recordNow(_ outputs: [String]) -> Bool {
        let unrecorded = state.withLock { state in
            state.unrecorded.formUnion(outputs.map(\.exact))
            return state.unrecorded
        }
        guard !unrecorded.isEmpty else { return false }
        do {
            let claimed = try unrecorded.filter {
                try !journal.markSuspect(try journal.outputName(of: $0.text))
            }
            try journal.synchronise()
            return state.withLock { state in
                state.unrecorded = claimed
                guard claimed.isEmpty else { return false }
                state.saved = []
                state.problem =
                    "Photos that were saved may be wrong, because their device gave wrong pixels later. Save all again."
                return true
            }
        } catch {
            // It is tried again.
            state.withLock { $0.problem = "\(error)" }
            return false
        }
    }

    func forgetProblem() { state.withLock { $0.problem = nil } }

    private func planner(_ recipe: Recipe) -> OutputPlanner {
        OutputPlanner(.folder(folder), recipe: recipe, overwrites: overwrites, hasJournal: true)
    }
}
