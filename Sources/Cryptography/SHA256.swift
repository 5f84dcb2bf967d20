import CTintypeLibCrypto

/// Computes SHA-256 of bytes that come in parts.
package struct SHA256: ~Copyable {
    private let context = allocated(EVP_MD_CTX_new())

    package init() { check(EVP_DigestInit_ex2(context, Algorithm.sha256.pointer, nil)) }

    deinit { EVP_MD_CTX_free(context) }

    package mutating func update(_ bytes: UnsafeRawBufferPointer) {
        check(EVP_DigestUpdate(context, bytes.baseAddress, bytes.count))
    }

    /// The hash of the bytes so far. More may follow.
    package borrowing func digest() -> Digest {
        let copy = allocated(EVP_MD_CTX_new())
        defer { EVP_MD_CTX_free(copy) }
        check(EVP_MD_CTX_copy_ex(copy, context))
        return Digest { check(EVP_DigestFinal_ex(copy, $0, nil)) }
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Digest {
        Digest {
            check(EVP_Digest(bytes.baseAddress, bytes.count, $0, nil, Algorithm.sha256.pointer, nil))
        }
    }

    package static func hash(_ bytes: [UInt8]) -> Digest { bytes.withUnsafeBytes(hash) }

    /// The hash of a text in UTF-8.
    package static func hash(_ text: String) -> Digest {
        var text = text
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }
}
