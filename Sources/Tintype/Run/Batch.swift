import Download
import Foundation
import Logging

/// Filters the photos of a run into their outputs: a session of records, and the journal of their folder.
///
/// Each photo is downloaded where it has an address, then filtered; the session's view is reloaded after
/// either.
// @unchecked: `entries` and `isStopped` are touched on the serial main queue only; everything else is
// immutable and Sendable.
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
        public var logger = Logger(label: "tintype")

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
    private let workers: BatchWorkers
    private let mainQueue: SerialMainQueue
    private weak var view: (any ReloadTarget)?
    /// Of the photos in flight, by item.
    private var entries: [Int: JournalEntry] = [:]
    private var session: PhotoSession?

    /// - Parameter view: is reloaded; it is not kept.
    public init(
        _ jobs: [PhotoJob], _ settings: Settings, on mainQueue: SerialMainQueue,
        view: (any ReloadTarget)? = nil, events: Events
    ) {
        self.jobs = jobs
        self.settings = settings
        workers = BatchWorkers(settings.concurrentPhotoCount)
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

    /// Takes no more photos, and cancels those at work: downloads at once, filters within a strip. From any
    /// thread, after `start`.
    public func cancel() {
        mainQueue.add { [self] in session?.cancel() }
    }

    private func makeSession() -> PhotoSession {
        var configuration = PhotoSession.Configuration()
        configuration.concurrentFiltrations = workers.threadCount
        configuration.window = Self.window(
            concurrentPhotoCount: settings.concurrentPhotoCount, downloads: settings.downloader != nil)
        configuration.keepsFilteredImages = false
        var events = SessionEvents()
        events.filtered = { [self] record, operation in
            let report = (operation as? FilterOperation)?.report ?? FilterReport()
            end(record, report.skip.map(PhotoResult.Status.skipped) ?? .done, report)
        }
        events.failed = { [self] record, error, operation in
            end(record, .failed(error), (operation as? FilterOperation)?.report ?? FilterReport())
            // The others would find the disk full too.
            if case .diskFull = error {
                session?.beginNoMore()
                cancel()
            }
        }
        events.rested = { [self] summary in
            entries = [:]
            session = nil
            cleanPartials()
            self.events.finished(summary.notDone)
        }
        let steps = PhotoSteps(download: { [self] in download($0) }, filter: { [self] in filter($0) })
        let records = PhotoRecords(count: jobs.count) { [jobs] in PhotoRecord(jobs[$0].photo, job: $0) }
        return PhotoSession(
            records, steps: steps, on: mainQueue, target: view, configuration: configuration,
            logger: settings.logger, events: events)
    }

    private func cleanPartials() {
        guard settings.downloader != nil, let journal = settings.journal else { return }
        PartialDownloads.clean(journal.partialsFolder)
    }

    private func end(_ record: PhotoRecord, _ status: PhotoResult.Status, _ report: FilterReport) {
        guard let item = record.job else { return }
        entries[item] = nil
        events.result(PhotoResult(jobs[item], status: status, report))
    }

    private func download(_ record: PhotoRecord) -> any ImageDataProvider {
        guard let downloader = settings.downloader else {
            preconditionFailure("photos with addresses need a downloader")
        }
        return DownloadOperation(
            record.url, through: downloader, name: record.name, entry: entry(of: record),
            logger: settings.logger)
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
            overwrites: settings.pipeline.overwrites, logger: settings.logger)
        entries[item] = entry
        return entry
    }
}
