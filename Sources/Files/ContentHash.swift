import TintypeCryptography

/// Computes a hash while bytes are read or written, so that no file is read twice. Not thread-safe.
package final class ContentHash {
    /// One of the two.
    private var blake3: BLAKE3?
    private var sha256: SHA256?

    package init(_ algorithm: ContentDigest.Algorithm) {
        switch algorithm {
        case .blake3: blake3 = BLAKE3()
        case .sha256: sha256 = SHA256()
        }
    }

    package func observe(_ bytes: UnsafeRawBufferPointer) {
        blake3?.update(bytes)
        sha256?.update(bytes)
    }

    /// The hash of the bytes so far.
    package var digest: ContentDigest {
        if let blake3 { return ContentDigest(.blake3, blake3.digest().hexadecimal) }
        return ContentDigest(.sha256, sha256?.digest().hexadecimal ?? "")
    }

    /// SHA-256 of some bytes, in hexadecimal.
    package static func of(_ bytes: [UInt8]) -> String { SHA256.hash(bytes).hexadecimal }

    /// The digits of a `short` hash.
    package static let shortLength = 16

    /// The first digits of the hash of some bytes, which tell filters' files and kernels apart.
    package static func short(of bytes: [UInt8]) -> String { String(of(bytes).prefix(shortLength)) }

    /// The first eight bytes of a text's hash, which tell a million texts apart.
    package static func number(of text: String) -> UInt64 { SHA256.hash(text).words[0] }
}
