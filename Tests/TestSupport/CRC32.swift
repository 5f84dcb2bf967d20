import TintypeMetadata

/// PNG's checksum (PNG, third edition, annex D).
package enum CRC32 {
    package static func of(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        var sum: UInt32 = .max
        for byte in bytes { sum = sum >> 8 ^ table[Int(UInt8(truncatingIfNeeded: sum) ^ byte)] }
        return (~sum).bigEndianBytes
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { sum, _ in sum & 1 == 1 ? sum >> 1 ^ 0xEDB8_8320 : sum >> 1 }
    }
}
