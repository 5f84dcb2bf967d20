/// The text in a PNG's tEXt, zTXt or iTXt chunk (PNG, third edition, 11.3.3).
struct PNGText: Hashable {
    let keyword: String
    let text: String

    static let commentKeyword = "Comment"

    init(keyword: String, text: String) {
        self.keyword = keyword
        self.text = text
    }

    /// A JPEG's comment, whose encoding nobody says: UTF-8 where it is valid, else Latin-1.
    init(comment bytes: [UInt8]) {
        let bytes = bytes.prefix { $0 != 0 }
        let text = String(validating: bytes, as: UTF8.self) ?? Self.latin1(bytes)
        self.init(keyword: Self.commentKeyword, text: text)
    }

    /// Nil for other chunks and for damaged ones.
    ///
    /// - Parameter limit: the most bytes of inflated text.
    init?(chunk name: String, _ bytes: [UInt8], limit: Int = 1 << 20) {
        guard let keywordEnd = bytes.firstIndex(of: 0) else { return nil }
        let rest = bytes[(keywordEnd + 1)...]
        let text: String?
        switch name {
        case "tEXt": text = Self.latin1(rest)
        case "zTXt": text = Zlib.inflate(rest.dropFirst(), limit: limit).map { Self.latin1($0[...]) }
        case "iTXt": text = Self.international(rest, limit: limit)
        default: return nil
        }
        guard let text else { return nil }
        self.init(keyword: Self.latin1(bytes[..<keywordEnd]), text: text)
    }

    /// Flag and method of compression, language and translated keyword with a zero byte each, UTF-8.
    private static func international(_ bytes: ArraySlice<UInt8>, limit: Int) -> String? {
        guard let isCompressed = bytes.first.map({ $0 != 0 }) else { return nil }
        let fields = bytes.dropFirst(2).split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard fields.count == 3 else { return nil }
        let text = isCompressed ? Zlib.inflate(fields[2], limit: limit) : Array(fields[2])
        return text.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The plainest chunk that holds the text.
    var chunk: PNGChunk {
        guard text.utf8.allSatisfy({ $0 < 0x80 }) else { return internationalChunk }
        return PNGChunk(name: "tEXt", bytes: Array("\(keyword)\0\(text)".utf8))
    }

    /// An uncompressed iTXt chunk, as XMP in PNG requires.
    var internationalChunk: PNGChunk {
        PNGChunk(name: "iTXt", bytes: Array("\(keyword)\0\0\0\0\0\(text)".utf8))
    }

    private static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return String(scalars)
    }
}
