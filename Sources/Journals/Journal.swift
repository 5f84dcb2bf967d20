import Files
import Foundation
import SystemPackage
import Locking

/// The receipts of an output folder: what was done, from what, by which recipe, and what failed.
///
/// `.tintype/journal.jsonl` is appended to, one JSON object a line, the last line of an output counts.
/// Several threads and several processes may work on one folder: a photo is done by whoever has its
/// `OutputClaim`, and lines are written under a lock, one write each.
///
/// Before an output gets its name, a `publishing` receipt goes to the disk (`fdatasync`); the final one is
/// left to the system's own time. So whatever kills a run, or the machine, a later run can tell an output of
/// ours from anybody else's file: it finds the `publishing` receipt, compares the file with it, and writes
/// the final one.
public final class Journal: Sendable {
    /// The output folder.
    public let folder: String

    let locks: RangeLocks
    private let file: Locked<JournalFile>
    private let claimed = Locked<Set<OutputKey>>([])
    private let swept = Locked<Set<String>>([])

    /// The folder, in the output folder, that holds the journal and its locks.
    package static let folderName = ".tintype"
    static let fileName = "journal.jsonl"

    /// Where runs on this folder leave downloads that they could not finish, for the next one to go on with.
    package var partialsFolder: URL {
        URL(fileURLWithPath: path(of: Self.folderName).appendingPathComponent("partial"), isDirectory: true)
    }

    /// Opens a folder's journal or begins one, and settles what dead runs have left: see `settle`.
    ///
    /// - Throws: `JournalError`.
    public init(outputFolder: String) throws(JournalError) {
        let own = outputFolder.appendingPathComponent(Self.folderName)
        do throws(Errno) {
            try OutputFile.createFolders(own)
        } catch {
            throw .cannotWrite(path: own, error)
        }
        folder = outputFolder
        locks = try RangeLocks(path: own.appendingPathComponent("lock"))
        file = Locked(try JournalFile(path: own.appendingPathComponent(Self.fileName)))
        try prepare()
        try settleAll()
    }

    /// `path` as receipts name it: below the output folder.
    ///
    /// - Throws: `JournalError.outside`.
    public func outputName(of path: String) throws(JournalError) -> String {
        try Self.outputName(of: path, in: folder)
    }

    package static func outputName(of path: String, in folder: String) throws(JournalError) -> String {
        let prefix = folder == "." ? "" : folder.hasSuffix("/") ? folder : folder + "/"
        let name = path.dropFirst(path.hasPrefix("./") && folder == "." ? 2 : prefix.count)
        guard path.hasPrefix(prefix), !name.isEmpty, !name.hasPrefix("/"),
            !name.split(separator: "/").contains("..")
        else { throw .outside(output: path, folder: folder) }
        return String(name)
    }

    /// Takes an output for one worker; nil while another one, of this process or any other, has it.
    ///
    /// The first claim in a folder removes the temporary files that dead runs have left there.
    public func claim(_ output: String) throws(JournalError) -> OutputClaim? {
        let key = OutputKey(output)
        guard claimed.withLock({ $0.insert(key).inserted }) else { return nil }
        do throws(JournalError) {
            guard try locks.tryLock(key.lockOffset) else {
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
        // First the lock: once the set lets go of it, a thread may take the lock anew.
        locks.unlock(key.lockOffset)
        claimed.withLock { _ = $0.remove(key) }
    }

    /// Appends a receipt. One that says `publishing` is on the disk when this returns.
    ///
    /// - Precondition: the caller has the output's claim.
    public func append(_ receipt: Receipt) throws(JournalError) {
        let line = receipt.line
        let handle = try locked { file throws(JournalError) in
            try file.append(line)
            return file.handle
        }
        guard receipt.state == .publishing else { return }
        do throws(Errno) {
            try handle.file.syncData()
        } catch {
            throw .cannotWrite(path: folder, error)
        }
    }

    /// The output's last receipt, and the last one that says `done`.
    func receipts(for output: String) throws(JournalError) -> (latest: Receipt?, done: Receipt?) {
        try file.withLock { file throws(JournalError) in
            try file.refresh()
            return try file.knownReceipts(for: output)
        }
    }

    /// The last receipts of all outputs in this state, in the order in which they were written.
    public func receipts(in state: Receipt.State) throws(JournalError) -> [Receipt] {
        try file.withLock { file throws(JournalError) in
            try file.refresh()
            return try file.lastReceipts(in: state)
        }
    }

    /// Whether the photo's last attempt failed: what `--retry-failed` is about.
    public func failedLast(_ output: String) throws(JournalError) -> Bool {
        let key = OutputKey(output)
        return try file.withLock { file throws(JournalError) in
            try file.refresh()
            return file.index.entries[key]?.state == .failed
        }
    }

    package func path(of output: String) -> String { Self.path(of: output, in: folder) }

    /// Where an output lies that receipts name so: the opposite of `outputName`.
    package static func path(of output: String, in folder: String) -> String {
        folder == "." ? output : folder.appendingPathComponent(output)
    }

    /// Rewrites the journal without the lines that say nothing any more. Other processes go on meanwhile.
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
            // A run leaves two lines for each photo. Below a thousand too many nobody would notice.
            let liveCount = file.index.liveSpans.count
            return file.index.lineCount - liveCount > max(1000, 2 * liveCount)
        }
        if isWorthARewrite { try compact() }
    }

    /// Runs `body` while no other thread and no other process writes to the journal.
    func locked<Result: Sendable>(
        _ body: (inout JournalFile) throws(JournalError) -> Result
    ) throws(JournalError) -> Result {
        try file.withLock { file throws(JournalError) in
            try locks.lock(RangeLocks.journal)
            defer { locks.unlock(RangeLocks.journal) }
            return try body(&file)
        }
    }

    private func sweep(_ path: String) {
        let folder = path.parentFolder
        if swept.withLock({ $0.insert(folder).inserted }) { StrayFiles.remove(in: folder) }
    }
}

/// One output, held by one worker: nobody else works on it until this value is gone, or the process.
public final class OutputClaim: Sendable {
    /// As receipts name it.
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
