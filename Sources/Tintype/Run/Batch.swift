import Foundation
import Logging
import Synchronization

/// Filters many photos: a few at a time, a bounded number in flight, each result reported on the main queue.
///
/// Foundation's queues rescan everything that waits whenever something finishes, so photos are handed to them
/// in a window that is refilled as results come in.
// @unchecked: `state` is touched on the serial main queue only; everything else is immutable and Sendable.
public final class Batch: @unchecked Sendable {
    /// What happens as photos are done; all of it on the main queue.
    public struct Events: Sendable {
        /// One photo is done, has failed, or was cancelled after it had been handed to the queue.
        public var result: @Sendable (PhotoResult) -> Void
        /// Nothing is at work any more. Jobs that were never taken follow from a cancelled run.
        public var finished: @Sendable (_ notTaken: Int) -> Void

        public init(
            result: @escaping @Sendable (PhotoResult) -> Void, finished: @escaping @Sendable (Int) -> Void
        ) {
            self.result = result
            self.finished = finished
        }
    }

    private struct State {
        var nextJob = 0
        var inFlight = 0
        var isStopped = false
        var isFinished = false
    }

    /// Photos that wait or work at once. More cost time on every finish; fewer could leave workers without
    /// work.
    static func window(concurrentPhotoCount: Int) -> Int { min(max(4 * concurrentPhotoCount, 16), 256) }

    private let jobs: [PhotoJob]
    private let pipeline: PhotoPipeline
    private let devices: DevicePool
    private let background: OperationQueue
    private let main: OperationQueue
    private let events: Events
    private let logger: Logger
    private let window: Int
    private var state = State()

    /// - Parameters:
    ///   - concurrentPhotoCount: photos that are filtered at once, at least 1.
    ///   - main: a serial queue.
    public init(
        _ jobs: [PhotoJob], through pipeline: PhotoPipeline, on devices: DevicePool,
        concurrentPhotoCount: Int,
        main: OperationQueue, logger: Logger = Logger(label: "tintype"), events: Events
    ) {
        self.jobs = jobs
        self.pipeline = pipeline
        self.devices = devices
        self.main = main
        self.events = events
        self.logger = logger
        window = Self.window(concurrentPhotoCount: concurrentPhotoCount)
        background = OperationQueue()
        background.name = "Image Filtration queue"
        background.maxConcurrentOperationCount = max(1, concurrentPhotoCount)
    }

    /// Starts to work; `events` tell the rest.
    public func start() {
        main.addOperation { self.fill() }
    }

    /// Takes no more photos, and cancels those at work: they end within a strip. From any thread.
    public func cancel() {
        main.addOperation { self.stop() }
    }

    private func stop() {
        state.isStopped = true
        background.cancelAllOperations()
        finishIfDone()
    }

    private func fill() {
        while !state.isStopped, state.inFlight < window, state.nextJob < jobs.count {
            take(jobs[state.nextJob])
            state.nextJob += 1
        }
        finishIfDone()
    }

    private func take(_ job: PhotoJob) {
        let filter = FilterOperation(job, through: pipeline, on: devices, logger: logger)
        let report = BlockOperation { [unowned filter] in
            self.report(filter.result ?? PhotoResult(job, status: .cancelled))
        }
        report.addDependency(filter)
        state.inFlight += 1
        background.addOperation(filter)
        main.addOperation(report)
    }

    private func report(_ result: PhotoResult) {
        state.inFlight -= 1
        events.result(result)
        // The others would find the disk full too.
        if case .failed(.diskFull) = result.status { stop() }
        fill()
    }

    private func finishIfDone() {
        let hasMore = !state.isStopped && state.nextJob < jobs.count
        guard state.inFlight == 0, !hasMore, !state.isFinished else { return }
        state.isFinished = true
        events.finished(jobs.count - state.nextJob)
    }
}
