import Foundation
import SystemPackage
import TintypeCryptography
import TintypeFiles

/// The journals of one shard: `.tintype/shards/MANIFEST-3-of-24/`, with a file for each run.
///
/// Only its own run writes to a file, so no locks are needed, and network file systems serve. A file begins with the
/// receipts of earlier runs, so the newest files of all shards tell everything.
package struct ShardFolder: Hashable, Sendable {
    package let path: String
    /// See `ShardRun.manifest`.
    package let manifest: String
    package let shard: Shard

    static func parent(in outputFolder: String) -> String {
        outputFolder.appendingPathComponent(Journal.folderName).appendingPathComponent("shards")
    }

    /// The shards of all manifests that have journals in the output folder, by name.
    package static func all(in outputFolder: String) -> [ShardFolder] {
        let parent = parent(in: outputFolder)
        let entries = (try? FolderEntry.list(parent)) ?? []
        return entries.compactMap { entry in
            guard entry.kind == .folder else { return nil }
            return ShardFolder(parent.appendingPathComponent(entry.name))
        }
    }

    /// - Returns: nil if the folder's name is not a shard's.
    private init?(_ path: String) {
        let parts = path.lastPathComponent.split(separator: "-")
        guard parts.count == 4, parts[2] == "of", let number = Int(parts[1]), let count = Int(parts[3]),
            let shard = Shard(number, of: count)
        else { return nil }
        self.path = path
        manifest = String(parts[0])
        self.shard = shard
    }

    /// The journals of the shard's runs, the first run's in front.
    package var journals: [ShardJournal] {
        let entries = (try? FolderEntry.list(path)) ?? []
        return entries.compactMap { ShardJournal(path.appendingPathComponent($0.name)) }
            .sorted { $0.startTime < $1.startTime }
    }

    /// Writes a journal that begins with what earlier runs tell of the outputs.
    ///
    /// Earlier runs are those of the same shard, of other manifests, of another number of shards, and those without
    /// shards. Other shards of the same manifest have other outputs.
    static func copyReceipts(
        of outputs: Set<OutputKey>, in outputFolder: String, for run: ShardRun, to path: String
    ) throws(JournalError) {
        let folders = all(in: outputFolder).filter {
            $0.manifest != run.manifest || $0.shard.count != run.shard.count || $0.shard == run.shard
        }
        let own = Journal.filePath(in: outputFolder)
        let sources =
            (FileIdentity(path: own) == nil ? [] : [own]) + folders.flatMap { $0.journals.map(\.path) }
        do throws(Errno) {
            try OpenFile.replace(path) { new throws(Errno) in
                var suspicions = Suspicions()
                // Each journal begins with a copy of earlier ones.
                var copied: Set<Digest> = []
                for source in sources {
                    try read(source) { file throws(JournalError) in
                        try file.copyLiveLines(of: outputs, to: new, unless: &copied)
                        try suspicions.find(in: file, of: outputs)
                    }
                }
                guard !suspicions.isEmpty else { return }
                for source in sources {
                    try read(source) { file throws(JournalError) in try suspicions.resolve(by: file) }
                }
                for receipt in suspicions.lastReceipts { try new.write(receipt.line) }
            }
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    private static func read(
        _ path: String, _ body: (borrowing JournalFile) throws(JournalError) -> Void
    ) throws(Errno) {
        do throws(JournalError) {
            var file = try JournalFile(path: path, isReadOnly: true)
            try file.refresh()
            try body(file)
        } catch .cannotOpen(_, .noSuchFileOrDirectory) {
            // It was taken in meanwhile.
        } catch .cannotOpen(_, let error), .cannotWrite(_, let error) {
            throw error
        } catch {
            throw .ioError
        }
    }
}

/// Outputs that, by a journal, may be wrong, and what holds of them.
///
/// Of two runs of a shard at once, the one that began later has a copy of the other's `done` receipts, but not of what the
/// other one learnt afterwards. Its journal comes last all the same. And a run may have copied a suspicion that is over.
private struct Suspicions {
    /// The last `done` receipt, and the last one, of the run that made the output last.
    private var known: [OutputKey: (done: Receipt, latest: Receipt)?] = [:]

    var isEmpty: Bool { known.isEmpty }

    var lastReceipts: [Receipt] { known.values.flatMap { $0.map { [$0.done, $0.latest] } ?? [] } }

    mutating func find(in file: borrowing JournalFile, of outputs: Set<OutputKey>) throws(JournalError) {
        for (key, entry) in file.index.entries where entry.state != .done && outputs.contains(key) {
            if try file.receipt(at: entry.latest)?.isSuspect == true { known[key] = .some(nil) }
        }
    }

    /// To be called with each journal, once all suspicions are found.
    mutating func resolve(by file: borrowing JournalFile) throws(JournalError) {
        for (key, last) in known {
            guard let entry = file.index.entries[key], let span = entry.done,
                let done = try file.receipt(at: span), let latest = try file.receipt(at: entry.latest)
            else { continue }
            if let last, done.time < last.done.time || done.time == last.done.time && !latest.isSuspect {
                continue
            }
            known[key] = (done, latest)
        }
    }
}

/// The journal of one run of a shard: `HOST-TIME-PID-RANDOM.jsonl`.
package struct ShardJournal: Hashable, Sendable {
    package let path: String
    /// The machine of the run.
    package let host: String
    /// When the run began, in seconds since 1970.
    package let startTime: Double

    private static let suffix = ".jsonl"

    /// - Returns: nil if the file's name is not a journal's.
    init?(_ path: String) {
        let name = path.lastPathComponent
        let parts = name.dropLast(Self.suffix.count).split(separator: "-")
        guard name.hasSuffix(Self.suffix), parts.count > 3, let time = Double(parts[parts.count - 3]) else {
            return nil
        }
        self.path = path
        host = parts.dropLast(3).joined(separator: "-")
        startTime = time
    }

    /// A name for a run that begins now. The random text is there because containers often have equal process
    /// identifiers.
    static func newName() -> String {
        let host = ProcessInfo.processInfo.hostName.prefix(64).map {
            $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-"
        }
        let time = String(format: "%.3f", Date().timeIntervalSince1970)
        let unique = String(UInt32.random(in: .min ... .max), radix: 36)
        return "\(String(host))-\(time)-\(getpid())-\(unique)\(suffix)"
    }
}
