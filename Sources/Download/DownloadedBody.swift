import Glibc

/// The bytes of a finished download: a file without a name on this machine's disk, or the local file of a
/// `file` URL.
///
/// It is not held in memory, so a batch of large photos costs disk space only, and it is gone when the last
/// reference goes, even where the process is killed. Several waiters of one download share it: read with
/// offsets, as `pread` and `mmap` do, and never move the descriptor's own position.
package final class DownloadedBody: Sendable {
    package let byteCount: Int
    private let file: OpenFile

    init(_ file: OpenFile, byteCount: Int) {
        self.file = file
        self.byteCount = byteCount
    }

    /// Valid for as long as this body lives; the body closes it.
    package var fileDescriptor: Int32 { file.descriptor }

    /// Reads up to `buffer.count` bytes that start at `offset`.
    ///
    /// - Returns: how many; fewer than asked for only at the end.
    /// - Throws: `DownloadError.storage`.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(DownloadError) -> Int {
        var count = 0
        while count < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
            let result = retryingInterrupts {
                pread(file.descriptor, rest.baseAddress, rest.count, offset + count)
            }
            guard result >= 0 else { throw .storage(path: "A downloaded body", reason: errorText()) }
            if result == 0 { break }
            count += result
        }
        return count
    }

    /// The whole body in memory. Meant for small ones: `byteCount` says how small.
    ///
    /// - Throws: `DownloadError.storage`.
    package func bytes() throws(DownloadError) -> [UInt8] {
        var failure: DownloadError?
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { buffer, count in
            do throws(DownloadError) {
                count = try read(into: UnsafeMutableRawBufferPointer(buffer), at: 0)
            } catch {
                failure = error
            }
        }
        if let failure { throw failure }
        return bytes
    }
}
