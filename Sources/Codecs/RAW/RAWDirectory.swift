import TintypeMetadata

/// A directory of a RAW photo's file: TIFF 6.0, section 2.
struct RAWDirectory {
    struct Entry {
        let tag: Int
        let type: Int
        let count: Int
        /// Four bytes: the values, or where they are.
        let value: ArraySlice<UInt8>
    }

    /// A file whose directories have one byte order, and offsets from one place.
    struct Source {
        let file: RAWFile
        let isBigEndian: Bool
        /// Where offsets count from.
        let base: Int
    }

    enum Tag {
        static let imageWidth = 0x0100, imageHeight = 0x0101, compression = 0x0103
        static let stripOffsets = 0x0111, stripByteCounts = 0x0117
        static let tileOffsets = 0x0144
        static let jpegOffset = 0x0201, jpegByteCount = 0x0202
        static let subdirectories = 0x014A
        static let xmp = 0x02BC
        static let exifDirectory = 0x8769, gpsDirectory = 0x8825, makerNote = 0x927C
        /// DNG 1.7: 2 is sRGB, 3 is Adobe RGB.
        static let previewColourSpace = 0xC71A
    }

    let source: Source
    let offset: Int
    let entries: [Entry]
    /// The offset of the next directory; 0 for none.
    let next: Int

    private static let entryByteCount = 12
    /// Cameras write some dozens.
    private static let mostEntries = 1000

    /// - Returns: nil if there is no directory, or an unlikely one.
    init?(at offset: Int, in source: Source) throws(CodecError) {
        let file = source.file, position = source.base + offset
        guard offset > 0,
            let count = try file.integer(at: position, byteCount: 2, isBigEndian: source.isBigEndian),
            1...Self.mostEntries ~= count,
            let bytes = try file.bytes(at: position + 2, count: Self.entryByteCount * count)
        else { return nil }
        func integer(_ start: Int, _ byteCount: Int) -> Int {
            bytes[start..<start + byteCount].integer(isBigEndian: source.isBigEndian)
        }
        entries = (0..<count).map { index in
            let start = Self.entryByteCount * index
            return Entry(
                tag: integer(start, 2), type: integer(start + 2, 2), count: integer(start + 4, 4),
                value: bytes[start + 8..<start + 12])
        }
        next =
            try file.integer(
                at: position + 2 + bytes.count, byteCount: 4, isBigEndian: source.isBigEndian) ?? 0
        self.source = source
        self.offset = offset
    }

    /// That of a TIFF within the file.
    static func first(in file: RAWFile, at start: Int = 0) throws(CodecError) -> RAWDirectory? {
        guard let order = try file.bytes(at: start, count: 1) else { return nil }
        let source = Source(file: file, isBigEndian: order[0] == UInt8(ascii: "M"), base: start)
        guard
            let offset = try file.integer(
                at: start + 4, byteCount: 4, isBigEndian: source.isBigEndian)
        else { return nil }
        return try RAWDirectory(at: offset, in: source)
    }

    func entry(_ tag: Int) -> Entry? { entries.first { $0.tag == tag } }

    /// The range of values that do not fit into the entry. An unknown type counts as the largest.
    func outOfLineRange(of entry: Entry) -> Range<Int>? {
        let byteCount = entry.count * (TIFFField.valueByteCount(ofType: entry.type) ?? 8)
        guard byteCount > 4 else { return nil }
        return source.file.range(at: valueOffset(of: entry), byteCount: byteCount)
    }

    /// Where values are in the file that do not fit into the entry.
    func valueOffset(of entry: Entry) -> Int {
        source.base + entry.value.integer(isBigEndian: source.isBigEndian)
    }

    /// The values of a field, of any type; nil if there are none, or more bytes than that.
    func bytes(of tag: Int, atMost byteCount: Int) throws(CodecError) -> [UInt8]? {
        guard let range = entry(tag).flatMap(outOfLineRange), range.count <= byteCount else { return nil }
        return try source.file.bytes(range)
    }

    /// The first values of a field, of type BYTE, SHORT, LONG or IFD.
    func numbers(_ tag: Int, atMost limit: Int) throws(CodecError) -> [Int] {
        guard let entry = entry(tag), [1, 3, 4, 13].contains(entry.type),
            let byteCount = TIFFField.valueByteCount(ofType: entry.type)
        else { return [] }
        let count = min(entry.count, limit)
        let bytes: ArraySlice<UInt8>
        if let range = outOfLineRange(of: entry) {
            bytes = try source.file.bytes(range.prefix(count * byteCount))[...]
        } else {
            bytes = entry.value.prefix(count * byteCount)
        }
        return (0..<bytes.count / byteCount).map {
            bytes.dropFirst($0 * byteCount).prefix(byteCount).integer(isBigEndian: source.isBigEndian)
        }
    }

    func number(_ tag: Int) throws(CodecError) -> Int? { try numbers(tag, atMost: 1).first }

    func directory(_ tag: Int) throws(CodecError) -> RAWDirectory? {
        guard let offset = try number(tag) else { return nil }
        return try RAWDirectory(at: offset, in: source)
    }
}

// MARK: Metadata

extension RAWDirectory {
    /// What EXIF has of a first directory, without the maker note: it is made for the RAW file, and refers to places in it.
    ///
    /// - Parameter further: directories that it has under these tags, elsewhere.
    /// - Returns: nil if it needs more bytes than that.
    func exif(
        atMost byteCount: Int, with further: [(tag: Int, directory: RAWDirectory)] = []
    ) throws(CodecError) -> EXIF? {
        var left = byteCount
        let tags = TIFFDirectory.tags.subtracting(further.map(\.tag))
        guard var all = try fields(tags.contains, atMost: &left) else { return nil }
        for (tag, directory) in further where directory.source.isBigEndian == source.isBigEndian {
            guard let below = try directory.fields({ $0 != Tag.makerNote }, atMost: &left, depth: 1) else {
                return nil
            }
            all.append(TIFFField(directory: tag, below))
        }
        return all.isEmpty
            ? nil
            : EXIF(
                fields: all.sorted { $0.tag < $1.tag }, isBigEndian: source.isBigEndian, atMost: byteCount)
    }

    private func fields(
        _ isKept: (_ tag: Int) -> Bool, atMost left: inout Int, depth: Int = 0
    ) throws(CodecError) -> [TIFFField]? {
        var fields: [TIFFField] = []
        left -= Self.entryByteCount * entries.count
        guard left >= 0 else { return nil }
        for entry in entries where isKept(entry.tag) {
            let content: TIFFField.Content
            if TIFFDirectory.subdirectories.contains(entry.tag), depth < 2 {
                guard let below = try directory(entry.tag) else { continue }
                guard let kept = try below.fields({ $0 != Tag.makerNote }, atMost: &left, depth: depth + 1)
                else { return nil }
                content = .directory(kept)
            } else if let range = outOfLineRange(of: entry) {
                left -= range.count
                guard left >= 0 else { return nil }
                content = .values(try source.file.bytes(range))
            } else {
                content = .inline(Array(entry.value))
            }
            fields.append(TIFFField(tag: entry.tag, type: entry.type, count: entry.count, content))
        }
        return fields
    }
}
