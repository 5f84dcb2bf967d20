import Foundation
import SystemPackage
import TintypeFiles
import TintypeLocking

/// The journal of an output folder: a receipt for each photo that was filtered or has failed.
///
/// Receipts are appended to `.tintype/journal.jsonl`, one JSON object a line. The last line of an output
/// counts. Several threads and processes may work on one folder: the holder of an `OutputClaim` filters the
/// photo. Each line is written under a lock, with one write.
///
/// Before an output gets its name, a `publishing` receipt is synchronised with the disk, as `DiskSync` tells. The
/// final receipt is not. If the run or the machine dies in between, a later run compares the file with the
/// `publishing` receipt, so it can distinguish its own output from other files, and writes the final receipt.
public final class Journal: Sendable {
    /// The output folder.
    public let folder: String

    let sync: DiskSync
    /// Nil for a shard's journal, which only this process writes.
    let locks: RangeLocks?
    /// What this journal's shard is; nil if the folder's own journal is kept.
    let shard: ShardRun?
    private let file: Locked<JournalFile>
    let movedTrees = MovedTrees()
    private let claimed = Locked<Set<OutputKey>>([])
    private let swept = Locked<Set<ExactText>>([])

    /// The subfolder of the output folder that holds the journal and its locks.
    package static let folderName = ".tintype"

    /// The path of a folder's own journal.
    package static func filePath(in outputFolder: String) -> String {
        outputFolder.appendingPathComponent(folderName).appendingPathComponent("journal.jsonl")
    }

    /// The folder of unfinished downloads, which the next run resumes.
    package var partialsFolder: URL {
        let own = shard?.folder(in: folder) ?? path(of: Self.folderName)
        return URL(fileURLWithPath: own.appendingPathComponent("partial"), isDirectory: true)
    }

    /// Opens or creates a folder's journal, and settles outputs of dead runs: see `settle`.
    ///
    /// - Throws: `JournalError`; `.hasShards` if the folder has journals of shards, which `mergeShards` takes in.
    public convenience init(
        outputFolder: String, sync: DiskSync = DiskSync(.each)
    ) throws(JournalError) {
        guard ShardFolder.all(in: outputFolder).isEmpty else { throw .hasShards(folder: outputFolder) }
        try self.init(ofFolder: outputFolder, sync)
    }

    /// Opens or creates a folder's journal, and settles outputs of dead runs.
    ///
    /// - Throws: `JournalError`; `.cannotOpen` if the URL is not a file's.
    public convenience init(
        outputFolder url: URL, sync: DiskSync = DiskSync(.each)
    ) throws(JournalError) {
        guard let folder = url.filePath else {
            throw .cannotOpen(path: url.lastPathComponent, .notSupported)
        }
        try self.init(outputFolder: folder, sync: sync)
    }

    /// The folder's own journal, whether or not there are journals of shards.
    init(ofFolder outputFolder: String, _ sync: DiskSync = .each) throws(JournalError) {
        let own = outputFolder.appendingPathComponent(Self.folderName)
        try Self.createFolder(own, in: outputFolder)
        folder = outputFolder
        self.sync = sync
        shard = nil
        locks = try RangeLocks(path: own.appendingPathComponent("lock"))
        file = Locked(try JournalFile(path: Self.filePath(in: outputFolder)))
        try prepare()
        try settleAll()
    }

    /// Opens the journal of a shard's run: a file of its own, which begins with the receipts of earlier runs.
    ///
    /// It takes no lock, because runs of other machines may not see it. If two runs of a shard are at work at once,
    /// both make the same bytes, and the first to publish an output wins.
    ///
    /// - Parameter outputs: the shard's, relative to the folder.
    /// - Throws: `JournalError`.
    public init(
        outputFolder: String, shard: ShardRun, outputs: some Sequence<String>,
        sync: DiskSync = DiskSync(.each)
    ) throws(JournalError) {
        let own = shard.folder(in: outputFolder)
        try Self.createFolder(own, in: outputFolder)
        folder = outputFolder
        self.sync = sync
        self.shard = shard
        locks = nil
        let path = own.appendingPathComponent(shard.fileName)
        try ShardFolder.copyReceipts(
            of: Set(outputs.lazy.map(OutputKey.init)), in: outputFolder, for: shard, to: path)
        file = Locked(try JournalFile(path: path))
        try prepare()
        try settleAll()
    }

