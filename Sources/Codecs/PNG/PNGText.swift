/// The text in a PNG's tEXt, zTXt or iTXt chunk (PNG, third edition, 11.3.3).
struct PNGText: Hashable {
    let keyword: String
    /// UTF-8, or Latin-1 if `isUTF8` is false.
    let bytes: [UInt8]
    let isUTF8: Bool

    static let commentKeyword = "Comment"

    init(keyword: String, utf8 bytes: [UInt8]) {
        self.keyword = keyword
        self.bytes = bytes
        isUTF8 = true
    }

    /// From a JPEG's comment, whose encoding is not declared: UTF-8 if it is valid, else Latin-1.
    init(comment bytes: [UInt8]) {
        let bytes = bytes.prefix { $0 != 0 }
        let text = String(validating: bytes, as: UTF8.self) ?? Self.latin1(bytes)
        self.init(keyword: Self.commentKeyword, utf8: Array(text.utf8))
    }

    /// Nil for other chunks.
    ///
    /// - Parameter budget: the budget for inflating compressed text.
    /// - Throws: `damaged`, also if the chunk ends before its text.
    init?(_ chunk: PNGChunk, budget: inout InflationBudget) throws(InflationBudget.Failure) {
        guard let body = PNGTextBody(chunk) else { return nil }
        guard let bytes = body.bytes else { throw .damaged }
        keyword = body.keyword
        isUTF8 = chunk.name == "iTXt"
        self.bytes = body.isCompressed ? try budget.inflate(bytes) : Array(bytes)
    }

    var text: String { isUTF8 ? String(decoding: bytes, as: UTF8.self) : Self.latin1(bytes[...]) }

    /// The simplest chunk type that can hold the text.
    var chunk: PNGChunk {
        guard bytes.allSatisfy({ $0 < 0x80 }) else { return internationalChunk }
        return PNGChunk(name: "tEXt", bytes: Array("\(keyword)\0".utf8) + bytes)
    }

    /// An uncompressed iTXt chunk, as XMP in PNG requires.
    var internationalChunk: PNGChunk {
        PNGChunk(
            name: "iTXt", bytes: Array("\(keyword)\0\0\0\0\0".utf8) + (isUTF8 ? bytes : Array(text.utf8)))
    }

    fileprivate static func latin1(_ bytes: ArraySlice<UInt8>) -> String {
        var scalars = String.UnicodeScalarView()
        scalars.append(contentsOf: bytes.lazy.map { Unicode.Scalar($0) })
        return String(scalars)
    }
}

/// The keyword and text of a text chunk, not inflated.
struct PNGTextBody {
    let keyword: String
    let isCompressed: Bool
    /// The text as stored; nil if the chunk ends before it.
    let bytes: ArraySlice<UInt8>?

    /// Keywords have at most 79 bytes.
    private static let maxKeywordByteCount = 79

    /// Nil for other chunks.
    init?(_ chunk: PNGChunk) {
        guard ["tEXt", "zTXt", "iTXt"].contains(chunk.name) else { return nil }
        let name = chunk.bytes.prefix(Self.maxKeywordByteCount).prefix { $0 != 0 }
        let rest = chunk.bytes.dropFirst(name.count + 1)
        keyword = PNGText.latin1(name)
        switch chunk.name {
        case "tEXt": (isCompressed, bytes) = (false, rest)
        case "zTXt": (isCompressed, bytes) = (true, rest.dropFirst())
        default:
            // Compression flag and method; language and translated keyword, each with a zero byte.
            isCompressed = rest.first.map { $0 != 0 } ?? false
            let fields = rest.dropFirst(2).split(
                separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
            bytes = fields.count == 3 ? fields[2] : nil
        }
    }
}
