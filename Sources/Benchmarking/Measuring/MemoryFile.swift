import CBenchmark
import Foundation

/// A file that lies in memory, for encoders: some write to a descriptor, some to memory.
final class MemoryFile {
    let descriptor: Int32
    /// The file's first bytes, which are there from the beginning; empty where none were asked for.
    let memory: UnsafeMutableRawBufferPointer

    /// - Parameter capacity: bytes to take ahead, so that the first photo does not pay for fresh memory. The
    ///   file grows where that is too little.
    /// - Throws: `BenchmarkError.noMemoryFile`.
    init(capacity: Int = 0) throws(BenchmarkError) {
        descriptor = CBenchmarkMemoryFile("tintype bench")
        guard descriptor >= 0 else { throw Self.error(errno) }
        guard capacity > 0 else {
            memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
            return
        }
        let code = posix_fallocate(descriptor, 0, off_t(capacity))
        let address = mmap(
            nil, capacity, PROT_READ | PROT_WRITE, Int32(MAP_SHARED) | Int32(MAP_POPULATE), descriptor, 0)
        guard code == 0, let address, address != MAP_FAILED else {
            let number = code == 0 ? errno : code
            close(descriptor)
            throw Self.error(number)
        }
        memory = UnsafeMutableRawBufferPointer(start: address, count: capacity)
    }

    deinit {
        if let address = memory.baseAddress { munmap(address, memory.count) }
        close(descriptor)
    }

    /// How many bytes were written since `rewind`.
    var byteCount: Int { max(0, Int(lseek(descriptor, 0, SEEK_CUR))) }

    /// Begins anew; the memory stays.
    func rewind() { lseek(descriptor, 0, SEEK_SET) }

    /// The bytes that were written since `rewind`.
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
