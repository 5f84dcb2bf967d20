import Files
import SystemPackage

/// The bytes of a finished download: a file without a name on this machine's disk, or the local file of a
/// `file` URL.
///
/// It is not held in memory, so a batch of large photos costs disk space only, and it is gone when the last
/// reference goes, even where the process is killed. Several waiters of one download share it: read with
/// offsets, as `pread` and `mmap` do, and never move the descriptor's own position.
package final class DownloadedBody: Sendable {
    package let byteCount: Int
    private let file: SharedFile

    init(_ file: SharedFile, byteCount: Int) {
        self.file = file
        self.byteCount = byteCount
    }

    /// Valid for as long as this body lives; the body closes it.
    package var fileDescriptor: Int32 { file.file.number }

    /// Reads up to `buffer.count` bytes that start at `offset`.
    ///
    /// - Returns: how many; fewer than asked for only at the end.
    /// - Throws: `DownloadError.storage`.
    package func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(DownloadError) -> Int {
        do throws(Errno) {
            return try file.file.read(into: buffer, at: offset)
        } catch {
            throw .storage(path: "A downloaded body", error)
        }
    }

    /// The whole body in memory. Meant for small ones: `byteCount` says how small.
    ///
    /// - Throws: `DownloadError.storage`.
    package func bytes() throws(DownloadError) -> [UInt8] {
        do throws(Errno) {
            return try file.file.bytes(at: 0, count: byteCount)
        } catch {
            throw .storage(path: "A downloaded body", error)
        }
    }
}
