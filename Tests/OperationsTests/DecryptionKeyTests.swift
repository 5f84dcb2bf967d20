import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCryptography

/// Keys from memory, and images that are opened with them.
struct DecryptionKeyTests {
    private static let key = [UInt8](1...32)

    private func sealed(_ bytes: [UInt8]) throws -> EncodedImage {
        try EncodedImage(bytes: AES256GCM(key: Self.key).seal(bytes))
    }

    @Test func aKeyComesFromMemoryInAnyForm() throws {
        let folder = try TemporaryFolder()
        let file = URL(fileURLWithPath: try folder.write(Self.key, to: "the key"))
        let digits = Self.key.map { String(format: "%02x", $0) }.joined()
        let keys = [
            try DecryptionKey(bytes: Self.key), try DecryptionKey(data: Data(Self.key)),
            try DecryptionKey(data: Self.key), try DecryptionKey(bytes: Array(digits.utf8)),
            try DecryptionKey(base64Encoded: Data(Self.key).base64EncodedString()),
            try DecryptionKey(contentsOf: file),
        ]
        let photo = try TestPhoto.png(width: 8, height: 8, seed: 5)
        for key in keys { #expect(try sealed(photo).decrypted(with: key).bytes() == photo) }
        #expect(keys[0].description == "key from the program's memory")
    }

    @Test func whatIsNoKeyIsRefused() throws {
        let refusal = DecryptionError.notAKey(source: "the program's memory")
        #expect(throws: refusal) { try DecryptionKey(bytes: Array(Self.key.dropLast())) }
        #expect(throws: refusal) { try DecryptionKey(data: Data()) }
        #expect(throws: refusal) { try DecryptionKey(base64Encoded: "AAAA") }
        #expect(throws: refusal) { try DecryptionKey(base64Encoded: "?") }
        let url = try #require(URL(string: "https://user:secret@example.com/key"))
        let error = #expect(throws: DecryptionError.self) { try DecryptionKey(contentsOf: url) }
        #expect(error == .keyUnreadable(path: "key", .notSupported))
    }

    @Test func anotherKeyOrTooManyBytesFail() throws {
        let image = try sealed([1, 2, 3])
        let other = try DecryptionKey(bytes: [UInt8](repeating: 0, count: 32))
        #expect(throws: PhotoError.decryption(.notAuthentic(key: "the program's memory"))) {
            try image.decrypted(with: other)
        }
        #expect(throws: PhotoError.tooLargeForMemory(byteCount: 31, limit: 30)) {
            try image.decrypted(with: DecryptionKey(bytes: Self.key), limit: 30)
        }
    }
}
