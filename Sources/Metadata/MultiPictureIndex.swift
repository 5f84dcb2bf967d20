/// The index of the pictures in a multi-picture file, in an APP2 segment of the first one (CIPA DC-007-2009).
package struct MultiPictureIndex {
    /// A picture after the first.
    package struct Picture: Hashable, Sendable {
        /// The attribute's low 24 bits.
        package let type: Int
        package let byteCount: Int
        /// From the index's own first byte after `prefix`.
        package let offset: Int

        package init(type: Int, byteCount: Int, offset: Int) {
            self.type = type
            self.byteCount = byteCount
            self.offset = offset
        }

        /// Class 1 is "large thumbnail": a preview of the photo.
        package var isPreview: Bool { type >> 16 == 1 }
    }

    /// The pictures, from the second on.
    package let pictures: [Picture]

    private enum Tag {
        static let version = 0xB000, count = 0xB001, entries = 0xB002
    }
    package static let prefix = Array("MPF\0".utf8)
    private static let entryByteCount = 16

    /// Whether a segment is an index, valid or damaged.
    static func isIndex(_ bytes: some Sequence<UInt8>) -> Bool { bytes.starts(with: prefix) }

    package init?(segment bytes: [UInt8]) {
        guard Self.isIndex(bytes), let stream = TIFFStream(bytes: Array(bytes.dropFirst(Self.prefix.count))),
            let list = stream.firstDirectory?.entry(Tag.entries).flatMap(stream.outOfLineRange)
        else { return nil }
        let entries = stride(from: list.lowerBound, to: list.upperBound, by: Self.entryByteCount).dropFirst()
        pictures = entries.compactMap { entry in
            guard let type = stream.integer(at: entry, byteCount: 4) else { return nil }
            return Picture(
                type: type & 0xFF_FFFF, byteCount: stream.integer(at: entry + 4, byteCount: 4) ?? 0,
                offset: stream.integer(at: entry + 8, byteCount: 4) ?? 0)
        }
    }

    var previewCount: Int { pictures.count(where: \.isPreview) }
    var pictureCount: Int { pictures.count - previewCount }

    /// The segment of a photo that one picture follows, of no type, as that of a gain map. Its length does not depend on the
    /// parameters.
    ///
    /// - Parameters:
    ///   - photoByteCount: the first picture's file.
    ///   - pictureByteCount: the second one's.
    ///   - offset: the second one's, from the byte after `prefix`.
    package static func segment(photoByteCount: Int, pictureByteCount: Int, offset: Int) -> [UInt8] {
        let entryCount = 3, listOffset = 8 + 2 + TIFFStream.Entry.byteCount * entryCount + 4
        let primary = 0x03_0000  // "baseline MP primary image"
        func long(_ value: Int) -> [UInt8] { UInt32(truncatingIfNeeded: value).bigEndianBytes }
        func short(_ value: Int) -> [UInt8] { UInt16(truncatingIfNeeded: value).bigEndianBytes }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            short(tag) + short(type) + long(count) + value
        }
        let directory =
            short(entryCount) + entry(Tag.version, 7, 4, Array("0100".utf8))
            + entry(Tag.count, 4, 1, long(2)) + entry(Tag.entries, 7, 2 * entryByteCount, long(listOffset))
            + long(0)
        let list = [(primary, photoByteCount, 0), (0, pictureByteCount, offset)].flatMap {
            long($0) + long($1) + long($2) + long(0)
        }
        return prefix + [0x4D, 0x4D, 0, 42] + long(8) + directory + list
    }
}
