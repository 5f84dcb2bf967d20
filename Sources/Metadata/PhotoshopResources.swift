/// Photoshop's image resources in a JPEG's APP13 (Adobe Photoshop File Formats Specification, "Image Resource
/// Blocks").
package enum PhotoshopResources {
    package static let segmentPrefix = Array("Photoshop 3.0\0".utf8)

    /// Photoshop's own, and those of other programs, as ExifTool knows them.
    private static let signatures = ["8BIM", "AgHg", "DCSR", "MeSa", "PHUT"]

    /// Whether bytes start like a resource.
    package static func isResource(_ bytes: some Sequence<UInt8>) -> Bool {
        signatures.contains { bytes.starts(with: $0.utf8) }
    }

    /// The identifiers of Photoshop 4 and of later versions.
    private static let thumbnails: Set<Int> = [1033, 1036]

    /// The resources without thumbnails; nil if there are none.
    ///
    /// - Parameter bytes: the resources of all segments, concatenated. The first malformed resource and all
    ///   that follows stay unchanged.
    package static func withoutThumbnails(_ bytes: [UInt8]) -> [UInt8]? {
        var kept: [UInt8] = []
        var position = 0
        while let block = block(of: bytes, at: position) {
            if !thumbnails.contains(block.number) { kept += bytes[block.range] }
            position = block.range.upperBound
        }
        kept += bytes[position...]
        return kept.count < bytes.count ? kept : nil
    }

    /// Signature, number, name with its length, length of the data, data. Name and data are padded to even
    /// lengths.
    private static func block(of bytes: [UInt8], at start: Int) -> (number: Int, range: Range<Int>)? {
        func integer(_ position: Int, _ byteCount: Int) -> Int? {
            guard position + byteCount <= bytes.count else { return nil }
            return bytes[position..<position + byteCount].reduce(0) { $0 << 8 | Int($1) }
        }
        guard isResource(bytes[start...]), let number = integer(start + 4, 2),
            let nameByteCount = integer(start + 6, 1)
        else { return nil }
        let sizePosition = start + 6 + (1 + nameByteCount + 1) / 2 * 2
        guard let byteCount = integer(sizePosition, 4) else { return nil }
        let end = sizePosition + 4 + byteCount
        guard end <= bytes.count else { return nil }
        // The last resource may lack its padding.
        return (number, start..<min(end + byteCount % 2, bytes.count))
    }
}
