/// A TIFF stream of 16- and 32-bit words in either byte order.
package struct TIFFWords {
    let isBigEndian: Bool
    package var bytes: [UInt8]

    package init(isBigEndian: Bool) {
        self.isBigEndian = isBigEndian
        bytes = isBigEndian ? [0x4D, 0x4D] : [0x49, 0x49]
        short(42)
    }

    package mutating func short(_ value: Int) { add(value, 2) }
    package mutating func long(_ value: Int) { add(value, 4) }

    /// An entry whose values are elsewhere.
    package mutating func entry(_ tag: Int, _ type: Int, count: Int, at offset: Int) {
        short(tag)
        short(type)
        long(count)
        long(offset)
    }

    /// Tag, type SHORT (3) or LONG (4), count 1, value.
    package mutating func entry(_ tag: Int, _ type: Int, _ value: Int) {
        short(tag)
        short(type)
        long(1)
        if type == 3 {
            short(value)
            short(0)
        } else {
            long(value)
        }
    }

    private mutating func add(_ value: Int, _ count: Int) {
        let little = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        bytes += isBigEndian ? little.reversed() : little
    }
}

extension TIFFWords {
    package static let makerNote: [UInt8] = [1, 2, 3, 4, 5, 6]

    /// As Nikon's D70 writes it: EXIF's directory at 26, the maker note at 56, the thumbnail's directory at 62,
    /// the thumbnail at 92, and behind it what the maker note has offsets to.
    ///
    /// - Parameter tags: of the thumbnail's offset and length; nil for a file without its directory.
    package static func cameraWithMakerNote(
        isBigEndian: Bool, tags: (Int, Int)?, thumbnail: [UInt8], tail: [UInt8]
    ) -> [UInt8] {
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(1)
        words.entry(0x8769, 4, 26)
        words.long(tags == nil ? 0 : 62)
        words.short(2)
        words.entry(0xA002, 3, 4000)
        words.entry(0x927C, 7, count: makerNote.count, at: 56)
        words.long(0)
        words.bytes += makerNote
        if let tags {
            words.short(2)
            words.entry(tags.0, 4, 92)
            words.entry(tags.1, 4, thumbnail.count)
            words.long(0)
        }
        return words.bytes + thumbnail + tail
    }
}
