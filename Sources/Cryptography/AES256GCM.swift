import CTintypeLibCrypto

/// Authenticated encryption with AES-256 in Galois/Counter Mode (NIST SP 800-38D).
///
/// Sealed bytes are 12 bytes of nonce, the ciphertext, and 16 bytes of tag.
package struct AES256GCM: Sendable {
    private static let nonceByteCount = 12
    private static let tagByteCount = 16
    /// How much longer bytes are when they are sealed.
    package static let overhead = nonceByteCount + tagByteCount

    private let key: [UInt8]

    /// - Parameter key: 32 bytes.
    package init(key: [UInt8]) {
        precondition(key.count == 32, "a key of AES-256 has 32 bytes")
        self.key = key
    }

    /// Decrypts; nil if the bytes are too short, were sealed with another key, or were changed.
    package func open(_ sealed: [UInt8]) -> [UInt8]? {
        guard sealed.count >= Self.overhead else { return nil }
        let context = started(nonce: sealed.prefix(Self.nonceByteCount), encrypts: false)
        defer { EVP_CIPHER_CTX_free(context) }
        let bytes = Self.pass(
            sealed[Self.nonceByteCount..<sealed.count - Self.tagByteCount], through: context)
        var tag = Array(sealed.suffix(Self.tagByteCount))
        check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, CInt(tag.count), &tag))
        return Self.isFinal(context) ? bytes : nil
    }

    /// Encrypts with a nonce made at random.
    package func seal(_ bytes: [UInt8]) -> [UInt8] {
        let nonce = (0..<Self.nonceByteCount).map { _ in UInt8.random(in: 0...255) }
        let context = started(nonce: nonce[...], encrypts: true)
        defer { EVP_CIPHER_CTX_free(context) }
        let ciphertext = Self.pass(bytes[...], through: context)
        check(Self.isFinal(context) ? 1 : 0)
        var tag = [UInt8](repeating: 0, count: Self.tagByteCount)
        check(EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, CInt(tag.count), &tag))
        return nonce + ciphertext + tag
    }

    /// The caller frees the result.
    private func started(nonce: ArraySlice<UInt8>, encrypts: Bool) -> OpaquePointer {
        let context = allocated(EVP_CIPHER_CTX_new()), algorithm = Algorithm.aes256GCM.pointer
        nonce.withUnsafeBufferPointer {
            check(EVP_CipherInit_ex2(context, algorithm, key, $0.baseAddress, encrypts ? 1 : 0, nil))
        }
        return context
    }

    private static func pass(_ bytes: ArraySlice<UInt8>, through context: OpaquePointer) -> [UInt8] {
        bytes.withUnsafeBufferPointer { input in
            [UInt8](unsafeUninitializedCapacity: input.count) { output, count in
                guard let source = input.baseAddress, let target = output.baseAddress else { return }
                while count < input.count {
                    // libcrypto counts in 32 bits.
                    let part = CInt(min(input.count - count, 1 << 30))
                    var written: CInt = 0
                    check(EVP_CipherUpdate(context, target + count, &written, source + count, part))
                    count += Int(written)
                }
            }
        }
    }

    /// Makes the tag, or compares it. False if it is another one.
    private static func isFinal(_ context: OpaquePointer) -> Bool {
        // No byte is left to be written, but the parameter is not optional.
        var (nothing, count): (UInt8, CInt) = (0, 0)
        return EVP_CipherFinal_ex(context, &nothing, &count) == 1
    }
}
