import Foundation
import SystemPackage

/// Locks on single bytes of an open file, which belong to the open file description.
///
/// They exclude threads of one process as well as other processes, if each opened the file itself. The kernel
/// releases a lock when its last holder dies, so there are no stale locks. The bytes need not exist. See
/// fcntl(2), `F_OFD_SETLK`.
extension OpenFile {
    /// Locks the byte exclusively; waits until it is free.
    package func lock(_ offset: off_t) throws(Errno) {
        _ = try control(Self.setLockWaiting, F_WRLCK, offset)
    }

    /// Locks the byte exclusively; false if another holder has it.
    package func tryLock(_ offset: off_t) throws(Errno) -> Bool {
        try control(Self.setLock, F_WRLCK, offset)
    }

    /// Takes a shared lock on the byte, or turns an exclusive one into it; false if another holder has it
    /// exclusively.
    package func tryShareLock(_ offset: off_t) throws(Errno) -> Bool {
        try control(Self.setLock, F_RDLCK, offset)
    }

    package func unlock(_ offset: off_t) { _ = try? control(Self.setLock, F_UNLCK, offset) }

    /// Locks the whole file or folder exclusively with flock(2); false if another holder has it.
    package func tryLockWhole() throws(Errno) -> Bool {
        while flock(number, LOCK_EX | LOCK_NB) != 0 {
            if errno == EWOULDBLOCK { return false }
            if errno != EINTR { throw .last }
        }
        return true
    }

    // F_OFD_SETLK and F_OFD_SETLKW, which fcntl.h defines under _GNU_SOURCE only; equal on all architectures.
    private static let setLock: Int32 = 37
    private static let setLockWaiting: Int32 = 38

    private func control(_ command: Int32, _ type: Int32, _ offset: off_t) throws(Errno) -> Bool {
        var range = Glibc.flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = offset
        range.l_len = 1
        while fcntl(number, command, &range) != 0 {
            if errno == EAGAIN || errno == EACCES { return false }
            if errno != EINTR { throw .last }
        }
        return true
    }
}
