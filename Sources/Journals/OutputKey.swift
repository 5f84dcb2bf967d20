import Foundation
import TintypeCryptography

/// A 16-byte hash of an output's name, which the journal's index holds instead of paths.
///
/// It is a truncated SHA-256: among a million names, the probability of a collision is below 1e-26.
package struct OutputKey: Hashable {
    private let high: UInt64
    private let low: UInt64

    package init(_ output: String) {
        let words = SHA256.hash(output).words
        (high, low) = (words[0], words[1])
    }

    /// Offset of this output's byte in the lock file. The first byte is the journal's.
    var lockOffset: off_t { off_t(high >> 2) + 1 }
}
