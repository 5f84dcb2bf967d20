import Foundation

/// An open file, closed when this value's life ends.
package struct Descriptor: ~Copyable, Sendable {
    package let number: Int32

    /// Takes over a descriptor that is open.
    package init(owning number: Int32) { self.number = number }

    /// Opens an existing file for reading.
    package init(reading path: String) throws(SystemError) {
        // Not blocking: opening a pipe must not wait for its writer. Regular files do not care.
        number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard number >= 0 else { throw SystemError(call: "open") }
    }

    /// Creates a file that must not exist yet.
    ///
    /// - Parameter permissions: whatever the user's umask says; nil is what it leaves.
    package init(creating path: String, permissions: mode_t? = nil) throws(SystemError) {
        number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, permissions ?? 0o666)
        guard number >= 0 else { throw SystemError(call: "open") }
        // Some file systems have no permissions to keep.
        if let permissions { fchmod(number, permissions) }
    }

    /// A file without a name in the temporary folder, for bytes that come through a pipe.
    package static func anonymous() throws(SystemError) -> Descriptor {
        var template = Array((NSTemporaryDirectory() + "/tintype-XXXXXX").utf8CString)
        let number = mkstemp(&template)
        guard number >= 0 else { throw SystemError(call: "mkstemp") }
        unlink(template)
        return Descriptor(owning: number)
    }

    deinit { close(number) }

    package func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemError(call: "fstat") }
        return status
    }

    package func rewind() throws(SystemError) {
        guard lseek(number, 0, SEEK_SET) == 0 else { throw SystemError(call: "lseek") }
    }

    /// The file's first bytes, at most `count` of them.
    package func firstBytes(_ count: Int) throws(SystemError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        var filled = 0
        while filled < count {
            let got = bytes.withUnsafeMutableBytes {
                pread(number, $0.baseAddress! + filled, count - filled, off_t(filled))
            }
            if got == 0 { break }
            if got > 0 { filled += got } else if errno != EINTR { throw SystemError(call: "read") }
        }
        return Array(bytes.prefix(filled))
    }
}

/// Copies everything from one descriptor to another, from where both stand.
package func copyBytes(from source: Int32, to destination: Int32) throws(SystemError) {
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
        let got = read(source, &buffer, buffer.count)
        if got == 0 { return }
        if got < 0 {
            if errno == EINTR { continue }
            throw SystemError(call: "read")
        }
        var written = 0
        while written < got {
            let count = buffer.withUnsafeBytes {
                write(destination, $0.baseAddress! + written, got - written)
            }
            if count >= 0 { written += count } else if errno != EINTR { throw SystemError(call: "write") }
        }
    }
}
