import Foundation
import Logging
import TintypeFiles
import TintypeLocking
import TintypeResources
import TintypeOperations

/// Downloads and filters photos on background queues, and reloads a view as they change.
///
/// The session owns its records and their operations. It adds at most a window of photos to the queues at
/// once, because Foundation's queues scan all waiting operations whenever one finishes.
///
/// All methods may be called from any thread and return at once. Their work, the events and the view's
/// reloads run on the serial main queue, in the order of the calls. Indices without a record are ignored.
///
/// The session ends its work when it is released: keep a reference to it meanwhile.
///
/// An image that is downloaded and not yet filtered keeps one file descriptor open, so a window bounds
/// their number. Images that wait behind a barrier, and all that are kept, are moved to a temporary folder.
public final class PhotoSession: Sendable {
    /// The order in which `start` works. `startOperations(for:)` and `show(visible:)` always work per photo.
    public enum Order: Sendable {
        /// For each photo: download, reload, filter, reload.
        case perPhoto
        /// All downloads, one reload of everything, then all filters, each with a reload of its photo.
        case barrier
    }

    /// The settings of a session.
    public struct Configuration: Sendable {
        /// The order in which `start` works.
        public var order = Order.perPhoto
        /// Photos in flight at once, at most `windowLimit`; fewer where the process may open few files (`ulimit -n`),
        /// because a photo may need four.
        public var window = PhotoSession.windowLimit
        /// Downloads at once; less than 1 counts as 1. They hold no thread. The downloader limits transfers and hosts as
        /// well.
        public var concurrentDownloads = 16
        /// Filters at once; less than 1 counts as 1. Each holds a thread.
        public var concurrentFiltrations = AvailableMachine.current.processorCount
        /// False releases a filtered image after its reload, for sets that do not fit in memory.
        public var keepsFilteredImages = true
        /// True keeps a downloaded image after its filter as well, in a temporary folder, so that `refilter`
        /// needs no further download. Local photos need none in any case.
        public var keepsDownloadedImages = false
        /// The most filtered images that are kept. Beyond it, the images that were in view the longest ago
        /// are released, and their photos are downloaded again, or new if the downloaded image is not kept: see
        /// `PhotoRecord.isReleased`. `show(visible:)` and `startOperations(for:)` filter them again, `start` and `run`
        /// do not. Photos in view and at work keep theirs. The view does not reload what is released.
        public var filteredImageLimit = Int.max
        /// The most bytes of filtered images that are kept; as `filteredImageLimit`.
        public var filteredByteLimit = Int.max
        /// The most bytes of downloaded images that `keepsDownloadedImages` keeps, 4 GiB by default. Beyond
        /// it, those of photos that were in view the longest ago are released, and photos without a filtered
        /// image are new again.
        public var downloadedByteLimit = 4 << 30

        /// The default settings.
        public init() {}
    }

    /// The most photos in flight. Each finish takes time proportional to their number: measured, 3 ms for
    /// 10,000 and a few microseconds for 256.
    public static let windowLimit = 256

    /// The session's photos. Their indices are the items of its methods and of the view.
    public let records: PhotoRecords
    /// The serial queue on which records change, events are sent and the view is reloaded.
    public let mainQueue: SerialMainQueue
    /// The queues on which photos are downloaded and filtered.
    public let queues: BackgroundQueues
    private let scheduler: SessionScheduler
    private let streams: EventStreams

    /// - Parameters:
    ///   - mainQueue: `.main`, or a private one if the main thread is blocked.
    ///   - target: the view, held weakly.
    public convenience init(
        _ records: [PhotoRecord], steps: PhotoSteps, on mainQueue: SerialMainQueue,
        target: (any ReloadTarget)? = nil,
        configuration: Configuration = Configuration(), logger: Logger = Logger(label: "tintype"),
        events: SessionEvents = SessionEvents()
    ) {
        self.init(
            PhotoRecords(records), steps: steps, on: mainQueue, target: target, configuration: configuration,
            logger: logger, events: events)
    }

