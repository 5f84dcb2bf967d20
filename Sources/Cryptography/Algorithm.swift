import CTintypeLibCrypto

/// An algorithm of libcrypto, fetched once for the process: a fetch for each hash is slower than the hash of a short text.
///
/// They come from a library context of Tintype's own, so that the system's openssl.cnf takes none of them away. Policies
/// leave out MD5, for example, which file formats ask for.
// @unchecked: libcrypto does not change a fetched algorithm, and counts its references atomically.
struct Algorithm: @unchecked Sendable {
    let pointer: OpaquePointer

    static let sha256 = Algorithm(EVP_MD_fetch(context.pointer, "SHA256", nil))
    static let md5 = Algorithm(EVP_MD_fetch(context.pointer, "MD5", nil))
    static let aes256GCM = Algorithm(EVP_CIPHER_fetch(context.pointer, "AES-256-GCM", nil))
    private static let context = Algorithm(OSSL_LIB_CTX_new())

    private init(_ pointer: OpaquePointer?) { self.pointer = allocated(pointer) }
}

/// The object that libcrypto has made. Without memory for it the process ends, as with Swift's own objects.
func allocated(_ object: OpaquePointer?) -> OpaquePointer {
    guard let object else { fatalError("libcrypto could not make an object: memory is short.") }
    return object
}

/// Ends the process if a call of libcrypto has failed. Hashing and encrypting in memory can only fail for want of memory.
func check(_ status: CInt) {
    guard status == 1 else { fatalError("libcrypto failed: memory is short.") }
}
