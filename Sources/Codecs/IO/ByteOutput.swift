import Glibc

/// Writes to a descriptor, which may be a pipe.
final class ByteOutput {
    /// What went wrong, once `write` has returned false.
    private(set) var failure: CodecError?
    private let fileDescriptor: Int32

    init(fileDescriptor: Int32) {
        self.fileDescriptor = fileDescriptor
    }

    /// Writes all of the bytes, or returns false.
    func write(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let slice = UnsafeRawBufferPointer(rebasing: rest)
            let count = Glibc.write(fileDescriptor, slice.baseAddress, slice.count)
            if count < 0 {
                if errno == EINTR { continue }
                failure = .writeFailed(reason: errorText(errno))
                return false
            }
            rest = rest.dropFirst(count)
        }
        return true
    }
}
