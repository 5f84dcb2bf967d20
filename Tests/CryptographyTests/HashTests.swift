import Foundation
import TestSupport
import Testing

@testable import TintypeCryptography

struct HashTests {
    /// FIPS 180-2, appendix B: the examples of one block, of two, and of a million letters; and NIST's of nothing.
    @Test(
        arguments: [
            ("", "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            ("abc", "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                String(repeating: "a", count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ])
    func sha256IsThatOfTheStandard(text: String, hash: String) {
        #expect(SHA256.hash(text).hexadecimal == hash)
        #expect(SHA256.hash(Array(text.utf8)).hexadecimal == hash)
    }

    /// RFC 1321, A.5.
    @Test(
        arguments: [
            ("", "d41d8cd98f00b204e9800998ecf8427e"), ("abc", "900150983cd24fb0d6963f7d28e17f72"),
            ("message digest", "f96b697d7cb7938d525a2f31aaf161d0"),
        ])
    func md5IsThatOfTheStandard(text: String, hash: String) {
        #expect(MD5.hash(Array(text.utf8)).hexadecimal == hash)
    }

    /// Those of the Rust implementation's `b3sum`, of bytes that count from 0 to 250 again and again: around the ends of blocks, of
    /// chunks, and of as many chunks as vectors hash at once.
    @Test(
        arguments: [
            (0, "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
            (1, "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213"),
            (64, "4eed7141ea4a5cd4b788606bd23f46e212af9cacebacdc7d1f4c6dc7f2511b98"),
            (65, "de1e5fa0be70df6d2be8fffd0e99ceaa8eb6e8c93a63f2d8d1c30ecb6b263dee"),
            (1024, "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7"),
            (1025, "d00278ae47eb27b34faecf67b4fe263f82d5412916c1ffd97c8cb7fb814b8444"),
            (16_384, "f875d6646de28985646f34ee13be9a576fd515f76b5b0a26bb324735041ddde4"),
            (31_744, "62b6960e1a44bcc1eb1a611a8d6235b6b4b78f32e7abc4fb4c6cdcce94895c47"),
            (1_000_003, "cd5a3272e01b1a2f47bb4565d8d202db0f95704d32550a2da61a0fd363d4c90d"),
        ])
    func blake3IsThatOfItsReference(count: Int, hash: String) {
        let bytes = (0..<count).map { UInt8($0 % 251) }
        #expect(BLAKE3.hash(bytes).hexadecimal == hash)
    }

    @Test func partsHaveTheBLAKE3OfTheWhole() {
        var random = SeededGenerator(seed: 6)
        let bytes = random.bytes(count: 100_000)
        for step in [1, 63, 1024, 1025, 16_384, 65_535, 200_000] {
            var hash = BLAKE3()
            for start in stride(from: 0, to: bytes.count, by: step) {
                bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { hash.update($0) }
                _ = hash.digest()
            }
            #expect(hash.digest() == BLAKE3.hash(bytes), "\(step)")
        }
    }

    @Test func partsHaveTheHashOfTheWhole() {
        var random = SeededGenerator(seed: 5)
        let bytes = random.bytes(count: 10_000)
        for step in [1, 63, 64, 65, 4096, 20_000] {
            var hash = SHA256()
            for start in stride(from: 0, to: bytes.count, by: step) {
                bytes[start..<min(start + step, bytes.count)].withUnsafeBytes { hash.update($0) }
            }
            [UInt8]().withUnsafeBytes { hash.update($0) }
            #expect(hash.digest() == SHA256.hash(bytes), "\(step)")
        }
    }

    @Test func moreBytesMayFollowADigest() {
        var hash = SHA256()
        #expect(hash.digest() == SHA256.hash(""))
        for (part, whole) in [("ab", "ab"), ("c", "abc")] {
            Array(part.utf8).withUnsafeBytes { hash.update($0) }
            #expect(hash.digest() == SHA256.hash(whole) && hash.digest() == SHA256.hash(whole))
        }
    }

    @Test func threadsHashAtTheSameTime() {
        let texts = (0..<64).map { String(repeating: "\($0) ", count: 1000) }
        let expected = texts.map { SHA256.hash($0) }
        DispatchQueue.concurrentPerform(iterations: texts.count) { index in
            for _ in 0..<20 {
                var hash = SHA256()
                for byte in texts[index].utf8 { withUnsafeBytes(of: byte) { hash.update($0) } }
                #expect(hash.digest() == expected[index])
            }
        }
    }
}
