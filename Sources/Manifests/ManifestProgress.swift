import Foundation
import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypeJournals
import TintypeS3

/// How far the runs of a manifest have come, by the output folder's journals alone. Nothing is locked or changed.
public struct ManifestProgress: Sendable {
    /// One shard.
    public struct ShardProgress: Sendable {
        public let shard: Shard
        /// The machine of the run that wrote last.
        public let host: String
        /// Outputs by the state of their last receipts.
        public fileprivate(set) var doneCount = 0
        public fileprivate(set) var failedCount = 0
        public fileprivate(set) var publishingCount = 0
        /// When its journal was last written, in seconds since 1970.
        public let lastTime: Double
        /// The number of its runs.
        public let runCount: Int
    }

    /// The shards that have begun, in order. Those of another number of shards come first.
    public let shards: [ShardProgress]
    /// When the first run began to write, in seconds since 1970; nil before.
    public let firstTime: Double?
    /// Planned outputs that are done, whichever run has made them.
    public let doneCount: Int
    /// Planned outputs whose last receipts tell of a failure.
    public let failedCount: Int

    /// When the last planned output was written that is an object of a bucket.
    private let lastObjectTime: Double?

    /// When any shard's journal was last written, in seconds since 1970; nil before the first.
    public var lastTime: Double? { (shards.map(\.lastTime) + [lastObjectTime].compactMap(\.self)).max() }

    /// Mean of the shards since the first run began; nil before their first output.
    public var outputsPerSecond: Double? {
        let count = lastObjectTime == nil ? shards.reduce(0) { $0 + $1.doneCount } : doneCount
        guard let firstTime, let lastTime, lastTime > firstTime, count > 0 else { return nil }
        return Double(count) / (lastTime - firstTime)
    }

    /// - Parameter outputFolder: stands for the manifest's own; nil is that.
    /// - Throws: `JournalError` or `ManifestError`.
    public init(of manifest: Manifest, in outputFolder: String? = nil) throws {
        let outputFolder = outputFolder ?? manifest.header.outputFolder
        let folders = ShardFolder.all(in: outputFolder)
        let begun = folders.filter { $0.manifest == manifest.identifier }
            .map { (folder: $0, journals: $0.journals) }.filter { !$0.journals.isEmpty }
        lastObjectTime = nil
        firstTime = begun.compactMap(\.journals.first?.startTime).min()
        shards = try Self.progress(of: begun, of: manifest, in: outputFolder)
        let hasOtherJournals =
            folders.contains { $0.manifest != manifest.identifier }
            || FileIdentity(path: Journal.filePath(in: outputFolder)) != nil
        guard hasOtherJournals else {
            // All that these journals list is planned.
            doneCount = shards.reduce(0) { $0 + $1.doneCount }
            failedCount = shards.reduce(0) { $0 + $1.failedCount }
            return
        }
        let counts = try Self.plannedCounts(of: manifest, in: outputFolder)
        doneCount = counts[.done] ?? 0
        failedCount = counts[.failed] ?? 0
    }

    /// The shards, by their own journals.
    private static func progress(
        of begun: [(folder: ShardFolder, journals: [ShardJournal])], of manifest: Manifest,
        in outputFolder: String
    ) throws(JournalError) -> [ShardProgress] {
        guard !begun.isEmpty else { return [] }
        let journal = try MergedJournal(outputFolder: outputFolder, manifest: manifest.identifier)
        var states: [ShardFolder: [Receipt.State: Int]] = [:]
        for (source, counts) in journal.counts {
            guard let folder = source.folder else { continue }
            states[folder, default: [:]].merge(counts, uniquingKeysWith: +)
        }
        return begun.compactMap { folder, journals in
            guard let last = journals.last, let status = try? Stat(last.path) else { return nil }
            let counts = states[folder] ?? [:]
            return ShardProgress(
                shard: folder.shard, host: last.host, doneCount: counts[.done] ?? 0,
                failedCount: counts[.failed] ?? 0, publishingCount: counts[.publishing] ?? 0,
                lastTime: Double(status.modified) / 1e9, runCount: journals.count)
        }.sorted { ($0.shard.count, $0.shard.number) < ($1.shard.count, $1.shard.number) }
    }

    /// Counts the planned outputs by their state in all journals: other manifests, and runs without one, may have made
    /// some.
    private static func plannedCounts(
        of manifest: Manifest, in outputFolder: String
    ) throws -> [Receipt.State: Int] {
        let journal: MergedJournal
        do throws(JournalError) {
            journal = try MergedJournal(outputFolder: outputFolder)
        } catch .none {
            return [:]
        }
        var counts: [Receipt.State: Int] = [:]
        try manifest.forEachPhoto { photo, _ in
            for output in photo.outputs {
                guard let state = journal.state(of: OutputKey(output)) else { continue }
                counts[state, default: 0] += 1
            }
        }
        return counts
    }

    /// By the list of a bucket's objects: which shard has written one is not known.
    ///
    /// - Throws: `ManifestError` or `DownloadError`.
    public init(
        of manifest: Manifest, in folder: S3Location, _ configuration: DownloaderConfiguration
    ) throws {
        var planned: Set<OutputKey> = []
        planned.reserveCapacity(manifest.photoCount)
        try manifest.forEachPhoto { photo, _ in planned.formUnion(photo.outputs.map(OutputKey.init)) }
        let folder = folder.asFolder
        var count = 0
        var times: (first: Double, last: Double)?
        try S3Client(configuration).list(folder) { object in
            guard let name = folder.name(of: object.location), planned.contains(OutputKey(name)) else {
                return
            }
            count += 1
            guard let time = object.modified?.timeIntervalSince1970 else { return }
            times = (min(times?.first ?? time, time), max(times?.last ?? time, time))
        }
        (doneCount, failedCount) = (count, 0)
        lastObjectTime = times?.last
        shards = []
        firstTime = times?.first
    }
}
