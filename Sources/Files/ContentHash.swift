import TintypeCryptography

/// Computes SHA-256 while bytes are read or written, so that no file is read twice. Not thread-safe.
package final class ContentHash {
    private var hash = SHA256()

    package init() {}

    package func observe(_ bytes: UnsafeRawBufferPointer) { hash.update(bytes) }

    /// The hash of the bytes so far, in hexadecimal.
    package var hexadecimal: String { hash.digest().hexadecimal }

    /// The hash of some bytes, in hexadecimal.
    package static func of(_ bytes: [UInt8]) -> String { SHA256.hash(bytes).hexadecimal }

    /// The digits of a `short` hash.
    package static let shortLength = 16

    /// The first digits of the hash of some bytes, which tell filters' files and kernels apart.
    package static func short(of bytes: [UInt8]) -> String { String(of(bytes).prefix(shortLength)) }

    /// The hash of the file at `path`; nil if it cannot be read or is not a regular file.
    package static func ofFile(_ path: String) -> String? {
        guard let file = try? OpenFile(reading: path), (try? file.status().isRegularFile) == true else {
            return nil
        }
        let hash = ContentHash()
        guard (try? file.readAll(hash.observe)) != nil else { return nil }
        return hash.hexadecimal
    }

    /// The first eight bytes of a text's hash, which tell a million texts apart.
    package static func number(of text: String) -> UInt64 { SHA256.hash(text).words[0] }
}
