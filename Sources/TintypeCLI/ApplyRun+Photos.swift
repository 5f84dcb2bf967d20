import Foundation
import Tintype

/// A run's photos: where they come from, and where their outputs go.
extension ApplyRun {
    /// Nil where nothing can have an address; lists, which are not read yet, may name some.
    func makeDownloader() throws -> PhotoDownloader? {
        let hasAddress = try command.parsedInputs().contains { if case .address = $0 { true } else { false } }
        guard hasAddress || !command.filesFrom.isEmpty || command.retriesAll else { return nil }
        var configuration = DownloaderConfiguration()
        configuration.userAgent = "tintype/\(Version.number)"
        configuration.retry.retries = command.retry
        configuration.byteLimit = command.maxDownload.byteCount
        configuration.certificateFile = command.caFile
        return try PhotoDownloader(configuration)
    }

    private func collect(through downloader: PhotoDownloader?) throws -> InputCollector {
        var collector = InputCollector(outputFolder: destination.folder, globs: command.globs)
        collector.collect(try command.parsedInputs())
        for list in try command.parsedLists() {
            switch list {
            case .standardInput: collector.collect(try PhotoList(path: "-"), named: "standard input")
            case .path(let path): collector.collect(try PhotoList(path: path), named: path)
            case .address(let url):
                guard let downloader else { continue }
                let name = PhotoRecord(url: url).name
                collector.collect(try downloader.listWaiting(at: url, name: name), named: name)
            }
        }
        collector.nameEntries()
        return collector
    }

    /// The output folder's; nil where there is none, or nothing is to be written.
    func openJournal(for jobs: [PhotoJob]) throws -> Journal? {
        guard keepsJournal, case .folder(let folder) = destination, !command.dryRun, !jobs.isEmpty else {
            return nil
        }
        let journal = try Journal(outputFolder: folder)
        try journal.claim(recipe: recipe.canonicalText, overwrites: command.overwrite)
        return journal
    }

    /// Whether the run has a folder for a journal, and `--no-journal` was not given.
    var keepsJournal: Bool {
        guard case .folder = destination else { return false }
        return !command.noJournal
    }

    /// Finds the photos, and gives each its output.
    func plan(through downloader: PhotoDownloader?) throws -> (plan: OutputPlan, PassedOver) {
        if command.retriesAll, case .folder(let folder) = destination {
            return (try OutputPlan(retryingIn: folder), PassedOver())
        }
        var collector = try collect(through: downloader)
        let planner = OutputPlanner(
            destination, recipe: recipe, overwrites: command.overwrite,
            skipsExisting: command.skipExisting, hasJournal: keepsJournal)
        var plan = try planner.plan(takingFrom: &collector)
        plan.failures = collector.failures + plan.failures
        return (plan, collector.passedOver)
    }

    func hasFailed(_ job: PhotoJob, _ journal: Journal?) throws -> Bool {
        guard let journal else { return false }
        return try journal.failedLast(journal.outputName(of: job.output.path))
    }
}
