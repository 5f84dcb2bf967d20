import Dispatch
import Download
import Foundation
import Journals
import Logging
import Operations
import Photos

/// Filters the photos of a run into their outputs: a session of records, and the journal of their folder.
///
/// Each photo is downloaded where it has an address, then filtered; the session's view is reloaded after
/// either.
// @unchecked: the variables are touched on the serial main queue only; everything else is immutable and
// Sendable.
public final class Batch: @unchecked Sendable {
    /// What happens as photos are done; all of it on the serial main queue.
    public struct Events: Sendable {
        /// One photo is done, was skipped, or has failed.
        public var result: @Sendable (PhotoResult) -> Void
        /// Nothing is at work any more. Photos that were not done follow from a run that was stopped.
        public var finished: @Sendable (_ notDone: Int) -> Void

        public init(
            result: @escaping @Sendable (PhotoResult) -> Void, finished: @escaping @Sendable (Int) -> Void
        ) {
            self.result = result
            self.finished = finished
        }
    }

    /// What the photos of a run have in common.
    public struct Settings: Sendable {
        public var pipeline: PhotoPipeline
        public var devices: DevicePool
        /// Nil where no photo has an address.
        public var downloader: PhotoDownloader?
        /// The output folder's; nil keeps none.
        public var journal: Journal?
        /// Photos that are filtered at once, at least 1.
        public var concurrentPhotoCount: Int
        /// Whether a photo is left alone where a journal's folder has something under its output's name that
        /// this run would not replace. Without it, such a photo fails.
        public var skipsExisting = false
        public var logger = Logger(label: "tintype")
        /// How long photos that another run is at are waited for while none of them gets done. Chosen to outlast a
        /// large photo or a slow download.
        var claimPatience = Duration.seconds(600)

        public init(
            through pipeline: PhotoPipeline, on devices: DevicePool, downloader: PhotoDownloader? = nil,
            journal: Journal? = nil, concurrentPhotoCount: Int
        ) {
            self.pipeline = pipeline
            self.devices = devices
            self.downloader = downloader
            self.journal = journal
            self.concurrentPhotoCount = concurrentPhotoCount
        }
    }

    /// Photos that wait or work at once. More cost time on every finish; fewer could leave workers, or the
    /// network, without work.
    static func window(concurrentPhotoCount: Int, downloads: Bool) -> Int {
        min(max(4 * concurrentPhotoCount, downloads ? 64 : 16), PhotoSession.windowLimit)
    }

    private let jobs: [PhotoJob]
    private let settings: Settings
    private let events: Events
    private let workers: PhotoWorkers
    private let mainQueue: SerialMainQueue
    private weak var view: (any ReloadTarget)?
    /// Of the photos in flight, by item.
    private var entries: [Int: JournalEntry] = [:]
    private var session: PhotoSession?
    /// Photos that another run was at when their turn came. It may die before it has done them.
    private var elsewhere: [Int] = []
    private var waiting: (since: ContinuousClock.Instant, count: Int)?
    private var isStopped = false
    /// Photos in a row that the disk did not take.
    private var diskFailureCount = 0

    /// This many photos in a row show that it is the disk. Chosen by eye.
    private static let toleratedDiskFailures = 3
    /// Until the photos of another run are looked at again. Chosen by eye.
    private static let pauseBetweenLooks = DispatchTimeInterval.milliseconds(200)

    /// - Parameter view: is reloaded; it is not kept.
    public init(
        _ jobs: [PhotoJob], _ settings: Settings, on mainQueue: SerialMainQueue,
        view: (any ReloadTarget)? = nil, events: Events
    ) {
        self.jobs = jobs
        self.settings = settings
        workers = PhotoWorkers(settings.concurrentPhotoCount)
        self.mainQueue = mainQueue
        self.view = view
        self.events = events
    }

    /// Starts to work; `events` tell the rest. Once only.
    public func start() {
        mainQueue.add { [self] in
            cleanPartials()
            let session = makeSession()
            self.session = session
            session.start()
        }
    }

    /// Works on photos, and yields each result as it comes. Ending the iteration early cancels the run.
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

    /// Takes no more photos, and cancels those at work: downloads at once, filters within a strip. From any
    /// thread, after `start`.
    public func cancel() {
        mainQueue.add { [self] in stop() }
    }

    private func stop() {
        isStopped = true
        // What has not begun is left at once, and not only when the cancelling has its turn.
        session?.beginNoMore()
        session?.cancel()
    }

