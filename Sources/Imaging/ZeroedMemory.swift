import Foundation
import Glibc

/// There is not enough memory for what a photo needs.
public struct OutOfMemory: Error, Hashable, Sendable {
    /// Bytes that were asked for in one piece.
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
    /// Memory of zeros, at an address that is a multiple of `StripShape.alignment`. `Glibc.free` gives it back.
    ///
    /// For sizes that a file's header decides: Swift's own `allocate` ends the process where there is no memory.
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
    /// Bytes as MiB, rounded up, for messages.
    package var mebibytes: Int { dividedRoundingUp(by: 1 << 20) }
}
