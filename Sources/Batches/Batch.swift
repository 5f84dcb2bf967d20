import Dispatch
import Foundation
import Logging
import SystemPackage
import TintypeDownload
import TintypeFilters
import TintypeJournals
import TintypeOperations
import TintypePhotos
import TintypeSessions

/// Filters the photos of a run into their outputs, with a `PhotoSession` and the journal of the output
/// folder.
///
/// A photo with an address is downloaded first. The view is reloaded after the download and after the filter.
// @unchecked: the variables are used on the serial main queue only; everything else is immutable and
// Sendable.
public final class Batch: @unchecked Sendable {
    /// Handlers of a run's events, called on the serial main queue.
    public struct Events: Sendable {
        /// A photo was filtered or skipped, or has failed. Called a second time, with `isRemade`, for an output that was made
        /// again.
        public var result: @Sendable (PhotoResult) -> Void
        /// A device was found to give wrong pixels, so these outputs that it has made may be wrong. They are made again
        /// once all photos have a result, if a device is left and the run is not stopped.
        public var suspects: @Sendable (_ device: String, _ paths: [String]) -> Void = { _, _ in }
        /// These outputs may be wrong, and a later run would take them as right. Called before `finished`.
        public var unknownSuspects: @Sendable (_ paths: [String]) -> Void = { _ in }
        /// The run has ended. `notDone` counts photos without a result, which only a stopped run has.
        public var finished: @Sendable (_ notDone: Int) -> Void

        public init(
            result: @escaping @Sendable (PhotoResult) -> Void, finished: @escaping @Sendable (Int) -> Void
        ) {
            self.result = result
            self.finished = finished
        }
    }

    /// The number of photos in flight. More cost time at each finish; fewer may leave workers or the network
    /// idle.
    static func window(concurrentPhotoCount: Int, downloads: Bool) -> Int {
        min(max(4 * concurrentPhotoCount, downloads ? 64 : 16), PhotoSession.windowLimit)
    }

    let jobs: [PhotoJob]
    let settings: Settings
    let events: Events
    let workers: PhotoWorkers
    /// Nil keeps planned names.
    let formatNames: FormatNames?
    /// What is done with every photo, as journals record it.
    let recipeText: String
    private let mainQueue: SerialMainQueue
    private weak var view: (any ReloadTarget)?
    /// What the session reloads, which holds it weakly.
    private var target: JobTarget?
    /// What decides on the outputs of the photos in flight, by item.
    var entries: [Int: any OutputEntry] = [:]
    private var session: PhotoSession?
    /// Photos that another run had claimed. They are tried again, because that run may die.
    private(set) var elsewhere: [Int] = []
    private var waiting: (since: ContinuousClock.Instant, count: Int)?
    private(set) var isStopped = false
    private var isSuspended = false
    private var resultCount = 0
    var suspects = SuspectOutputs()
    /// Outputs that have other names than planned, by job.
    private var renamed: [Int: PhotoJob.Output] = [:]
    /// Whether outputs are made again, as they may be wrong.
    var isRemaking = false
    /// The jobs of the current session; nil if it has all.
    private var chosen: Set<Int>?
    /// Consecutive photos that could not be written to disk.
    private var diskFailureCount = 0

    /// The run stops after this many consecutive disk failures. Chosen by eye.
    private static let toleratedDiskFailures = 3
    /// Delay before photos claimed by another run are tried again. Chosen by eye.
    private static let pauseBetweenLooks = DispatchTimeInterval.milliseconds(200)

    /// - Parameters:
    ///   - mainQueue: the queue of events and reloads.
    ///   - view: is reloaded as photos change; held weakly. Its items are indices of `jobs`. A photo with several outputs has
    ///     the index of its first job; where only some of its outputs are tried or made again, of the first of these.
    public init(
        _ jobs: [PhotoJob], _ settings: Settings, on mainQueue: SerialMainQueue,
        view: (any ReloadTarget)? = nil, events: Events
    ) {
        self.jobs = jobs
        self.settings = settings
        formatNames = settings.planner.map { FormatNames($0, jobs, otherInputs: settings.otherInputs) }
        recipeText = settings.recipes.canonicalText
        workers = PhotoWorkers(
            max(1, settings.concurrentPhotoCount), publishing: settings.pipeline.diskSync.waitingCount)
        self.mainQueue = mainQueue
        self.view = view
        self.events = events
    }

