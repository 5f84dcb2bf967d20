import Files
import Foundation
import SystemPackage

/// The lock file of a journal: one byte for the journal itself, one for each output's name. The bytes need
/// not exist.
struct RangeLocks: ~Copyable, Sendable {
    private let path: String
    private let file: OpenFile

    /// The byte that is the journal's own.
    static let journal: off_t = 0
    /// The byte that every run shares while it is at work: behind those of all outputs.
    static let runs: off_t = 1 << 62 + 1

    init(path: String) throws(JournalError) {
        self.path = path
        do throws(Errno) {
            file = try OpenFile(path, .readWrite, .create)
        } catch {
            throw .cannotOpen(path: path, error)
        }
    }

    /// Waits until the byte is free, and takes it.
    func lock(_ offset: off_t) throws(JournalError) {
        try naming { () throws(Errno) in try file.lock(offset) }
    }

    /// Takes the byte; false where another process has it.
    func tryLock(_ offset: off_t) throws(JournalError) -> Bool {
        try naming { () throws(Errno) in try file.tryLock(offset) }
    }

    /// Takes the byte together with others who share it; false where another process has it alone.
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
