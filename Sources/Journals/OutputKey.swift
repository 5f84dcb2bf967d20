import Crypto
import Foundation

/// An output's name as 16 bytes: what the index of a million receipts holds in place of paths.
///
/// SHA-256, cut: two of a million names meet with a chance below 1e-26.
package struct OutputKey: Hashable {
    private let high: UInt64
    private let low: UInt64

    package init(_ output: String) {
        var (high, low): (UInt64, UInt64) = (0, 0)
        for (index, byte) in SHA256.hash(data: Data(output.utf8)).prefix(16).enumerated() {
            if index < 8 { high = high << 8 | UInt64(byte) } else { low = low << 8 | UInt64(byte) }
        }
        (self.high, self.low) = (high, low)
    }

    /// The byte that stands for this output in the lock file: any but the first, which is the journal's.
    var lockOffset: off_t { off_t(high >> 2) + 1 }
}
