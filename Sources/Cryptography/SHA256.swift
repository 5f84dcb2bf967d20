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
        return Digest { EVP_DigestFinal_ex(copy, $0, nil) }
    }

    package static func hash(_ bytes: UnsafeRawBufferPointer) -> Digest {
        Digest { EVP_Digest(bytes.baseAddress, bytes.count, $0, nil, Algorithm.sha256.pointer, nil) }
    }

    package static func hash(_ bytes: [UInt8]) -> Digest { bytes.withUnsafeBytes(hash) }

    /// The hash of a text in UTF-8.
    package static func hash(_ text: String) -> Digest {
        var text = text
        return text.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
    }

    /// A SHA-256 hash.
    package struct Digest: Hashable, Sendable {
        /// The hash as four big-endian numbers.
        package let words: SIMD4<UInt64>

        fileprivate init(_ write: (UnsafeMutablePointer<UInt8>?) -> CInt) {
            var words = SIMD4<UInt64>()
            withUnsafeMutableBytes(of: &words) {
                check(write($0.baseAddress?.assumingMemoryBound(to: UInt8.self)))
            }
            self.words = SIMD4(
                UInt64(bigEndian: words[0]), UInt64(bigEndian: words[1]), UInt64(bigEndian: words[2]),
                UInt64(bigEndian: words[3]))
        }

        package var hexadecimal: String {
            words.indices.map { index in
                let digits = String(words[index], radix: 16)
                return String(repeating: "0", count: 16 - digits.count) + digits
            }.joined()
        }
    }
}
