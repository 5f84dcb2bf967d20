import Crypto
import Foundation

/// SHA-256 of bytes as they pass by, so that no file has to be read again for it. Not for several threads at
/// once.
package final class ContentHash {
    private var hash = SHA256()

    package init() {}

    package func observe(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// In hexadecimal; of the bytes so far.
    package var hexadecimal: String { Self.text(hash.finalize()) }

    /// Of the file at `path`; nil where it cannot be read or is no regular file.
    package static func ofFile(_ path: String) -> String? {
        guard let file = try? OpenFile(reading: path), (try? file.status().isRegularFile) == true else {
            return nil
        }
        let hash = ContentHash()
        guard (try? file.readAll(hash.observe)) != nil else { return nil }
        return hash.hexadecimal
    }

    private static func text(_ digest: SHA256.Digest) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
