import CTintypeBLAKE3

/// Computes BLAKE3 of bytes that come in parts. Parts of 16 KiB or more make use of the processor's vectors.
package struct BLAKE3 {
    private var hasher = BLAKE3.empty

    package init() {}

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        blake3_hasher_update(&hasher, bytes.baseAddress, bytes.count)
    }

    /// The hash of the bytes so far. More may follow.
    package func digest() -> Digest {
        withUnsafePointer(to: hasher) { hasher in
            Digest { blake3_hasher_finalize(hasher, $0, Int(BLAKE3_OUT_LEN)) }
        }
    }

    package static func hash(_ bytes: [UInt8]) -> Digest {
        var hash = BLAKE3()
        bytes.withUnsafeBytes { hash.update($0) }
        return hash.digest()
    }

    /// A hasher without bytes. The first call that hashes looks for the processor's vectors, and keeps that without a lock, so it
    /// is made here, once.
    private static let empty: blake3_hasher = {
        var hasher = blake3_hasher()
        blake3_hasher_init(&hasher)
        var digest = [UInt8](repeating: 0, count: Int(BLAKE3_OUT_LEN))
        blake3_hasher_finalize(&hasher, &digest, digest.count)
        return hasher
    }()
}
