/// A field of a directory, read from a file for a stream of its own: TIFF 6.0, section 2.
package struct TIFFField {
    package enum Content {
        /// The four bytes in the entry.
        case inline([UInt8])
        /// The values elsewhere, or as many as there are.
        case values([UInt8])
        case directory([TIFFField])
    }

    package let tag: Int
    package let type: Int
    package let count: Int
    package let content: Content

    package init(tag: Int, type: Int, count: Int, _ content: Content) {
        (self.tag, self.type, self.count, self.content) = (tag, type, count, content)
    }

    /// Bytes of one value of a type, from 1 (BYTE) to 13 (IFD); nil for others.
    package static func valueByteCount(ofType type: Int) -> Int? {
        switch type {
        case 1, 2, 6, 7: 1
        case 3, 8: 2
        case 4, 9, 11, 13: 4
        case 5, 10, 12: 8
        default: nil
        }
    }

    /// A field that refers to a directory.
    package init(directory tag: Int, _ fields: [TIFFField]) {
        self.init(tag: tag, type: 4, count: 1, .directory(fields))
    }
}

/// Copies fields out of a stream, as many as have room.
struct TIFFFields {
    /// Tags whose directories come with them.
    private let subdirectories: [Int]
    private var bytesLeft: Int

    init(below subdirectories: [Int], atMost byteCount: Int) {
        (self.subdirectories, bytesLeft) = (subdirectories, byteCount)
    }

    /// - Returns: nil if the fields need more bytes than there may be.
    mutating func copy(
        _ directory: TIFFStream.Directory, _ entries: [TIFFStream.Entry], of stream: TIFFStream,
        depth: Int = 0
    ) -> [TIFFField]? {
        var fields: [TIFFField] = []
        for entry in entries {
            bytesLeft -= TIFFStream.Entry.byteCount
            guard bytesLeft >= 0,
                let content = content(of: entry, in: directory, of: stream, depth: depth)
            else { return nil }
            fields.append(TIFFField(tag: entry.tag, type: entry.type, count: entry.count, content))
        }
        return fields
    }

    private mutating func content(
        of entry: TIFFStream.Entry, in directory: TIFFStream.Directory, of stream: TIFFStream, depth: Int
    ) -> TIFFField.Content? {
        if subdirectories.contains(entry.tag), depth < 2 {
            guard let below = stream.subdirectory(entry.tag, of: directory) else {
                return .inline([0, 0, 0, 0])
            }
            return copy(below, below.entries, of: stream, depth: depth + 1).map { .directory($0) }
        }
        guard let range = stream.outOfLineRange(of: entry) else {
            return .inline(Array(stream.bytes[entry.valuePosition..<entry.valuePosition + 4]))
        }
        bytesLeft -= range.count
        return bytesLeft >= 0 ? .values(Array(stream.bytes[range])) : nil
    }
}

extension EXIF {
    /// EXIF of these fields of the first directory; nil if it needs more bytes than that.
    package init?(fields: [TIFFField], isBigEndian: Bool, atMost byteCount: Int) {
        var stream = TIFFStream(emptyIn: isBigEndian)
        let position = stream.append(fields)
        guard stream.bytes.count <= byteCount else { return nil }
        stream.setInteger(position, at: 4, byteCount: 4)
        self.stream = stream
    }
}

extension TIFFStream {
    /// The header of a stream, whose directory is yet to come.
    fileprivate init(emptyIn isBigEndian: Bool) {
        self.init(header: isBigEndian ? [0x4D, 0x4D, 0, 42, 0, 0, 0, 0] : [0x49, 0x49, 42, 0, 0, 0, 0, 0])
    }

    /// Appends a directory.
    ///
    /// - Returns: its position.
    fileprivate mutating func append(_ fields: [TIFFField]) -> Int {
        let position = bytes.count
        appendZeros(2 + Entry.byteCount * fields.count + 4)
        setInteger(fields.count, at: position, byteCount: 2)
        for (index, field) in fields.enumerated() {
            let target = position + 2 + Entry.byteCount * index
            setInteger(field.tag, at: target, byteCount: 2)
            setInteger(field.type, at: target + 2, byteCount: 2)
            setInteger(field.count, at: target + 4, byteCount: 4)
            switch field.content {
            case .inline(let value): overwrite(at: target + 8, with: value[...])
            case .values(let values):
                setInteger(bytes.count, at: target + 8, byteCount: 4)
                append(values[...])
            case .directory(let below):
                setInteger(append(below), at: target + 8, byteCount: 4)
            }
        }
        return position
    }
}
