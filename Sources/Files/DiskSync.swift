import CTintypeSharing
import Foundation
import SystemPackage
import TintypeImaging

/// How a run gets its outputs and receipts onto their disks. Its threads share one.
///
/// With `each` and `batch`, no output has its name, and no receipt says that it is complete, before its bytes are on the disk.
// @unchecked: `condition` guards the variables.
public final class DiskSync: @unchecked Sendable {
    /// What a run waits for.
    public enum Policy: String, Hashable, Sendable, CaseIterable {
        /// Every output, its receipt and its name: two to three flushes of the disk's own cache for each.
        case each
        /// All that is complete, at once: one `syncfs` for all the outputs that wait for one. What other programs write there is
        /// written too. Linux reports errors of it from 5.8 on.
        case batch
        /// Nothing. After a power failure, outputs may be empty though the journal says that they are complete.
        case none
    }

    public let policy: Policy

    private let flush: @Sendable (borrowing OpenFile) -> Errno?
    private let condition = NSCondition()
    /// A file on each disk that is written to, by the disk's number.
    private var disks: [UInt64: SharedFile] = [:]
    /// Rounds are numbered from 1 on. Each synchronises all disks.
    private var begunCount = 0
    private var endedCount = 0
    private var failures: [Int: Errno] = [:]

    package static let each = DiskSync(.each), none = DiskSync(.none)

    public convenience init(_ policy: Policy) {
        self.init(policy) { file in syncfs(file.number) == 0 ? nil : .last }
    }

    /// - Parameter flush: writes all data of a file's disk.
    init(_ policy: Policy, flush: @escaping @Sendable (borrowing OpenFile) -> Errno?) {
        self.policy = policy
        self.flush = flush
    }

    /// How many outputs may wait for the disk at once, in addition to those that are made. A round is for all that wait.
    package var waitingCount: Int { policy == .batch ? 16 : 2 }

    /// Synchronises a file that is complete, and the receipts that were written before it, before it gets its name.
    package func syncFile(_ file: borrowing OpenFile) throws(Errno) {
        switch policy {
        case .each: try file.sync()
        case .batch:
            try note(file)
            try takeRound()
        case .none: break
        }
    }

    /// Synchronises a file's name. In a batch, a receipt without the name has no output, which the next run makes again.
    package func syncName(in folder: String) {
        // Some file systems cannot sync a folder, so a failure is ignored.
        if policy == .each { try? OpenFile(reading: folder).sync() }
    }

    /// Synchronises a receipt; in a batch, together with its output.
    package func syncReceipt(in journal: borrowing OpenFile) throws(Errno) {
        switch policy {
        case .each: try journal.syncData()
        case .batch: try note(journal)
        case .none: break
        }
    }

    /// Synchronises what was written since the last round, after the last output.
    package func finish() throws(Errno) {
        if policy == .batch { try takeRound() }
    }

    /// Keeps a file of each disk open, so that later rounds synchronise it.
    private func note(_ file: borrowing OpenFile) throws(Errno) {
        let disk = FileIdentity(try file.status()).device
        condition.lock()
        defer { condition.unlock() }
        if disks[disk] == nil { disks[disk] = SharedFile(try OpenFile(duplicating: file.number)) }
    }

    /// Returns after a round that began after the call. The first thread that finds none at work makes it for all that wait.
    private func takeRound() throws(Errno) {
        condition.lock()
        defer { condition.unlock() }
        let round = begunCount + 1
        while endedCount < round {
            guard begunCount == endedCount else {
                condition.wait()
                continue
            }
            begunCount += 1
            let disks = Array(disks.values)
            condition.unlock()
            let failure = disks.compactMap { flush($0.file) }.last
            condition.lock()
            endedCount += 1
            failures[endedCount] = failure
            condition.broadcast()
        }
        if let failure = failures[round] { throw failure }
    }
}
