import SystemPackage
import TintypeImaging

/// Writes to a descriptor, which may be a pipe, or into memory.
package final class ByteOutput {
    /// The error, after `write` has returned false.
    package private(set) var failure: CodecError?
    /// What was written into memory.
    private(set) var bytes: [UInt8] = []
    private(set) var byteCount = 0
    /// Nil for memory.
    private let fileDescriptor: Int32?
    private let limit: Int
    private let errorAtLimit: CodecError
    private let observer: (any ByteObserver)?

    /// Writes into memory.
    ///
    /// - Parameter limit: the most bytes; beyond, writing fails with `error`.
    init(limit: Int = .max, error: CodecError = .outOfMemory) {
        (fileDescriptor, observer) = (nil, nil)
        (self.limit, errorAtLimit) = (limit, error)
    }

    /// - Parameter limit: as for memory.
    init(
        fileDescriptor: Int32, observer: (any ByteObserver)? = nil, limit: Int = .max,
        error: CodecError = .outOfMemory
    ) {
        self.fileDescriptor = fileDescriptor
        self.observer = observer
        (self.limit, errorAtLimit) = (limit, error)
    }

    /// An output of as many bytes as are left of the limit, which can be read back: in memory if this one is, or else in a file.
    ///
    /// - Parameter scratch: the descriptor of that file, which is empty, for reading and writing; nil for memory.
    func keeping(in scratch: Int32?) -> ByteOutput {
        let left = limit - byteCount
        guard fileDescriptor != nil, let scratch else { return ByteOutput(limit: left, error: errorAtLimit) }
        return ByteOutput(fileDescriptor: scratch, limit: left, error: errorAtLimit)
    }

    /// A look at what was written to an output of `keeping(in:)`.
    func lookBack() -> ByteLookAhead {
        ByteLookAhead(fileDescriptor.map { .file($0) } ?? .memory(bytes), start: 0, byteCount: byteCount)
    }

    package func writeAll(_ bytes: UnsafeRawBufferPointer) throws(CodecError) {
        guard write(bytes) else { throw failure ?? .writeFailed(.ioError) }
    }

    package func writeAll(_ bytes: [UInt8]) throws(CodecError) { try writeAll(bytes[...]) }

    package func writeAll(_ bytes: ArraySlice<UInt8>) throws(CodecError) {
        let isWritten = bytes.withUnsafeBytes { write($0) }
        guard isWritten else { throw failure ?? .writeFailed(.ioError) }
    }

    /// Writes all bytes, or returns false.
    package func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard bytes.count <= limit - byteCount else {
            failure = errorAtLimit
            return false
        }
        byteCount += bytes.count
        guard let fileDescriptor else {
            self.bytes += bytes
            return true
        }
        var rest = bytes[...]
        while !rest.isEmpty {
            let slice = UnsafeRawBufferPointer(rebasing: rest)
            let count: Int
            do {
                count = try PhotoPhase.write.measure {
                    try FileDescriptor(rawValue: fileDescriptor).write(slice)
                }
            } catch {
                failure = .writeFailed(error as? Errno ?? .ioError)
                return false
            }
            if let observer {
                PhotoPhase.hash.measure {
                    observer.observe(UnsafeRawBufferPointer(rebasing: slice.prefix(count)))
                }
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