    /// A session whose view and handlers are on the main actor, which must not be blocked: see `SerialMainQueue`.
    ///
    /// - Parameter view: held weakly.
    public convenience init(
        _ records: [PhotoRecord] = [], steps: PhotoSteps, view: any PhotoView,
        configuration: Configuration = Configuration(), logger: Logger = Logger(label: "tintype"),
        events: ViewEvents
    ) {
        self.init(
            records, steps: steps, view: view, configuration: configuration, logger: logger,
            events: events.onMainQueue)
    }

    /// A session whose view is on the main actor, which must not be blocked: see `SerialMainQueue`.
    ///
    /// - Parameter view: held weakly.
    public convenience init(
        _ records: [PhotoRecord] = [], steps: PhotoSteps, view: any PhotoView,
        configuration: Configuration = Configuration(), logger: Logger = Logger(label: "tintype"),
        events: SessionEvents = SessionEvents()
    ) {
        let adapter = MainActorTarget(view)
        self.init(
            PhotoRecords(records), steps: steps, on: .main, target: adapter, keeping: adapter,
            configuration: configuration, logger: logger, events: events)
    }

    package convenience init(
        _ records: PhotoRecords, steps: PhotoSteps, on mainQueue: SerialMainQueue,
        target: (any ReloadTarget)?, configuration: Configuration, logger: Logger, events: SessionEvents
    ) {
        self.init(
            records, steps: steps, on: mainQueue, target: target, keeping: nil,
            configuration: configuration, logger: logger, events: events)
    }

    /// - Parameter adapter: the target, if the session must retain it.
    private init(
        _ records: PhotoRecords, steps: PhotoSteps, on mainQueue: SerialMainQueue,
        target: (any ReloadTarget)?, keeping adapter: MainActorTarget?, configuration: Configuration,
        logger: Logger, events: SessionEvents
    ) {
        let streams = EventStreams()
        self.records = records
        self.mainQueue = mainQueue
        self.streams = streams
        queues = BackgroundQueues(
            concurrentDownloads: configuration.concurrentDownloads,
            concurrentFiltrations: configuration.concurrentFiltrations)
        scheduler = SessionScheduler(
            records, steps: steps, configuration: configuration, on: mainQueue, queues, target: target,
            keeping: adapter, logger: logger, events: events, streams: streams)
    }

    deinit {
        streams.finish()
        mainQueue.add { [scheduler] in scheduler.abandon() }
    }

    /// Works on all unfinished photos in the configured order. Continues a session that was cancelled. Photos whose
    /// images were released beyond the limits are done.
    ///
    /// With a priority below normal, the work goes on in the background when `show(visible:)` is called, which
    /// ends it otherwise. Photos in view come first. In the background at most half of the window is in
    /// flight; a photo that has begun when it leaves the view goes on.
    ///
    /// - Parameter priority: priority among the queues' waiting operations.
    public func start(priority: Operation.QueuePriority = .normal) {
        mainQueue.add { [scheduler] in scheduler.start(priority) }
    }

    /// Downloads a photo if it is new, then filters it, also if its image was released. Does nothing for a photo that
    /// is filtered or has failed.
    ///
    /// - Parameter priority: priority among the queue's waiting operations, including earlier ones of this
    ///   photo.
    public func startOperations(for item: Int, priority: Operation.QueuePriority = .normal) {
        mainQueue.add { [scheduler] in scheduler.start(item, priority) }
    }

    /// Starts a failed photo again from its initial state, whether it is in view or not. Does nothing for other
    /// photos.
    ///
    /// - Parameter priority: as for `startOperations`.
    public func retry(_ item: Int, priority: Operation.QueuePriority = .normal) {
        mainQueue.add { [scheduler] in scheduler.retry(item, priority) }
    }

    /// Replaces the steps, for another filter: filtered photos are downloaded again, or new if their
    /// downloaded image was not kept, and so are photos whose filter has failed. Reloads the view.
    ///
    /// Filters in progress are cancelled and begin again. Photos in view are filtered first, then those of a
    /// `start` that has not ended; others when they come into view or are started. Once this call has taken
    /// effect on the serial main queue, no result of the previous filter appears.
    public func refilter(with steps: PhotoSteps) {
        mainQueue.add { [scheduler] in scheduler.refilter(with: steps) }
    }

