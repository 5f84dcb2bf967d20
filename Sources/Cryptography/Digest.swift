/// A hash of 32 bytes.
package struct Digest: Hashable, Sendable {
    /// The hash as four big-endian numbers.
    package let words: SIMD4<UInt64>

    /// - Parameter write: writes the 32 bytes.
    init(_ write: (UnsafeMutablePointer<UInt8>?) -> Void) {
        var words = SIMD4<UInt64>()
        withUnsafeMutableBytes(of: &words) { write($0.baseAddress?.assumingMemoryBound(to: UInt8.self)) }
        self.words = SIMD4(
            UInt64(bigEndian: words[0]), UInt64(bigEndian: words[1]), UInt64(bigEndian: words[2]),
            UInt64(bigEndian: words[3]))
    }

    package var hexadecimal: String {
        words.indices.map { index in
            let digits = String(words[index], radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }
}
