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
        let alignment = StripShape.alignment
        guard let block = calloc(byteCount + alignment, 1) else { throw OutOfMemory(byteCount: byteCount) }
        // The allocation is kept before the address: posix_memalign of glibc before 2.38 takes new memory although enough was
        // freed (sourceware.org bug 14581).
        let address = (block + 1).alignedUp(toMultipleOf: alignment)
        (address - pointerSize).storeBytes(of: block, as: UnsafeMutableRawPointer.self)
        return address
    }

    /// Returns the memory that `zeroed` gave for `byteCount`.
    package func releaseZeroed(byteCount: Int) {
        if byteCount >= Self.leastMapped {
            munmap(self, byteCount)
        } else {
            free((self - Self.pointerSize).load(as: UnsafeMutableRawPointer.self))
        }
    }

    /// The size of blocks from which on they are mapped, in bytes.
    private static let leastMapped = 256 << 10
    private static let pointerSize = MemoryLayout<UnsafeMutableRawPointer>.size
}

extension Int {
    /// MiB, rounded up, for messages.
    package var mebibytes: Int { dividedRoundingUp(by: 1 << 20) }
}
