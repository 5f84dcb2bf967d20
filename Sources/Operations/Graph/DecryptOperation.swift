import Foundation
import Logging
import TintypePhotos

/// Decrypts an image that was sealed with AES-256-GCM: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
///
/// The tag authenticates the whole image, so the whole image is in memory twice while it is decrypted: sealed
/// and open. `byteLimit` and the queue's `maxConcurrentOperationCount` bound the memory.
///
/// Source: NIST SP 800-38D; the layout is that of `AES.GCM.SealedBox.combined` in Apple's CryptoKit.
// @unchecked: every property added here is immutable and Sendable.
public final class DecryptOperation: ImageOperation, @unchecked Sendable {
    private let key: DecryptionKey
    private let byteLimit: Int
    private let entries: [any OutputEntry]

    /// - Parameters:
    ///   - name: the photo's name, for logs and messages.
    ///   - image: nil takes it from the first dependency that yields one.
    ///   - byteLimit: a larger sealed image fails.
    public convenience init(
        key: DecryptionKey, name: String = "photo", image: EncodedImage? = nil,
        byteLimit: Int = DecryptionKey.byteLimit,
        logger: Logger = Logger(label: "tintype")
    ) {
        self.init(key: key, name: name, image: image, byteLimit: byteLimit, entries: [], logger: logger)
    }

    /// - Parameter entries: record a failure.
    package init(
        key: DecryptionKey, name: String, image: EncodedImage? = nil,
        byteLimit: Int = DecryptionKey.byteLimit,
        entries: [any OutputEntry], logger: Logger
    ) {
        self.key = key
        self.byteLimit = byteLimit
        self.entries = entries
        super.init(name: name, image: image, logger: logger)
    }

    public override func process(_ image: EncodedImage) throws -> EncodedImage {
        do {
            return try decrypt(image)
        } catch let error where !(error is CancellationError) {
            let failure = PhotoError(error, path: name ?? "")
            entries.forEach { $0.fail(failure) }
            throw failure
        }
    }

    private func decrypt(_ image: EncodedImage) throws -> EncodedImage {
        let sealed = try image.bytes(limit: byteLimit)
        guard !isCancelled else { throw CancellationError() }
        let bytes = try key.open(sealed)
        guard !isCancelled else { throw CancellationError() }
        return try EncodedImage(bytes: bytes)
    }
}
