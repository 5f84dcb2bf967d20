import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCryptography

@testable import TintypeOperations
@testable import TintypePhotos

struct DecryptOperationTests {
    /// Test cases 13 and 14 of "The Galois/Counter Mode of Operation" (McGrew, Viega), AES-256: key and nonce
    /// of zeros.
    private static let zeroKey = String(repeating: "00", count: 32)
    private static let tagOfNothing = "530f8afbc74536b9a963b4f1c4cb738b"
    private static let zeros = (
        ciphertext: "cea7403d4d606b6e074ec5d3baf39d18", tag: "d0d1c8a799996bf0265b98b5d48ab919"
    )

    private func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.map { UInt8($0.hexDigitValue!) }
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    private func key(_ digits: String = zeroKey) throws -> DecryptionKey {
        try DecryptionKey(environmentVariable: "KEY", environment: ["KEY": digits])
    }

    private func decrypt(
        _ sealed: [UInt8], _ key: DecryptionKey, byteLimit: Int = 1 << 20
    ) async throws -> Result<EncodedImage, PhotoError>? {
        let operation = DecryptOperation(
            key: key, name: "a.jpg", image: try EncodedImage(bytes: sealed), byteLimit: byteLimit)
        #expect(await run([operation]))
        return operation.imageResult
    }

    @Test func thePublishedTestVectorsAreDecrypted() async throws {
        let nonce = [UInt8](repeating: 0, count: 12)
        let one = try await decrypt(nonce + bytes(Self.zeros.ciphertext + Self.zeros.tag), key())
        #expect(try one?.get().bytes() == [UInt8](repeating: 0, count: 16))
        let nothing = try await decrypt(nonce + bytes(Self.tagOfNothing), key())
        #expect(try nothing?.get().bytes() == [])
    }

    @Test func aChangedByteOrAnotherKeyIsRefused() async throws {
        let sealed = [UInt8](repeating: 0, count: 12) + bytes(Self.zeros.ciphertext + Self.zeros.tag)
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            #expect(try await failure(of: decrypt(changed, key())) == .decryption(.notAuthentic(key: "$KEY")))
        }
        let other = try key(String(repeating: "01", count: 32))
        #expect(try await failure(of: decrypt(sealed, other)) == .decryption(.notAuthentic(key: "$KEY")))
    }

    @Test func whatIsTooShortOrTooLargeIsRefused() async throws {
        let short = [UInt8](repeating: 0, count: 27)
        #expect(try await failure(of: decrypt(short, key())) == .decryption(.tooShort(byteCount: 27)))
        let large = try await failure(of: decrypt([UInt8](repeating: 0, count: 200), key(), byteLimit: 199))
        #expect(large?.kind == .resourceLimit)
    }

    @Test func imagesLargerThanMemoryKeepsComeBackWhole() async throws {
        var random = SeededGenerator(seed: 3)
        let plain = random.bytes(count: 300_000)
        let sealed = AES256GCM(key: [UInt8](repeating: 0, count: 32)).seal(plain)
        #expect(try await decrypt(sealed, key())?.get().bytes() == plain)
    }

    @Test func keysComeFromFilesAndTheEnvironment() throws {
        let folder = try TemporaryFolder()
        let sealed = [UInt8](repeating: 0, count: 12) + bytes(Self.zeros.ciphertext + Self.zeros.tag)
        let raw = try folder.write([UInt8](repeating: 0, count: 32), to: "raw")
        let text = try folder.write(Array((Self.zeroKey + "\n").utf8), to: "text")
        for path in [raw, text] { #expect(try DecryptionKey(file: path).open(sealed).count == 16) }
        #expect("\(try DecryptionKey(file: raw))" == "key from '\(raw)'")

        let bad = try folder.write(Array("secret".utf8), to: "bad")
        #expect(throws: DecryptionError.notAKey(source: "'\(bad)'")) { try DecryptionKey(file: bad) }
        #expect(throws: DecryptionError.notAKey(source: "$KEY")) { try key("12") }
        #expect(throws: DecryptionError.keyNotSet(variable: "KEY")) {
            try DecryptionKey(environmentVariable: "KEY", environment: [:])
        }
        let missing = folder.path("missing")
        #expect(throws: DecryptionError.keyUnreadable(path: missing, .noSuchFileOrDirectory)) {
            try DecryptionKey(file: missing)
        }
    }

    private func failure(of result: Result<EncodedImage, PhotoError>?) -> PhotoError? {
        guard case .failure(let error) = result else { return nil }
        return error
    }
}
