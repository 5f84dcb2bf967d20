import CTintypeBenchmark
import Foundation

/// A file in memory that encoders write to.
final class MemoryFile: Sendable {
    let descriptor: Int32

    /// - Parameter capacity: bytes to allocate, so that the time of the first photo does not include
    ///   allocation. The file grows if it needs more.
    /// - Throws: `BenchmarkError.noMemoryFile`.
    init(capacity: Int = 0) throws(BenchmarkError) {
        descriptor = cbenchmark_memory_file("tintype bench")
        guard descriptor >= 0 else { throw Self.error(errno) }
        let code = capacity > 0 ? posix_fallocate(descriptor, 0, off_t(capacity)) : 0
        guard code == 0 else {
            close(descriptor)
            throw Self.error(code)
        }
    }

    deinit { close(descriptor) }

    /// The number of bytes written since `rewind`.
    var byteCount: Int { max(0, Int(lseek(descriptor, 0, SEEK_CUR))) }

    /// Starts again at the first byte, without freeing memory.
    func rewind() { lseek(descriptor, 0, SEEK_SET) }

    /// The bytes written since `rewind`.
    func bytes() -> [UInt8] {
        let count = byteCount
        return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let got = pread(
                    descriptor, buffer.baseAddress.map { $0 + filled }, count - filled, off_t(filled))
                if got <= 0 { break }
                filled += got
            }
        }
    }

    private static func error(_ number: Int32) -> BenchmarkError {
        .noMemoryFile(reason: String(cString: strerror(number)))
    }
}
