import Foundation
import TintypeLocking

/// The temporary files of a run, for removal when a signal ends it.
///
/// A shard's run marks their names with the shard and a random text. So the shard's next run can tell them from its own
/// without a lock, which another machine may not see.
public final class TemporaryFiles: Sendable {
    /// Part of the names of all temporary files of this run; nil if they are recognised by their locks.
    package let mark: String?

    private let paths = Locked<Set<ExactText>>([])
    private let shardMark: String?

    /// - Parameter shard: letters and digits, the same in all runs of the shard; nil for a run without shards.
    public init(shard: String? = nil) {
        shardMark = shard.map { "\(Self.shardPrefix)\($0)-" }
        mark = shardMark.map { $0 + String(UInt32.random(in: .min ... .max), radix: 36) + "-" }
    }

    package func add(_ path: String) { paths.withLock { _ = $0.insert(path.exact) } }

    package func forget(_ path: String) { paths.withLock { _ = $0.remove(path.exact) } }

    /// Removes all temporary files that still exist.
    public func removeAll() {
        paths.withLock { paths in
            for path in paths { unlink(path.text) }
            paths = []
        }
    }

    /// Removes the temporary files of the shard's earlier runs directly in `folder`. If such a run is still at work on
    /// another machine, it fails the photos that it has just begun.
    package func removeEarlier(in folder: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] {
            removeIfEarlier(folder.appendingPathComponent(name))
        }
    }

    /// Removes a temporary file if an earlier run of the shard has made it.
    package func removeIfEarlier(_ path: String) {
        guard let mark, let shardMark else { return }
        let name = path.lastPathComponent
        guard OutputFile.isTemporaryName(name, marked: shardMark),
            !OutputFile.isTemporaryName(name, marked: mark)
        else { return }
        unlink(path)
    }

    /// A process identifier, which begins the names of other runs, has no letter.
    static let shardPrefix = "shard"
}
