import Foundation
import SystemPackage
import TintypeFiles

extension Journal {
    /// Takes the receipts of a folder's shards into the folder's own journal, and removes theirs. Call it once all
    /// shards have ended.
    ///
    /// - Returns: the number of lines taken in.
    /// - Throws: `JournalError`.
    @discardableResult
    public static func mergeShards(in outputFolder: String) throws(JournalError) -> Int {
        guard !ShardFolder.all(in: outputFolder).isEmpty else { return 0 }
        let count = try takeInShards(of: outputFolder)
        let shards = ShardFolder.parent(in: outputFolder)
        do {
            try FileManager.default.removeItem(atPath: shards)
        } catch {
            throw .cannotWrite(path: shards, Errno(rawValue: errno))
        }
        return count
    }

    /// Takes the receipts into the folder's own journal. When this returns, no file of a shard is open: NFS keeps such a
    /// file in its folder under another name, and the folder could not be removed.
    ///
    /// - Returns: the number of lines taken in.
    static func takeInShards(of outputFolder: String) throws(JournalError) -> Int {
        let merged = try MergedJournal(outputFolder: outputFolder)
        let journal = try Journal(ofFolder: outputFolder)
        var count = 0
        var pending: [UInt8] = []
        try merged.forEachLineOfShards { line throws(JournalError) in
            count += 1
            pending += line + [UInt8(ascii: "\n")]
            guard pending.count > 1 << 20 else { return }
            try journal.append(pending)
            pending = []
        }
        if !pending.isEmpty { try journal.append(pending) }
        try journal.synchronise()
        return count
    }
}
