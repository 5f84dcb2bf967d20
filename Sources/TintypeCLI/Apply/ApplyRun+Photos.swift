import Foundation
import Tintype

/// What a run is to do, and what it needs for that besides devices.
struct RunPlan {
    let outputs: OutputPlan
    /// Files and folders that are no photos of the run.
    let passedOver: PassedOver
    /// Nil if no photo can have an address.
    let downloader: PhotoDownloader?
    /// Decrypts what is downloaded; nil takes it as it is.
    let key: DecryptionKey?
    /// Nil if outputs are files.
    let objectStore: ObjectStore?
    /// Nil without `--watch`.
    let watch: FolderWatch?
}

/// A run's photos: where they come from, and where their outputs go.
extension ApplyRun {
    /// Where the run's photos come from.
    func sources() throws -> PhotoSources {
        PhotoSources(
            inputs: try command.parsedInputs(), lists: try command.parsedLists(), flags: command.sources,
            globs: command.files.globs, followsLinks: command.files.followsLinks,
            outputFolder: destination.folder)
    }

    func makePlan() throws -> RunPlan {
        let mayDownload =
            try command.retriesAll || command.manifest != nil || sources().mayHaveAddresses
        let downloader = try mayDownload ? command.sources.makeDownloader() : nil
        let key = try command.sources.decryptionKey()
        let objectStore = try makeObjectStore()
        // Before the search, so that nothing is missed.
        let watch = try makeWatch()
        let (outputs, passedOver) = try plan(through: downloader)
        return RunPlan(
            outputs: outputs, passedOver: passedOver, downloader: downloader, key: key,
            objectStore: objectStore, watch: watch)
    }

    /// Whether the inputs have no photo, and none can follow.
    func lacksPhotos(_ plan: RunPlan) -> Bool {
        plan.outputs.isEmpty && plan.watch == nil && !command.retriesAll && command.manifest == nil
    }

    /// The output folder's; nil where there is none, or nothing is to be written.
    func openJournal(for jobs: [PhotoJob]) throws -> Journal? {
        guard keepsJournal, case .folder(let folder) = destination, !command.outputs.dryRun,
            !jobs.isEmpty || command.watch
        else {
            return nil
        }
        let journal: Journal
        if let manifest = command.manifest {
            let run = ShardRun(
                of: command.taken.shard, manifest: manifest.identifier, temporaries: temporaries)
            journal = try Journal(
                outputFolder: folder, shard: run,
                outputs: jobs.map { job throws(JournalError) in
                    try Journal.outputName(of: job.output.path, in: folder)
                }, sync: diskSync)
        } else {
            journal = try Journal(outputFolder: folder, sync: diskSync)
        }
        try journal.claim(recipe: settings.recipes.canonicalText, overwrites: command.outputs.overwrite)
        return journal
    }

    /// Where outputs become objects; nil if they do not.
    private func makeObjectStore() throws -> ObjectStore? {
        guard case .objects(let base, _) = destination, !command.outputs.dryRun else { return nil }
        let store = try ObjectStore(
            command.sources.downloaderConfiguration, acceptsEqualOutputs: command.manifest != nil)
        try store.checkBucket(of: base)
        return store
    }

    /// Whether the run has a folder for a journal, and `--no-journal` was not given.
    var keepsJournal: Bool {
        guard case .folder = destination else { return false }
        return !command.outputs.noJournal
    }

    /// Finds the photos, and gives each its output.
    func plan(through downloader: PhotoDownloader?) throws -> (plan: OutputPlan, PassedOver) {
        if let manifest = command.manifest {
            let plan = try OutputPlan(
                manifest, command.taken.shard, outputFolder: destination.place,
                root: command.shards.root?.absolutePath, outputCount: settings.outputs.count)
            return (plan, PassedOver())
        }
        if command.retriesAll, case .folder(let folder) = destination {
            let plan = try OutputPlan(
                retryingIn: folder, variants: settings.recipes.map(\.name), reading: .readable)
            return (plan, PassedOver())
        }
        var collector = try sources().collect(through: downloader)
        let planner = planner()
        var plan = try planner.plan(takingFrom: &collector)
        plan.failures = collector.failures + plan.failures
        if command.watch { plan.jobs.removeAll(where: isBeingWritten) }
        return (plan, collector.passedOver)
    }

    func planner(skipsExisting: Bool? = nil) -> OutputPlanner {
        OutputPlanner(
            destination, outputs: settings.outputs, overwrites: command.outputs.overwrite,
            skipsExisting: skipsExisting ?? command.outputs.skipExisting, hasJournal: keepsJournal)
    }

    /// What names outputs anew for the formats that downloads turn out to have; nil with a manifest, which has named them.
    var formatPlanner: OutputPlanner? {
        if command.manifest != nil { return nil }
        guard command.retriesAll else { return planner() }
        // The journal has whole names, whatever template has made them.
        return OutputPlanner(
            destination, recipe: Recipe(FilterChain([])), overwrites: command.outputs.overwrite,
            hasJournal: true)
    }

    /// The photos to be filtered: with `--retry-failed`, those whose last attempt failed.
    func jobs(of plan: OutputPlan, _ journal: Journal?) throws -> [PhotoJob] {
        guard command.outputs.retryFailed else { return plan.jobs }
        guard let journal else { return [] }
        return try plan.jobs.filter { try journal.failedLast(journal.outputName(of: $0.output.path)) }
    }
}
