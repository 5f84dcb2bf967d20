/// The index of the pictures in a multi-picture file, in an APP2 segment of the first one (CIPA DC-007-2009).
struct MultiPictureIndex {
    /// The pictures' types: the attribute's low 24 bits, from the second picture on.
    let types: [Int]

    private enum Tag {
        static let entries = 0xB002
    }
    private static let prefix = Array("MPF\0".utf8)
    private static let entryByteCount = 16

    /// Whether a segment is an index, valid or damaged.
    static func isIndex(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: prefix) }

    init?(segment bytes: [UInt8]) {
        guard Self.isIndex(bytes), let stream = TIFFStream(bytes: Array(bytes.dropFirst(Self.prefix.count))),
            let list = stream.firstDirectory?.entry(Tag.entries).flatMap(stream.outOfLineRange)
        else { return nil }
        let entries = stride(from: list.lowerBound, to: list.upperBound, by: Self.entryByteCount).dropFirst()
        types = entries.compactMap { stream.integer(at: $0, byteCount: 4) }.map { $0 & 0xFF_FFFF }
    }

    /// Class 1 is "large thumbnail": a preview of the photo.
    var previewCount: Int { types.count { $0 >> 16 == 1 } }
    var pictureCount: Int { types.count - previewCount }
}
