import CTintypeLibCrypto

/// MD5, for formats of files that ask for it. It is broken: it does not show that bytes are unchanged.
package enum MD5 {
    /// The 16 bytes of the hash.
    package static func hash(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 16) { digest, count in
            check(
                EVP_Digest(bytes, bytes.count, digest.baseAddress, nil, Algorithm.md5.pointer, nil))
            count = 16
        }
    }
}
