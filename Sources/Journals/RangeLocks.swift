import Foundation
import SystemPackage
import TintypeFiles

/// The lock file of a journal: one byte for the journal, one for each output. The bytes need not exist.
final class RangeLocks: Sendable {
    private let path: String
    private let file: OpenFile

    /// The journal's byte.
    static let journal: off_t = 0
    /// The byte on which every active run holds a shared lock, beyond those of all outputs.
    static let runs: off_t = 1 << 62 + 1

    init(path: String) throws(JournalError) {
        self.path = path
        do throws(Errno) {
            file = try OpenFile(path, .readWrite, [.create, .noFollow])
        } catch .tooManySymbolicLinkLevels {
            throw .isLink(path: path)
        } catch {
            throw .cannotOpen(path: path, error)
        }
    }

    // A process that is just being started has this file too, until it runs its program, and would keep the lock.
    deinit { file.unlock(Self.runs) }

    /// Locks the byte exclusively; waits until it is free.
    func lock(_ offset: off_t) throws(JournalError) {
        try naming { () throws(Errno) in try file.lock(offset) }
    }

    /// Locks the byte exclusively; false if another process has it.
    func tryLock(_ offset: off_t) throws(JournalError) -> Bool {
        try naming { () throws(Errno) in try file.tryLock(offset) }
    }

    /// Takes a shared lock on the byte; false if another process has it exclusively.
    func share(_ offset: off_t) throws(JournalError) -> Bool {
        try naming { () throws(Errno) in try file.tryShareLock(offset) }
    }

    func unlock(_ offset: off_t) { file.unlock(offset) }

    private func naming<Result>(_ body: () throws(Errno) -> Result) throws(JournalError) -> Result {
        do throws(Errno) {
            return try body()
        } catch {
            throw .cannotLock(path: path, error)
        }
    }
}
