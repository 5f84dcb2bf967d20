import Foundation

/// A lock on one byte of an open file that belongs to the open file description.
///
/// Threads of one process and different processes see it alike where each opened the file itself, and the
/// kernel lets go of it when the last holder dies, however it dies: there are no stale locks. See fcntl(2),
/// `F_OFD_SETLK`.
enum FileLock {
    /// True once the byte is taken; false with `errno` set to `EAGAIN` where somebody else has it.
    static func take(_ descriptor: Int32, at offset: off_t, waits: Bool) -> Bool {
        control(descriptor, waits ? setLockWaiting : setLock, F_WRLCK, offset)
    }

    /// Takes a byte together with others who share it, or gives up the sole right to it; false with `errno`
    /// set to `EAGAIN` where somebody has it alone. Does not wait.
    static func share(_ descriptor: Int32, at offset: off_t) -> Bool {
        control(descriptor, setLock, F_RDLCK, offset)
    }

    static func release(_ descriptor: Int32, at offset: off_t) {
        _ = control(descriptor, setLock, F_UNLCK, offset)
    }

    // F_OFD_SETLK and F_OFD_SETLKW, which fcntl.h shows under _GNU_SOURCE only; the same on all
    // architectures.
    private static let setLock: Int32 = 37
    private static let setLockWaiting: Int32 = 38

    private static func control(_ descriptor: Int32, _ command: Int32, _ type: Int32, _ offset: off_t) -> Bool
    {
        var range = flock()
        range.l_type = Int16(type)
        range.l_whence = Int16(SEEK_SET)
        range.l_start = offset
        range.l_len = 1
        while fcntl(descriptor, command, &range) != 0 {
            if errno != EINTR { return false }
        }
        return true
    }
}
