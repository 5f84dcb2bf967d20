/// The parts of a TIFF file around its strips. EXIF comes first, as it is, so all its offsets stay valid, those of maker notes too.
/// Its first directory is replaced by one, at the file's end, that has its fields and the image's.
package struct TIFFFile {
    /// Values of a field.
    package enum Values {
        /// SHORT.
        case shorts([Int])
        /// LONG.
        case longs([Int])
        /// RATIONAL, in ten-thousandths, or whole if it is large.
        case rational(Double)
        /// BYTE.
        case bytes([UInt8])
        /// UNDEFINED.
        case opaque([UInt8])

        fileprivate var type: Int {
            switch self {
            case .bytes: 1
            case .shorts: 3
            case .longs: 4
            case .rational: 5
            case .opaque: 7
            }
        }
    }

    private var stream: TIFFStream
    /// Entries of EXIF, 12 bytes each, and new values, by their tags.
    private var kept: [Int: [UInt8]] = [:]
    private var values: [Int: Values] = [:]

    /// Fields of EXIF's first directory that the file's has as well: those about the photo, and its resolution.
    private static let tags = TIFFDirectory.tags.union([
        EXIF.Tag.xResolution, EXIF.Tag.yResolution, resolutionUnit,
    ])
    private static let resolutionUnit = 0x0128

    /// - Parameter exif: nil for none. Its preview is left out.
    package init(exif: EXIF?) {
        guard let exif = exif?.withoutThumbnail(), let first = exif.stream.firstDirectory else {
            stream = TIFFStream(bigEndian: [0, 0, 0, 0])
            return
        }
        stream = exif.stream
        for entry in first.entries
        where Self.tags.contains(entry.tag) && kept[entry.tag] == nil && stream.isWhole(entry, of: first) {
            kept[entry.tag] = Array(
                stream.bytes[entry.position..<entry.position + TIFFStream.Entry.byteCount])
        }
        stream.padToEven()
    }

    package var isBigEndian: Bool { stream.isBigEndian }
    /// Where the first strip begins.
    package var headByteCount: Int { stream.bytes.count }

    /// Whether EXIF tells the resolution.
    package var hasResolution: Bool { kept[EXIF.Tag.xResolution] != nil }

    package mutating func set(_ tag: Int, _ new: Values) {
        kept[tag] = nil
        values[tag] = new
    }

    /// What comes before the strips, and what comes after them.
    ///
    /// - Parameter stripsByteCount: of all strips; even.
    package func parts(around stripsByteCount: Int) -> (head: [UInt8], tail: [UInt8]) {
        var head = stream
        let start = head.bytes.count + stripsByteCount
        var tail = TIFFStream(partOf: stream)
        let tags = (Array(kept.keys) + Array(values.keys)).sorted()
        var entries: [[UInt8]] = []
        for tag in tags {
            entries.append(kept[tag] ?? tail.entry(tag, values[tag] ?? .shorts([]), from: start))
        }
        let position = start + tail.bytes.count
        tail.appendInteger(entries.count, byteCount: 2)
        for entry in entries { tail.append(entry) }
        tail.appendInteger(0, byteCount: 4)
        head.setInteger(position, at: 4, byteCount: 4)
        return (head.bytes, tail.bytes)
    }
}

extension TIFFStream {
    /// Whether a field's values, or the directory that it refers to, lie in the stream. What follows it in a file is none of it.
    fileprivate func isWhole(_ entry: Entry, of directory: Directory) -> Bool {
        guard let byteCount = entry.valuesByteCount else { return false }
        if TIFFDirectory.subdirectories.contains(entry.tag) {
            return subdirectory(entry.tag, of: directory) != nil
        }
        return byteCount <= 4 || outOfLineRange(of: entry)?.count == byteCount
    }

    /// Nothing yet, in another stream's byte order.
    fileprivate init(partOf other: TIFFStream) {
        self = other
        keepPrefix(0)
    }

    fileprivate mutating func padToEven() { if bytes.count % 2 == 1 { appendZeros(1) } }

    fileprivate mutating func append(_ more: [UInt8]) { append(more[...]) }

    fileprivate mutating func appendInteger(_ value: Int, byteCount: Int) {
        let position = bytes.count
        appendZeros(byteCount)
        setInteger(value, at: position, byteCount: byteCount)
    }

    /// An entry; values that do not fit into it are appended.
    ///
    /// - Parameter start: of this part, in the file.
    fileprivate mutating func entry(_ tag: Int, _ values: TIFFFile.Values, from start: Int) -> [UInt8] {
        var content = TIFFStream(partOf: self), count = 1
        switch values {
        case .shorts(let numbers):
            for number in numbers { content.appendInteger(number, byteCount: 2) }
            count = numbers.count
        case .longs(let numbers):
            for number in numbers { content.appendInteger(number, byteCount: 4) }
            count = numbers.count
        case .rational(let value):
            let denominator = value < 100_000 ? 10_000 : 1
            let numerator = min((value * Double(denominator)).rounded(), Double(UInt32.max))
            content.appendInteger(Int(numerator), byteCount: 4)
            content.appendInteger(denominator, byteCount: 4)
        case .bytes(let bytes), .opaque(let bytes):
            content.appendZeros(bytes.count)
            content.overwrite(at: 0, with: bytes[...])
            count = bytes.count
        }
        var entry = TIFFStream(partOf: self)
        entry.appendInteger(tag, byteCount: 2)
        entry.appendInteger(values.type, byteCount: 2)
        entry.appendInteger(count, byteCount: 4)
        if content.bytes.count > 4 {
            entry.appendInteger(start + bytes.count, byteCount: 4)
            append(content.bytes)
        } else {
            content.appendZeros(4 - content.bytes.count)
            entry.append(content.bytes)
        }
        return entry.bytes
    }
}
