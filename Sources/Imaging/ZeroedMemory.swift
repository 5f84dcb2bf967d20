import Foundation
import Glibc

/// A photo needs more memory than there is.
public struct OutOfMemory: Error, Hashable, Sendable {
    /// The size of the allocation that failed, in bytes.
    public let byteCount: Int
}

extension OutOfMemory: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    public var description: String {
        "There is not enough memory for this photo: \(byteCount.mebibytes) MiB more could not be had. "
            + "Use fewer workers (-j), or close other programs."
    }
}

extension UnsafeMutableRawPointer {
    /// Zeroed memory, aligned to `StripShape.alignment`. Free it with `Glibc.free`.
    ///
    /// For sizes that a file's header decides: Swift's own `allocate` ends the process if memory runs out.
    package static func zeroed(byteCount: Int) throws(OutOfMemory) -> UnsafeMutableRawPointer {
        var address: UnsafeMutableRawPointer?
        guard posix_memalign(&address, StripShape.alignment, max(byteCount, 1)) == 0, let address else {
            throw OutOfMemory(byteCount: byteCount)
        }
        memset(address, 0, byteCount)
        return address
    }
}

extension Int {
    /// MiB, rounded up, for messages.
    package var mebibytes: Int { dividedRoundingUp(by: 1 << 20) }
}
