import TestSupport
import Testing

@testable import TintypeCryptography

struct AES256GCMTests {
    private static func bytes(_ hexadecimal: String) -> [UInt8] {
        let digits = hexadecimal.compactMap(\.hexDigitValue).map(UInt8.init)
        return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
    }

    /// Test case 15 of "The Galois/Counter Mode of Operation" (McGrew, Viega), which NIST SP 800-38D refers to.
    private static let key = bytes(String(repeating: "feffe9928665731c6d6a8f9467308308", count: 2))
    private static let plain = bytes(
        "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72"
            + "1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255")
    private static let sealed = bytes(
        "cafebabefacedbaddecaf888"
            + "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa"
            + "8cb08e48590dbb3da7b08b1056828838c5f61e6393ba7a0abcc9f662898015ad"
            + "b094dac5d93471bdec1a502270e3cc6c")
    /// Test cases 13 and 14: key and nonce are zeros.
    private static let zeros = [UInt8](repeating: 0, count: 32)
    private static let sealedNothing = zeros[..<12] + bytes("530f8afbc74536b9a963b4f1c4cb738b")
    private static let sealedZeros =
        zeros[..<12] + bytes("cea7403d4d606b6e074ec5d3baf39d18d0d1c8a799996bf0265b98b5d48ab919")

    @Test(
        arguments: [
            (key, sealed, plain), (zeros, Array(sealedNothing), []),
            (zeros, Array(sealedZeros), [UInt8](repeating: 0, count: 16)),
        ])
    func thePublishedVectorsOpen(key: [UInt8], sealed: [UInt8], plain: [UInt8]) {
        #expect(AES256GCM(key: key).open(sealed) == plain)
    }

    @Test func aChangedByteIsNoticed() {
        let cipher = AES256GCM(key: Self.key)
        for index in Self.sealed.indices {
            var changed = Self.sealed
            changed[index] ^= 0x80
            #expect(cipher.open(changed) == nil, "\(index)")
        }
    }

    @Test func anotherKeyDoesNotOpen() {
        var other = Self.key
        other[31] ^= 1
        #expect(AES256GCM(key: other).open(Self.sealed) == nil)
    }

    @Test func everyCutIsNoticed() {
        let cipher = AES256GCM(key: Self.key)
        for count in Self.sealed.indices {
            #expect(cipher.open(Array(Self.sealed[..<count])) == nil, "\(count)")
        }
    }

    @Test(arguments: [0, 1, 15, 16, 17, 100_000])
    func whatWasSealedOpens(count: Int) {
        var random = SeededGenerator(seed: 8)
        let plain = random.bytes(count: count)
        let cipher = AES256GCM(key: Self.key)
        let (one, two) = (cipher.seal(plain), cipher.seal(plain))
        #expect(one.count == count + AES256GCM.overhead)
        #expect(one.prefix(12) != two.prefix(12), "a nonce was used twice")
        #expect(cipher.open(one) == plain && cipher.open(two) == plain)
    }
}
