import Crypto
import Foundation

/// A 16-byte hash of an output's name, which the journal's index holds instead of paths.
///
/// It is a truncated SHA-256: among a million names, the probability of a collision is below 1e-26.
package struct OutputKey: Hashable {
    private let high: UInt64
    private let low: UInt64

    package init(_ output: String) {
        var (high, low): (UInt64, UInt64) = (0, 0)
        var text = output, hash = SHA256()
        text.withUTF8 { hash.update(bufferPointer: UnsafeRawBufferPointer($0)) }
        for (index, byte) in hash.finalize().prefix(16).enumerated() {
            if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        (self.high, self.low) = (high, low)
    }

    /// Offset of this output's byte in the lock file. The first byte is the journal's.
    var lockOffset: off_t { off_t(high >> 2) + 1 }
}
