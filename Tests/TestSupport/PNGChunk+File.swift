import TintypeMetadata

@testable import TintypeCodecs

extension PNGChunk {
    /// With length, name and checksum.
    package var fileBytes: [UInt8] {
        let body = Array(name.utf8) + bytes
        return UInt32(bytes.count).bigEndianBytes + body + CRC32.of(body)
    }
}
