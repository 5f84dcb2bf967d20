import Foundation
import Glibc

/// A photo needs more memory than there is.
public struct OutOfMemory: Error, Hashable, Sendable {
    /// The size of the allocation that failed, in bytes.
    public let byteCount: Int
}

extension OutOfMemory: AdvisedError {
    public var problem: String {
        "There is not enough memory for this photo: \(byteCount.mebibytes) MiB more could not be had."
    }

    public var recoverySuggestion: String? { Wording.fewerWorkers.text }
}

extension UnsafeMutableRawPointer {
    /// Zeroed memory, aligned to `StripShape.alignment`. Return it with `releaseZeroed`.
    ///
    /// For sizes that a file's header decides: Swift's own `allocate` ends the process if memory runs out.
    /// Large blocks are mapped, because malloc keeps freed ones for their thread, and then takes new memory
    /// for the next photo's thread.
    package static func zeroed(byteCount: Int) throws(OutOfMemory) -> UnsafeMutableRawPointer {
        if byteCount >= leastMapped {
            let flags = MAP_PRIVATE | MAP_ANONYMOUS
            guard let address = mmap(nil, byteCount, PROT_READ | PROT_WRITE, flags, -1, 0),
                address != MAP_FAILED
            else { throw OutOfMemory(byteCount: byteCount) }
            return address
        }
        var address: UnsafeMutableRawPointer?
        guard posix_memalign(&address, StripShape.alignment, max(byteCount, 1)) == 0, let address else {
            throw OutOfMemory(byteCount: byteCount)
        }
        memset(address, 0, byteCount)
        return address
    }

    /// Returns the memory that `zeroed` gave for `byteCount`.
    package func releaseZeroed(byteCount: Int) {
        if byteCount >= Self.leastMapped { munmap(self, byteCount) } else { free(self) }
    }

    /// The size of blocks from which on they are mapped, in bytes.
    private static let leastMapped = 256 << 10
}

extension Int {
    /// MiB, rounded up, for messages.
    package var mebibytes: Int { dividedRoundingUp(by: 1 << 20) }
}
