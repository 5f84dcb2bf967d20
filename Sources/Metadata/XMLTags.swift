/// The tags of an XML text, in order, as ranges of its bytes (UTF-8).
///
/// It supports the parts of XML 1.0 that XMP needs: no document types, and entities only as text.
struct XMLTags {
    struct Tag {
        enum Kind {
            case start
            case end
            /// An empty-element tag.
            case empty
        }

        var kind: Kind
        /// From `<` up to and including `>`.
        var range: Range<Int>
        var name: Range<Int>
        var attributes: [Attribute] = []
    }

    struct Attribute {
        /// Including the blanks before it.
        let range: Range<Int>
        let name: Range<Int>
        /// The text between the quotes.
        let value: Range<Int>
    }

    /// The text is not well-formed, has a document type, or exceeds a limit.
    struct Malformed: Error {}

    /// Photo editors write some hundred attributes into one tag.
    private static let maxAttributeCount = 2048

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The next tag; nil at the end.
    mutating func next() throws(Malformed) -> Tag? {
        while skip(until: UInt8(ascii: "<")) {
            let start = position
            if take("<!--") {
                try pass("-->")
            } else if take("<![CDATA[") {
                try pass("]]>")
            } else if take("<?") {
                try pass("?>")
            } else if take("<!") {
                throw Malformed()
            } else if take("</") {
                let name = try takeName()
                skipBlanks()
                try expect(">")
                return Tag(kind: .end, range: start..<position, name: name)
            } else {
                position += 1
                return try takeTag(from: start)
            }
        }
        return nil
    }

    private mutating func takeTag(from start: Int) throws(Malformed) -> Tag {
        var tag = Tag(kind: .start, range: start..<start, name: try takeName())
        while true {
            let end = position
            skipBlanks()
            if take("/>") {
                tag.kind = .empty
            } else if !take(">") {
                guard position > end, tag.attributes.count < Self.maxAttributeCount else { throw Malformed() }
                tag.attributes.append(try takeAttribute(from: end))
                continue
            }
            tag.range = start..<position
            return tag
        }
    }

    private mutating func takeAttribute(from start: Int) throws(Malformed) -> Attribute {
        let name = try takeName()
        skipBlanks()
        try expect("=")
        skipBlanks()
        let isDoubleQuoted = take("\"")
        if !isDoubleQuoted { try expect("'") }
        let valueStart = position
        guard skip(until: UInt8(ascii: isDoubleQuoted ? "\"" : "'")) else { throw Malformed() }
        position += 1
        return Attribute(range: start..<position, name: name, value: valueStart..<position - 1)
    }

    private mutating func takeName() throws(Malformed) -> Range<Int> {
        let start = position
        while position < bytes.count, !Self.endsName(bytes[position]) { position += 1 }
        guard position > start else { throw Malformed() }
        return start..<position
    }

    private static func endsName(_ byte: UInt8) -> Bool {
        byte <= 0x20 || "=/<>".utf8.contains(byte)
    }

    private mutating func skipBlanks() {
        while position < bytes.count, bytes[position] <= 0x20 { position += 1 }
    }

    /// Moves to the next `byte`. Returns false if there is none.
    private mutating func skip(until byte: UInt8) -> Bool {
        while position < bytes.count, bytes[position] != byte { position += 1 }
        return position < bytes.count
    }

    /// Moves past the next `text`.
    private mutating func pass(_ text: String) throws(Malformed) {
        while !take(text) {
            guard position < bytes.count else { throw Malformed() }
            position += 1
        }
    }

    private mutating func expect(_ text: String) throws(Malformed) {
        guard take(text) else { throw Malformed() }
    }

    private mutating func take(_ text: String) -> Bool {
        guard bytes[position...].starts(with: text.utf8) else { return false }
        position += text.utf8.count
        return true
    }
}
