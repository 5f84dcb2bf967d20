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
