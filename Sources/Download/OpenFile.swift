import Glibc

/// An open file, closed when the last reference goes.
final class OpenFile: Sendable {
    let descriptor: Int32

    init(owning descriptor: Int32) {
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// - Throws: `DownloadError.storage`.
    static func open(
        _ path: String, _ flags: Int32, mode: mode_t = 0o600
    ) throws(DownloadError) -> OpenFile {
        let descriptor = retryingInterrupts { Glibc.open(path, flags | O_CLOEXEC, mode) }
        guard descriptor >= 0 else { throw .storage(path: path, reason: errorText()) }
        return OpenFile(owning: descriptor)
    }

    /// A file without a name in `directory`: it is gone with its last descriptor, even when the process is
    /// killed.
    ///
    /// - Throws: `DownloadError.storage`.
    static func unnamed(in directory: String) throws(DownloadError) -> OpenFile {
        let path = "\(directory)/.tintype-download." + String(UInt64.random(in: 0...UInt64.max), radix: 16)
        let file: OpenFile
        do throws(DownloadError) {
            file = try open(path, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW)
        } catch {
            throw .storage(path: directory, reason: errorText())
        }
        guard unlink(path) == 0 else { throw .storage(path: path, reason: errorText()) }
        return file
    }

    /// Nil where the file's facts cannot be read.
    var status: stat? {
        var status = stat()
        return fstat(descriptor, &status) == 0 ? status : nil
    }
}

/// What `errno` says, in words.
func errorText(_ code: Int32 = errno) -> String {
    String(cString: strerror(code))
}

/// Calls again for as long as a signal interrupts the call.
func retryingInterrupts<Result: SignedInteger>(_ call: () -> Result) -> Result {
    while true {
        let result = call()
        if result != -1 || errno != EINTR { return result }
    }
}

extension stat {
    var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}
