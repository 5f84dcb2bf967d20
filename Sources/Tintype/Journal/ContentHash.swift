import Codecs
import Crypto
import Foundation

/// SHA-256 of bytes as they pass by, so that no file has to be read again for it. Not for several threads at
/// once.
package final class ContentHash: ByteObserver {
    private var hash = SHA256()

    package init() {}

    package func observe(_ bytes: UnsafeRawBufferPointer) { hash.update(bufferPointer: bytes) }

    /// In hexadecimal; of the bytes so far.
    package var hexadecimal: String { Self.text(hash.finalize()) }

    /// Of the file at `path`; nil where it cannot be read or is no regular file.
    package static func ofFile(_ path: String) -> String? {
        guard let descriptor = try? Descriptor(reading: path), let status = try? descriptor.status(),
            status.isRegularFile
        else { return nil }
        let hash = ContentHash()
        var buffer = [UInt8](repeating: 0, count: 1 << 18)
        while true {
            let count = read(descriptor.number, &buffer, buffer.count)
            if count == 0 { return hash.hexadecimal }
            if count < 0 {
                if errno == EINTR { continue }
                return nil
            }
            buffer.withUnsafeBytes { hash.observe(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
        }
    }

    private static func text(_ digest: SHA256.Digest) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: digest.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
