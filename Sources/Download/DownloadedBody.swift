import SystemPackage
import TintypeFiles

/// The bytes of a finished download: an unnamed file on the local disk, or the file of a `file` URL.
///
/// It takes disk space instead of memory, and the unnamed file disappears with the last reference, even if
/// the process is killed. Several waiters of one download share it, so read at offsets, as `pread` and `mmap`
/// do, and never move the descriptor's position.
package final class DownloadedBody: Sendable {
    package let byteCount: Int
    private let file: SharedFile

    init(_ file: SharedFile, byteCount: Int) {
        self.file = file
        self.byteCount = byteCount
    }

    /// Valid until this body is released, which closes it.
    package var fileDescriptor: Int32 { file.file.number }

    /// Reads up to `buffer.count` bytes starting at `offset`.
    ///
    /// - Returns: the number of bytes read; fewer only at the end.
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

    /// Loads the whole body into memory. Check `byteCount` first.
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
