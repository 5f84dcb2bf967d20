import Foundation

/// The lock file of a journal: one byte for the journal itself, one for each output's name. The bytes need
/// not exist.
struct RangeLocks: ~Copyable, Sendable {
    private let path: String
    private let descriptor: Descriptor

    /// The byte that is the journal's own.
    static let journal: off_t = 0
    /// The byte that every run shares while it is at work: behind those of all outputs.
    static let runs: off_t = 1 << 62 + 1

    init(path: String) throws(JournalError) {
        self.path = path
        let number = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o666)
        guard number >= 0 else {
            throw .cannotOpen(path: path, reason: SystemError(call: "open").description)
        }
        descriptor = Descriptor(owning: number)
    }

    /// Waits until the byte is free, and takes it.
    func lock(_ offset: off_t) throws(JournalError) {
        guard FileLock.take(descriptor.number, at: offset, waits: true) else { throw refusal() }
    }

    /// Takes the byte; false where another process has it.
    func tryLock(_ offset: off_t) throws(JournalError) -> Bool {
        if FileLock.take(descriptor.number, at: offset, waits: false) { return true }
        guard errno == EAGAIN || errno == EACCES else { throw refusal() }
        return false
    }

    /// Takes the byte together with others who share it; false where another process has it alone.
    func share(_ offset: off_t) throws(JournalError) -> Bool {
        if FileLock.share(descriptor.number, at: offset) { return true }
        guard errno == EAGAIN || errno == EACCES else { throw refusal() }
        return false
    }

    func unlock(_ offset: off_t) { FileLock.release(descriptor.number, at: offset) }

    private func refusal() -> JournalError {
        .cannotLock(path: path, reason: SystemError(call: "fcntl").description)
    }
}