    /// Starts the run and returns at once. Call it only once.
    public func start() {
        mainQueue.add { [self] in
            guard !isStopped else { return finish() }
            cleanPartials()
            work()
        }
    }

    /// Starts a run and yields each result as it comes; a second one for an output that was made again. Ending the iteration early cancels the run.
    public static func results(of jobs: [PhotoJob], _ settings: Settings) -> AsyncStream<PhotoResult> {
        AsyncStream { continuation in
            let events = Events(
                result: { continuation.yield($0) }, finished: { _ in continuation.finish() })
            let batch = Batch(jobs, settings, on: .makePrivate(), events: events)
            continuation.onTermination = { reason in
                if case .cancelled = reason { batch.cancel() }
            }
            batch.start()
        }
    }

    /// Starts no more photos, and cancels those in progress: downloads at once, filters within a strip. Call
    /// it after `start`, from any thread.
    public func cancel() {
        mainQueue.add { [self] in stop() }
    }

    /// Holds back photos that have not begun; those at work are finished. Call it from any thread.
    public func suspend() {
        mainQueue.add { [self] in
            isSuspended = true
            session?.suspend()
        }
    }

    /// Ends a suspension.
    public func resume() {
        mainQueue.add { [self] in
            isSuspended = false
            session?.resume()
        }
    }

    private func stop() {
        isStopped = true
        // `cancel` only takes effect in a later block of the main queue.
        session?.beginNoMore()
        session?.cancel()
    }

    /// - Parameter items: indices of the jobs to work on; nil is all of them.
    private func makeSession(_ items: [Int]? = nil) -> PhotoSession {
        var configuration = PhotoSession.Configuration()
        // Most of the additional ones wait for the network.
        configuration.concurrentFiltrations =
            workers.threadCount + (settings.objectStore == nil ? 0 : ObjectStore.concurrentTransferCount)
        configuration.window = Self.window(
            concurrentPhotoCount: settings.concurrentPhotoCount,
            downloads: settings.downloader != nil || settings.objectStore != nil)
        configuration.keepsFilteredImages = false
        var events = SessionEvents()
        events.ended = { [self] record, operation in
            guard case .success = operation.imageResult else { return }
            for (item, outcome) in zip(members(of: record), operation.outcomes) {
                if let error = outcome.error {
                    fail(item, error, outcome.report)
                } else {
                    end(item, outcome.report)
                }
            }
        }
        events.failed = { [self] record, error, report in
            for item in members(of: record) {
                // A photo that cannot be had matters only to the outputs that need it.
                if let skip = entries[item]?.verdict?.skip {
                    var skipped = FilterReport()
                    skipped.skip = skip
                    skipped.output = entries[item]?.output
                    end(item, skipped)
                } else {
                    fail(item, error, report)
                }
            }
        }
        events.rested = { [self] _ in
            entries = [:]
            session = nil
            lookAgainOrFinish()
        }
        var steps = PhotoSteps(download: { [self] in download($0) }, filter: { [self] in filter($0) })
        steps.decrypt = { [self] in decrypt($0) }
        chosen = items.map(Set.init)
        let items = firstJobs(of: items)
        let records = PhotoRecords(count: items.count) { [jobs] in
            PhotoRecord(jobs[items[$0]].photo, job: items[$0])
        }
        target = view.map { JobTarget($0, items: items) }
        return PhotoSession(
            records, steps: steps, on: mainQueue, target: target, configuration: configuration,
            logger: settings.logger, events: events)
    }

    /// The first job of each photo among `items`; nil is all jobs.
    private func firstJobs(of items: [Int]?) -> [Int] {
        var firsts: [Int] = [], last: Int?
        for item in items ?? Array(jobs.indices) {
            if last.map({ isOnePhoto($0, item) }) != true { firsts.append(item) }
            last = item
        }
        return firsts
    }

    /// Whether a job makes a further output of the same photo as an earlier one.
    private func isOnePhoto(_ earlier: Int, _ item: Int) -> Bool {
        jobs[item].variant > jobs[earlier].variant
            && jobs[item].photo.identity == jobs[earlier].photo.identity
    }

    /// The jobs of a record's photo that are in the current session.
    func members(of record: PhotoRecord) -> [Int] {
        guard let first = record.job else { return [] }
        let others = jobs[first...].indices.dropFirst().prefix { isOnePhoto($0 - 1, $0) }
        return [first] + others.filter { chosen?.contains($0) ?? true }
    }

