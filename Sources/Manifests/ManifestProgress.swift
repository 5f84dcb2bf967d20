import Download
import Files
import Foundation
import Journals
import SystemPackage

/// How far the shards of a manifest have come, by their journals alone. Nothing is locked or changed.
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

    /// Planned outputs that are objects of a bucket, and when the last one was written.
    private let objects: (count: Int, lastTime: Double?)

    public var doneCount: Int { shards.reduce(objects.count) { $0 + $1.doneCount } }
    public var failedCount: Int { shards.reduce(0) { $0 + $1.failedCount } }
    /// When any journal was last written, in seconds since 1970; nil before the first.
    public var lastTime: Double? { (shards.map(\.lastTime) + [objects.lastTime].compactMap(\.self)).max() }

    /// - Parameter outputFolder: stands for the manifest's own; nil is that.
    /// - Throws: `JournalError`.
    public init(of manifest: Manifest, in outputFolder: String? = nil) throws(JournalError) {
        objects = (0, nil)
        let outputFolder = outputFolder ?? manifest.header.outputFolder
        let begun = ShardFolder.all(in: outputFolder).filter { $0.manifest == manifest.identifier }
            .map { (folder: $0, journals: $0.journals) }.filter { !$0.journals.isEmpty }
        guard !begun.isEmpty else {
            (shards, firstTime) = ([], nil)
            return
        }
        let journal = try MergedJournal(outputFolder: outputFolder, manifest: manifest.identifier)
        var states: [ShardFolder: [Receipt.State: Int]] = [:]
        for (source, counts) in journal.counts {
            guard let folder = source.folder else { continue }
            states[folder, default: [:]].merge(counts, uniquingKeysWith: +)
        }
        firstTime = begun.compactMap(\.journals.first?.startTime).min()
        shards = begun.compactMap { folder, journals in
            guard let last = journals.last, let status = try? Stat(last.path) else { return nil }
            let counts = states[folder] ?? [:]
            return ShardProgress(
                shard: folder.shard, host: last.host, doneCount: counts[.done] ?? 0,
                failedCount: counts[.failed] ?? 0, publishingCount: counts[.publishing] ?? 0,
                lastTime: Double(status.modified) / 1e9, runCount: journals.count)
        }.sorted { ($0.shard.count, $0.shard.number) < ($1.shard.count, $1.shard.number) }
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
        objects = (count, times?.last)
        shards = []
        firstTime = times?.first
    }
}
