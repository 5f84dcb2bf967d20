import Files
import Foundation
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
// @unchecked: the variables are touched on the serial main queue only; everything else is immutable and
// Sendable.
public final class PhotoSession: @unchecked Sendable {
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
    let configuration: Configuration
    let steps: PhotoSteps
    let events: SessionEvents
    let logger: Logger
    weak var target: (any ReloadTarget)?

    var agenda = Agenda()
    var inProgress = OperationsInProgress()
    /// Items to begin anew as soon as their cancelled operation has ended.
    var restarts: Set<Int> = []
    /// Whether there is something to do, so that the end of it is an event.
    var isBusy = false
    /// Made when the first image has to wait.
    var parking: ParkingFolder?

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

    package init(
        _ records: PhotoRecords, steps: PhotoSteps, on mainQueue: SerialMainQueue,
        target: (any ReloadTarget)?, configuration: Configuration, logger: Logger, events: SessionEvents
    ) {
        self.records = records
        self.steps = steps
        self.mainQueue = mainQueue
        self.target = target
        self.configuration = configuration
        self.logger = logger
        self.events = events
        queues = BackgroundQueues(
            concurrentDownloads: configuration.concurrentDownloads,
            concurrentFiltrations: configuration.concurrentFiltrations)
    }

    /// Works on all photos that are not done, in the configured order; goes on with a session that was
    /// cancelled.
    public func start() {
        mainQueue.add { [self] in
            isBusy = true
            agenda.begin(configuration.order == .barrier ? .downloads : .everything)
            fill()
        }
    }

    /// Downloads a photo that is new, and filters one that is downloaded; does nothing for one in progress or
    /// done.
    public func startOperations(for item: Int) {
        precondition(records.indices.contains(item), "there is no record \(item)")
        mainQueue.add { [self] in
            isBusy = true
            agenda.request(item)
            fill()
        }
    }

    /// Works on the photos in view and on no others: cancels what left the view, starts what entered it.
    public func show(visible: Set<Int>) {
        precondition(visible.allSatisfy(records.indices.contains), "there are fewer records")
        mainQueue.add { [self] in
            isBusy = true
            agenda.clear()
            restarts.formIntersection(visible)
            for item in inProgress.items where !visible.contains(item) { inProgress.cancel(item) }
            for item in visible.sorted() { agenda.request(item) }
            fill()
        }
    }

    /// Holds back what has not begun. What is at work goes on; reloads do too.
    public func suspend() {
        mainQueue.add { [self] in queues.suspend(true) }
    }

    public func resume() {
        mainQueue.add { [self] in queues.suspend(false) }
    }

    /// Begins nothing more, and cancels everything in progress, reloads too. Lifts a suspension: operations
    /// that a queue holds back would never end.
    public func cancel() {
        mainQueue.add { [self] in stop() }
    }

    /// Cancels, puts every record back to how it began, and has the view reload everything.
    public func reset() {
        mainQueue.add { [self] in
            isBusy = true
            stop()
            records.reset()
            reloadEverything()
        }
    }

    /// Begins nothing more, from now on and not from when its turn comes. On the serial main queue only.
    package func beginNoMore() { agenda.clear() }

    private func stop() {
        agenda.clear()
        restarts.removeAll()
        inProgress.cancelAll()
        queues.suspend(false)
        settle()
    }
}