    /// Ends the run if the disk is likely to fail the other photos as well.
    private func stopIfDiskFailed(_ error: PhotoError) {
        switch error.diskTrouble {
        case .full: stop()
        case .failing:
            diskFailureCount += 1
            if diskFailureCount >= Self.toleratedDiskFailures { stop() }
        case nil: break
        }
    }

    /// Tries photos again that another run had claimed, or finishes the run if there are none. Once the other
    /// run has filtered them they are up to date; if it has died, they are filtered here.
    private func lookAgainOrFinish() {
        guard !isStopped, !elsewhere.isEmpty, waitsForOthers() else { return remakeOrFinish() }
        lookLater { [self] in
            guard !isStopped else { return finish() }
            let items = elsewhere.sorted()
            elsewhere = []
            work(on: items)
        }
    }

    func lookLater(_ look: @escaping @Sendable () -> Void) {
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pauseBetweenLooks) { [mainQueue] in
            mainQueue.add(look)
        }
    }

    func work(on items: [Int]? = nil) {
        let session = makeSession(items)
        self.session = session
        if isSuspended { session.suspend() }
        session.start()
    }

    private func waitsForOthers() -> Bool {
        if waiting == nil {
            settings.logger.warning("Waiting for photos that another run is filtering: \(elsewhere.count).")
        }
        if let waiting, waiting.count == elsewhere.count {
            return waiting.since.duration(to: .now) < settings.claimPatience
        }
        waiting = (.now, elsewhere.count)
        return true
    }

    func finish() {
        if !isStopped {
            for item in elsewhere { report(item, .skipped(.claimedElsewhere)) }
        }
        elsewhere = []
        noteSuspects()
        if !suspects.takenAsRight.isEmpty { events.unknownSuspects(suspects.takenAsRight) }
        cleanPartials()
        workers.run { [self] in
            do throws(Errno) {
                try settings.pipeline.diskSync.finish()
            } catch {
                settings.logger.warning(
                    """
                    The last outputs may lose their names if power fails: the disk reports "\(error)". Check it.
                    """
                )
            }
            mainQueue.add { [self] in events.finished(jobs.count - resultCount) }
        }
    }

    private func report(_ item: Int, _ status: PhotoResult.Status, _ report: FilterReport = FilterReport()) {
        var result = PhotoResult(job(item), status: status, report)
        result.isRemade = suspects.remade.contains(item)
        if !result.isRemade { resultCount += 1 }
        events.result(result)
    }

    private func cleanPartials() {
        guard settings.downloader != nil, let journal = settings.journal else { return }
        PartialDownloads.clean(journal.partialsFolder)
    }

    /// A job with the output's name as it is now.
    func job(_ item: Int) -> PhotoJob {
        let job = jobs[item]
        guard let output = renamed[item] else { return job }
        var renamed = job
        renamed.output = output
        return renamed
    }

    private func noteName(_ item: Int, _ report: FilterReport) {
        if let output = report.output, output != jobs[item].output { renamed[item] = output }
    }

    private func end(_ item: Int, _ report: FilterReport) {
        entries[item] = nil
        noteName(item, report)
        if report.skip == nil { diskFailureCount = 0 }
        if report.skip == .claimedElsewhere { return elsewhere.append(item) }
        suspects.end(item, job(item).output.path, on: report.device)
        noteSuspects()
        self.report(item, report.skip.map(PhotoResult.Status.skipped) ?? .done, report)
    }

    private func fail(_ item: Int, _ error: PhotoError, _ report: FilterReport) {
        entries[item] = nil
        noteName(item, report)
        noteSuspects()
        suspects.fail(item, job(item).output.path)
        self.report(item, .failed(error), report)
        stopIfDiskFailed(error)
    }
}

/// Passes reloads of a session's records on to a view of all jobs.
private final class JobTarget: ReloadTarget {
    private weak let view: (any ReloadTarget)?
    private let items: [Int]

    /// - Parameter items: the jobs of the records.
    init(_ view: any ReloadTarget, items: [Int]) {
        self.view = view
        self.items = items
    }

    func reloadAll() { view?.reloadAll() }
    func reload(item: Int) { view?.reload(item: items[item]) }
}
