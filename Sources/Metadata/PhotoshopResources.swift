import TintypeCryptography

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
    private static let iptc = 1028, iptcDigest = 1061
    private static let profile = 1039

    /// What becomes of a resource.
    enum Edit {
        case stays
        case removed
        case replaced([UInt8])
    }

    /// A resource in the bytes of all.
    struct Block {
        let number: Int
        /// With its length.
        let name: ArraySlice<UInt8>
        let data: ArraySlice<UInt8>
        /// From the signature to the padding.
        let range: Range<Int>
    }

    /// The resources without thumbnails and other pictures; nil if there are none.
    ///
    /// - Parameter bytes: the resources of all segments, concatenated. The first malformed resource and all
    ///   that follows stay unchanged.
    package static func withoutThumbnails(_ bytes: [UInt8]) -> [UInt8]? {
        var digests: [[UInt8]: [UInt8]] = [:]
        let edited = editing(bytes) { block in
            if thumbnails.contains(block.number) { return .removed }
            guard block.number == iptc else {
                return EmbeddedImage.start(in: block.data) == nil ? .stays : .removed
            }
            guard let data = IPTC.withoutPreview(block.data) else { return .stays }
            digests[md5(Array(block.data))] = md5(data)
            return .replaced(data)
        }
        // Editors take IPTC with another digest for changed by hand.
        guard let edited, !digests.isEmpty else { return edited }
        return editing(edited) { block in
            guard block.number == iptcDigest, let digest = digests[Array(block.data)] else { return .stays }
            return .replaced(digest)
        } ?? edited
    }

    /// IPTC as a resource, without a name, padded to an even length.
    package static func resources(ofIPTC iptc: [UInt8]) -> [UInt8] {
        Array("8BIM".utf8) + [UInt8(Self.iptc >> 8), UInt8(Self.iptc & 255), 0, 0]
            + UInt32(iptc.count).bigEndianBytes + iptc + [UInt8](repeating: 0, count: iptc.count % 2)
    }

    /// Whether there is IPTC.
    static func hasIPTC(_ bytes: [UInt8]) -> Bool {
        var found = false
        _ = editing(bytes) { block in
            found = found || block.number == iptc
            return .stays
        }
        return found
    }

    static func md5(_ bytes: [UInt8]) -> [UInt8] { MD5.hash(bytes) }

    /// The resources without a colour profile; nil if there is none.
    static func withoutProfile(_ bytes: [UInt8]) -> [UInt8]? {
        editing(bytes) { $0.number == profile ? .removed : .stays }
    }

    /// The resources once each is edited; nil if all stay.
    static func editing(_ bytes: [UInt8], _ edit: (Block) -> Edit) -> [UInt8]? {
        var kept: [UInt8] = []
        var position = 0, isEdited = false
        while let block = block(of: bytes, at: position) {
            switch edit(block) {
            case .stays: kept += bytes[block.range]
            case .removed: isEdited = true
            case .replaced(let data):
                isEdited = true
                kept += bytes[block.range.lowerBound..<block.data.startIndex - 4]
                kept +=
                    UInt32(data.count).bigEndianBytes + data + [UInt8](repeating: 0, count: data.count % 2)
            }
            position = block.range.upperBound
        }
        return isEdited ? kept + bytes[position...] : nil
    }

    /// Signature, number, name with its length, length of the data, data. Name and data are padded to even
    /// lengths.
    private static func block(of bytes: [UInt8], at start: Int) -> Block? {
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
        return Block(
            number: number, name: bytes[start + 6..<start + 7 + nameByteCount],
            data: bytes[sizePosition + 4..<end],
            // The last resource may lack its padding.
            range: start..<min(end + byteCount % 2, bytes.count))
    }
}
