import Tintype
import TintypeDevices
import TintypeLocking

/// Saves photos in a folder as `tintype apply` does: a batch, with the folder's journal.
final class SaveRun: Sendable {
    private struct State {
        var message: SaveMessage
        /// Nil before the start, and once it has ended: it keeps the folder for its recipe.
        var batch: Batch?
        var isAtWork = true
        var isStopped = false
        var waiters: [CheckedContinuation<Void, Never>] = []

        /// - Returns: those that wait for the end.
        mutating func end(_ end: SaveMessage.State) -> [CheckedContinuation<Void, Never>] {
            message.state = end
            batch = nil
            isAtWork = false
            defer { waiters = [] }
            return waiters
        }
    }

    private let state: Locked<State>

    /// What is saved, and where.
    struct Order {
        struct Photo {
            let photo: InputPhoto
            /// Nil is that of all.
            let ownRecipe: Recipe?
            /// Whether this was set in the gallery. An earlier one may have saved the photo with another.
            let isKnown: Bool
        }

        let photos: [Photo]
        let recipe: Recipe
        let folder: String
        let template: OutputTemplate?
        let replaces: Bool
    }

    init(_ order: Order) {
        state = Locked(State(message: SaveMessage(folder: order.folder, total: order.photos.count)))
    }

    /// Plans all outputs, which takes a while for many photos, and starts.
    ///
    /// - Parameter pipeline: its recipe and its folder are the order's.
    /// - Throws: `OutputError` if no photo may be saved; `JournalError`, such as for a folder with photos of other filters;
    ///   `ProcessLimitError`.
    func start(
        _ order: Order, through pipeline: PhotoPipeline, on devices: DevicePool, _ settings: Gallery.Settings
    ) throws {
        let output = RecipeOutput(NamedRecipe(nil, order.recipe), template: order.template)
        let planner = OutputPlanner(
            .folder(order.folder), outputs: [output], overwrites: order.replaces, hasJournal: true)
        var plan = try planner.plan(for: order.photos.map(\.photo))
        // Two photos may be one file.
        func key(_ photo: InputPhoto) -> [ExactText] {
            [photo.path.exact, photo.folder.exact, photo.name.exact]
        }
        let known = order.photos.filter(\.isKnown).map { (key($0.photo), $0.ownRecipe) }
        let own = Dictionary(known, uniquingKeysWith: { $0 ?? $1 })
        for index in plan.jobs.indices {
            guard let ownRecipe = own[key(plan.jobs[index].photo)] else { continue }
            plan.jobs[index].ownRecipe = ownRecipe
            plan.jobs[index].dropsOwnRecipe = ownRecipe == nil
        }
        let journal = try Journal(outputFolder: order.folder)
        try journal.claim(recipe: order.recipe.canonicalText, overwrites: order.replaces)
        let workers = try WorkerLimit(for: AvailableMachine.current.processorCount)
        var batch = Batch.Settings(
            through: pipeline, on: devices, downloader: settings.downloader, journal: journal,
            concurrentPhotoCount: workers.workerCount)
        batch.key = settings.key
        batch.planner = planner
        batch.otherInputs = plan.failures.map(\.path)
        batch.logger = settings.logger
        let run = Batch(plan.jobs, batch, on: .makePrivate(), events: events)
        state.withLock { state in
            state.message.total = plan.jobs.count + plan.failures.count
            for failure in plan.failures { state.message.fail(failure.path, failure.error.description) }
            state.batch = run
            run.start()
            if state.message.state == .paused { run.suspend() }
            if state.isStopped { run.cancel() }
        }
    }

    /// Ends it where it could not start.
    func giveUp() {
        for waiter in state.withLock({ $0.end(.stopped) }) { waiter.resume() }
    }

    private var events: Batch.Events {
        var events = Batch.Events(
            result: { [self] result in state.withLock { $0.message.add(result) } },
            finished: { [self] notDone in
                let waiters = state.withLock { $0.end(notDone == 0 ? .ended : .stopped) }
                for waiter in waiters { waiter.resume() }
            })
        events.unknownSuspects = { [self] paths in
            let text =
                "Photos that were saved may be wrong, because their device gave wrong pixels later: "
                + "\(paths.count). Save them again, and replace them."
            state.withLock { $0.message.warning = text }
        }
        return events
    }

    var message: SaveMessage { state.withLock { $0.message } }

    var isAtWork: Bool { state.withLock { $0.isAtWork } }

    /// Lets photos that are at work be finished, and begins no others.
    func pause(_ isPaused: Bool) {
        state.withLock { state in
            guard state.isAtWork else { return }
            state.message.state = isPaused ? .paused : .saving
            isPaused ? state.batch?.suspend() : state.batch?.resume()
        }
    }

    /// Begins no more photos, and cancels those at work.
    func stop() {
        state.withLock { state in
            state.isStopped = true
            state.batch?.cancel()
        }
    }

    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let isOver = state.withLock { state in
                if state.isAtWork { state.waiters.append(continuation) }
                return !state.isAtWork
            }
            if isOver { continuation.resume() }
        }
    }
}

extension SaveMessage {
    fileprivate mutating func add(_ result: PhotoResult) {
        switch result.status {
        case .done: if !result.isRemade { saved += 1 }
        case .skipped(.upToDate): upToDate += 1
        case .skipped(.outputExists): fail(result.job.photo.name, "A file of this name is in the folder.")
        case .skipped(.claimedElsewhere): fail(result.job.photo.name, "Another run is saving it.")
        case .failed(let error):
            if result.isRemade { saved -= 1 }
            fail(result.job.photo.name, error.description)
        }
    }
}