    /// Creates a folder of the journal, below the output folder. The output folder itself may be a link.
    private static func createFolder(_ path: String, in outputFolder: String) throws(JournalError) {
        var above = outputFolder
        for part in (path.removingPrefix(outputFolder) ?? path).pathParts() {
            above = above.appendingPathComponent(part)
            guard let status = try? Stat(link: above) else { break }
            if status.type == .symbolicLink { throw .isLink(path: above) }
        }
        do throws(Errno) {
            try OutputFile.createFolders(path)
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    /// The path of an output relative to the output folder, as in receipts.
    ///
    /// - Throws: `JournalError.outside` if `path` lies outside of the folder.
    public func outputName(of path: String) throws(JournalError) -> String {
        try Self.outputName(of: path, in: folder)
    }

    /// Whether no symbolic link below the folder leads the output out of it.
    package func holds(_ output: String) -> Bool {
        var path = folder, hasLink = false
        for part in output.pathParts().dropLast() {
            path = path.appendingPathComponent(part)
            guard let status = try? Stat(link: path) else { break }
            if status.type == .symbolicLink { hasLink = true }
        }
        if !hasLink { return true }
        guard let real = path.resolvingLinks, let own = folder.resolvingLinks else { return false }
        return real.exact == own.exact || real.removingPrefix(own.appendingPathComponent("")) != nil
    }

    package static func outputName(of path: String, in folder: String) throws(JournalError) -> String {
        let prefix = folder == "." ? "" : folder.utf8.last == UInt8(ascii: "/") ? folder : folder + "/"
        let below = folder == "." ? path.removingPrefix("./") : nil
        guard let name = below ?? path.removingPrefix(prefix), !name.isEmpty,
            name.utf8.first != UInt8(ascii: "/"), !name.pathParts().contains("..")
        else { throw .outside(output: path, folder: folder) }
        return name
    }

    /// Claims an output for one worker; nil while another worker, of any process, has it.
    ///
    /// The first claim in a folder removes temporary files of dead runs.
    public func claim(_ output: String) throws(JournalError) -> OutputClaim? {
        let key = OutputKey(output)
        guard claimed.withLock({ $0.insert(key).inserted }) else { return nil }
        do throws(JournalError) {
            guard try locks?.tryLock(key.lockOffset) ?? true else {
                claimed.withLock { _ = $0.remove(key) }
                return nil
            }
        } catch {
            claimed.withLock { _ = $0.remove(key) }
            throw error
        }
        sweep(path(of: output))
        return OutputClaim(self, output, key)
    }

    func release(_ key: OutputKey) {
        // The lock first: once the set no longer has the key, another thread may take the lock.
        locks?.unlock(key.lockOffset)
        claimed.withLock { _ = $0.remove(key) }
    }

    /// Appends a receipt. A `publishing` receipt is on the disk when its output gets its name.
    ///
    /// - Precondition: the caller has the output's claim.
    public func append(_ receipt: Receipt) throws(JournalError) {
        try append(receipt.line)
        guard receipt.state == .publishing else { return }
        try withFile { file throws(Errno) in try sync.syncReceipt(in: file) }
    }

    /// Appends complete lines.
    func append(_ lines: [UInt8]) throws(JournalError) {
        try locked { file throws(JournalError) in try file.append(lines) }
    }

    /// Returns once all lines are on the disk.
    package func synchronise() throws(JournalError) {
        try withFile { file throws(Errno) in try file.syncData() }
    }

    /// Other threads may append meanwhile.
    private func withFile(_ body: (borrowing OpenFile) throws(Errno) -> Void) throws(JournalError) {
        let handle = file.withLock { $0.handle }
        do throws(Errno) {
            try body(handle.file)
        } catch {
            throw .cannotWrite(path: folder, error)
        }
    }

    /// See `InputIdentity.hashAlgorithm`.
    package func hashAlgorithm(of output: String) throws(JournalError) -> ContentDigest.Algorithm {
        InputIdentity.hashAlgorithm(after: try receipts(for: output).done)
    }

    /// The output's last receipt, and its last `done` receipt.
    func receipts(for output: String) throws(JournalError) -> (latest: Receipt?, done: Receipt?) {
        try file.withLock { file throws(JournalError) in
            try file.refresh()
            return try file.knownReceipts(for: output)
        }
    }

    /// The last `done` receipt of each output.
    var doneReceipts: MovedTrees.Receipts {
        MovedTrees.Receipts(spans: file.withLock { $0.index.doneSpans }) { [self] span throws(JournalError) in
            try file.withLock { file throws(JournalError) in try file.receipt(at: span) }
        }
    }

    /// The last receipts of all outputs in this state, in the order of writing.
    public func receipts(in state: Receipt.State) throws(JournalError) -> [Receipt] {
        try file.withLock { file throws(JournalError) in
            try file.refresh()
            return try file.lastReceipts(in: state)
        }
    }

    /// Whether the output may be wrong, and was not made again since.
    package func isSuspect(_ output: String) throws(JournalError) -> Bool {
        let key = OutputKey(output)
        return try file.withLock { file throws(JournalError) in
            try file.refresh()
            guard let entry = file.index.entries[key], entry.state != .done else { return false }
            return try file.receipt(at: entry.latest)?.isSuspect ?? false
        }
    }

    /// Whether the output's last attempt failed, for `--retry-failed`.
    public func failedLast(_ output: String) throws(JournalError) -> Bool {
        let key = OutputKey(output)
        return try file.withLock { file throws(JournalError) in
            try file.refresh()
            return file.index.entries[key]?.state == .failed
        }
    }

    package func path(of output: String) -> String { Self.path(of: output, in: folder) }

    /// The path of an output named in a receipt: the inverse of `outputName`.
    package static func path(of output: String, in folder: String) -> String {
        folder == "." ? output : folder.appendingPathComponent(output)
    }

    /// Rewrites the journal without superseded lines. Other processes may keep using it.
    func compact() throws(JournalError) {
        try locked { file throws(JournalError) in
            try file.refresh()
            try file.compact()
        }
    }

    private func prepare() throws(JournalError) {
        let isWorthARewrite = try locked { file throws(JournalError) in
            try file.repair()
            try file.refresh()
            // A run writes two lines for each photo. Up to a thousand superseded lines cost no noticeable
            // time.
            let liveCount = file.index.liveSpans.count
            return file.index.lineCount - liveCount > max(1000, 2 * liveCount)
        }
        if isWorthARewrite { try compact() }
    }

    /// Runs `body` while no other thread or process writes to the journal.
    func locked<Result: Sendable>(
        _ body: (inout JournalFile) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        try file.withLock { file throws(JournalError) in
            try locks?.lock(RangeLocks.journal)
            defer { locks?.unlock(RangeLocks.journal) }
            return try body(&file)
        }
    }

    private func sweep(_ path: String) {
        let folder = path.parentFolder
        guard swept.withLock({ $0.insert(folder.exact).inserted }) else { return }
        if let shard { shard.temporaries.removeEarlier(in: folder) } else { StrayFiles.remove(in: folder) }
    }
}

/// A worker's exclusive claim on one output. It ends when this object is released or the process dies.
public final class OutputClaim: Sendable {
    /// The output's path relative to the output folder.
    public let output: String

    private let journal: Journal
    private let key: OutputKey

    init(_ journal: Journal, _ output: String, _ key: OutputKey) {
        self.journal = journal
        self.output = output
        self.key = key
    }

    deinit { journal.release(key) }
}
