import Files
import Foundation
import Locking
import Logging
import Resources

/// Downloads and filters photos on background queues, and has a view show them as they change.
///
/// The session owns its records and what is in progress for each of them. It hands the queues no more than a
/// window of photos at once, because Foundation's queues look through everything that waits whenever
/// something finishes.
///
/// All methods may be called from any thread. They return at once; what they ask for happens on the serial
/// main queue, in the order in which it was asked for, and so do the events and the view's reloads.
///
/// A downloaded image that is not yet filtered costs one file descriptor, of which there is a window at most:
/// images that wait behind a barrier are moved to a temporary folder of the session's.
public final class PhotoSession: Sendable {
    /// In which order `start` works. What is asked for item by item is always done per photo.
    public enum Order: Sendable {
        /// For each photo: download, reload it, filter, reload it.
        case perPhoto
        /// All downloads; one reload of everything; all filters, each with a reload of its photo.
        case barrier
    }

    public struct Configuration: Sendable {
        public var order = Order.perPhoto
        /// Photos in flight at once, at most `windowLimit`.
        public var window = PhotoSession.windowLimit
        /// A download does not hold a thread. The downloader has limits of its own, on transfers and hosts.
        public var concurrentDownloads = 16
        /// A filter holds a thread.
        public var concurrentFiltrations = AvailableMachine.current.processorCount
        /// False lets go of a filtered image as soon as its reload is over, for sets too large to keep.
        public var keepsFilteredImages = true

        public init() {}
    }

    /// More cost time whenever one finishes: measured at 3 ms for 10,000, and a few microseconds for this
    /// many.
    public static let windowLimit = 256

    public let records: PhotoRecords
    public let mainQueue: SerialMainQueue
    public let queues: BackgroundQueues
    private let scheduler: SessionScheduler
    private let streams: EventStreams

    /// - Parameters:
    ///   - mainQueue: the real main queue where the main thread runs its run loop, else a private one.
    ///   - target: the view; it is not kept.
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

    /// A session whose view is on the main actor. The main thread must run its run loop.
    ///
    /// - Parameter view: is not kept.
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

    /// - Parameter adapter: the target, where nobody else keeps it.
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
            keeping: adapter, logger: logger,
            emit: { event in
                events.handle(event)
                streams.yield(event)
            })
    }

    /// Works on all photos that are not done, in the configured order; goes on with a session that was
    /// cancelled.
    public func start() {
        mainQueue.add { [scheduler] in scheduler.start() }
    }

    /// Downloads a photo that is new, and filters one that is downloaded; does nothing for one that is done.
    ///
    /// - Parameter priority: among the operations that wait in a queue; it counts too for one that was asked for
    ///   before and has not begun.
    public func startOperations(for item: Int, priority: Operation.QueuePriority = .normal) {
        mainQueue.add { [scheduler] in scheduler.start(item, priority) }
    }

    /// Adds photos behind those that there are, and has the view reload everything: a list may arrive while the
    /// view is already shown. Work that is under way goes on with them; a session that rests is to be started
    /// again, and so is one that has passed its barrier.
    ///
    /// - Precondition: the session was made with records, not with a number of them.
    public func append(_ records: [PhotoRecord]) {
        mainQueue.add { [scheduler] in scheduler.append(records) }
    }

    /// Works on the photos in view and on no others: cancels what left the view, starts what entered it. From then
    /// on, only photos in view are reloaded; a view that scrolls reads the others' records when they enter it.
    public func show(visible: Set<Int>) {
        mainQueue.add { [scheduler] in scheduler.show(visible) }
    }

    /// Holds back what has not begun. What is at work goes on; reloads do too.
    public func suspend() {
        mainQueue.add { [queues] in queues.suspend(true) }
    }

    public func resume() {
        mainQueue.add { [queues] in queues.suspend(false) }
    }

    /// Begins nothing more, and cancels everything in progress, reloads too. Lifts a suspension: operations
    /// that a queue holds back would never end.
    public func cancel() {
        mainQueue.add { [scheduler] in scheduler.stop() }
    }

    /// Cancels, puts every record back to how it began, and has the view reload everything.
    public func reset() {
        mainQueue.add { [scheduler] in scheduler.reset() }
    }

    /// Begins nothing more, from now on and not from when its turn comes. On the serial main queue only.
    package func beginNoMore() { scheduler.beginNoMore() }

    // MARK: async

    /// What happens from now on, in order. Every call makes a stream of its own, which ends with the session's
    /// life.
    public var events: AsyncStream<Event> { streams.makeStream() }

    /// Works on all photos that are not done, as `start` does, and waits until the session rests. Cancelling the
    /// Swift task cancels the session.
    ///
    /// - Throws: `CancellationError` where the task was cancelled. A photo that fails is an event, and counted
    ///   in the result.
    public func run() async throws -> SessionSummary {
        let isCancelled = Locked(false)
        let summary = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                mainQueue.add { [scheduler] in
                    if !isCancelled.withLock({ $0 }) { scheduler.start() }
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