    /// - Parameter items: the photos to work on; nil is all of them.
    private func makeSession(_ items: [Int]? = nil) -> PhotoSession {
        var configuration = PhotoSession.Configuration()
        configuration.concurrentFiltrations = workers.threadCount
        configuration.window = Self.window(
            concurrentPhotoCount: settings.concurrentPhotoCount, downloads: settings.downloader != nil)
        configuration.keepsFilteredImages = false
        var events = SessionEvents()
        events.filtered = { [self] record, operation in
            let report = (operation as? FilterOperation)?.report ?? FilterReport()
            if report.skip == nil { diskFailureCount = 0 }
            end(record, report.skip.map(PhotoResult.Status.skipped) ?? .done, report)
        }
        events.failed = { [self] record, error, operation in
            end(record, .failed(error), (operation as? FilterOperation)?.report ?? FilterReport())
            stopIfDiskFailed(error)
        }
        events.rested = { [self] summary in
            entries = [:]
            session = nil
            lookAgainOrFinish(notDone: summary.notDone)
        }
        let steps = PhotoSteps(download: { [self] in download($0) }, filter: { [self] in filter($0) })
        let records = PhotoRecords(count: items?.count ?? jobs.count) { [jobs] in
            let item = items?[$0] ?? $0
            return PhotoRecord(jobs[item].photo, job: item)
        }
        return PhotoSession(
            records, steps: steps, on: mainQueue, target: view, configuration: configuration,
            logger: settings.logger, events: events)
    }

    /// Ends the run where the other photos would hardly do better.
    private func stopIfDiskFailed(_ error: PhotoError) {
        switch error.diskTrouble {
        case .full: stop()
        case .failing:
            diskFailureCount += 1
            if diskFailureCount >= Self.toleratedDiskFailures { stop() }
        case nil: break
        }
    }

    /// Everything that could be done is done. What another run was at is looked at again, until it is done or that
    /// run has died: then it is done here.
    private func lookAgainOrFinish(notDone: Int) {
        guard !isStopped, !elsewhere.isEmpty, waitsForOthers() else { return finish(notDone: notDone) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.pauseBetweenLooks) { [self] in
            mainQueue.add { [self] in
                guard !isStopped else { return finish(notDone: 0) }
                let items = elsewhere
                elsewhere = []
                let session = makeSession(items)
                self.session = session
                session.start()
            }
        }
    }

    private func waitsForOthers() -> Bool {
        if waiting == nil {
            settings.logger.warning("Waiting for photos that another run is at: \(elsewhere.count).")
        }
        if let waiting, waiting.count == elsewhere.count {
            return waiting.since.duration(to: .now) < settings.claimPatience
        }
        waiting = (.now, elsewhere.count)
        return true
    }

    private func finish(notDone: Int) {
        var notDone = notDone
        for item in elsewhere {
            if isStopped {
                notDone += 1
            } else {
                events.result(PhotoResult(jobs[item], status: .skipped(.claimedElsewhere)))
            }
        }
        elsewhere = []
        cleanPartials()
        events.finished(notDone)
    }

    private func cleanPartials() {
        guard settings.downloader != nil, let journal = settings.journal else { return }
        PartialDownloads.clean(journal.partialsFolder)
    }

    private func end(_ record: PhotoRecord, _ status: PhotoResult.Status, _ report: FilterReport) {
        guard let item = record.job else { return }
        entries[item] = nil
        if status == .skipped(.claimedElsewhere) { return elsewhere.append(item) }
        events.result(PhotoResult(jobs[item], status: status, report))
    }

    private func download(_ record: PhotoRecord) -> any ImageDataProvider {
        guard let downloader = settings.downloader else {
            preconditionFailure("photos with addresses need a downloader")
        }
        return DownloadOperation(
            record.url, through: downloader, name: record.name, requiresPhoto: true,
            entry: entry(of: record), logger: settings.logger)
    }

    private func filter(_ record: PhotoRecord) -> any ImageDataProvider {
        var pipeline = settings.pipeline
        var output: PhotoJob.Output?
        if let item = record.job {
            output = jobs[item].output
            // Its output was named before anybody had seen its bytes.
            if case .address = jobs[item].photo.location {
                pipeline.recipe.format = pipeline.recipe.outputFormat(for: jobs[item].photo.format)
            }
        }
        return FilterOperation(
            pipeline, settings.devices, name: record.name, image: record.image, output: output,
            entry: entry(of: record), workers: workers, logger: settings.logger)
    }

    /// The photo's entry; nil where no journal is kept.
    private func entry(of record: PhotoRecord) -> JournalEntry? {
        guard let journal = settings.journal, let item = record.job,
            case .file(let path) = jobs[item].output
        else { return nil }
        if let entry = entries[item] { return entry }
        let entry = JournalEntry(
            journal, jobs[item].photo, output: path, recipe: settings.pipeline.recipe.canonicalText,
            overwrites: settings.pipeline.overwrites, skipsExisting: settings.skipsExisting,
            logger: settings.logger)
        entries[item] = entry
        return entry
    }
}