    /// Replaces the steps, where they differ from the former ones for one photo only: that one is filtered again at once, others
    /// stay as they are. Does nothing to a photo that has not begun.
    public func refilter(_ item: Int, with steps: PhotoSteps) {
        mainQueue.add { [scheduler] in scheduler.refilter(item, with: steps) }
    }

    /// Whether an operation of the photo waits in a queue or runs, as for a spinner. False in the photo's last
    /// `reload(item:)`, true in one that another step follows. Any thread may ask.
    public func isBusy(_ item: Int) -> Bool { scheduler.busy.withLock { $0.contains(item) } }

    /// Appends photos and reloads the view, for a list that arrives while the view is shown.
    ///
    /// A running `start` includes them. Otherwise call `start` again.
    ///
    /// - Precondition: the session's records are kept, not made on demand.
    public func append(_ records: [PhotoRecord]) {
        mainQueue.add { [scheduler] in scheduler.append(records) }
    }

    /// Appends one photo.
    ///
    /// - Precondition: the session's records are kept, not made on demand.
    public func append(_ record: PhotoRecord) { append([record]) }

    /// Works only on the photos in view: cancels photos that left it, starts photos that entered it. From
    /// then on only photos in view are reloaded; a view reads a record when its photo enters.
    ///
    /// A `start` with a priority below normal goes on behind the photos in view.
    ///
    /// - Parameter visible: indices of records.
    public func show(visible: Set<Int>) {
        mainQueue.add { [scheduler] in scheduler.show(visible, latest: []) }
    }

    /// Does the same for several views at once.
    ///
    /// - Parameter latest: those in the view that was used last, which come before the others.
    package func show(visible: Set<Int>, latest: Set<Int>) {
        mainQueue.add { [scheduler] in scheduler.show(visible, latest: latest) }
    }

    /// Holds back operations that have not begun. Running operations and reloads go on.
    public func suspend() {
        mainQueue.add { [queues] in queues.suspend(true) }
    }

    /// Ends a suspension: operations begin again.
    public func resume() {
        mainQueue.add { [queues] in queues.suspend(false) }
    }

    /// Starts nothing more, and cancels everything in progress, including reloads. Ends a suspension, because
    /// suspended operations would never finish.
    public func cancel() {
        mainQueue.add { [scheduler] in scheduler.stop() }
    }

    /// Cancels everything, puts all records back into their initial state, and reloads the view.
    public func reset() {
        mainQueue.add { [scheduler] in scheduler.reset() }
    }

    /// Starts nothing more, effective immediately. Call it on the serial main queue only.
    package func beginNoMore() { scheduler.beginNoMore() }

    /// Waits until nothing is in progress and nothing is left to begin.
    package func waitForRest() async {
        await withCheckedContinuation { continuation in
            mainQueue.add { [scheduler] in scheduler.whenRested { _ in continuation.resume() } }
        }
    }

    // MARK: async

    /// A new stream of all later events, in order. It ends when the session is released.
    ///
    /// A reader that keeps up gets all of them. For one that falls behind, events wait, at most a few for each photo:
    /// of several about the same photo, the network or the rest, only the last stays.
    public var events: AsyncStream<Event> { streams.makeStream() }

    /// Works on all unfinished photos like `start`, and waits until the session rests. Cancelling the Swift
    /// task cancels the session.
    ///
    /// - Returns: how many photos are filtered, released, failed and not done. A photo that fails does not throw.
    /// - Throws: `CancellationError` if the task was cancelled.
    public func run() async throws -> SessionSummary {
        let isCancelled = Locked(false)
        let summary = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mainQueue.add { [scheduler] in
                    if !isCancelled.withLock({ $0 }) { scheduler.start(.normal) }
                    scheduler.whenRested { continuation.resume(returning: $0) }
                }
            }
        } onCancel: {
            isCancelled.withLock { $0 = true }
            cancel()
        }
        try Task.checkCancellation()
        return summary
    }
}
