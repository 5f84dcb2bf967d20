/// Reads XML as far as property lists need it: elements, text, CDATA and the predefined entities.
///
/// Comments, processing instructions and attributes are passed over. Nothing is ever fetched or expanded: of
/// document types only Apple's own is accepted, by name, and declarations of entities are refused.
struct XMLScanner {
    enum Token: Equatable {
        case open(String)
        case close(String)
        case text(String)
    }

    private let bytes: ByteCursor
    /// `<array/>` opens and closes at once.
    private var pendingClose: String?

    init(_ bytes: ByteCursor) { self.bytes = bytes }

    var line: Int { bytes.line }

    func error(expected: String) -> ListError {
        ListError(.syntax(format: "XML property list", expected: expected), line: line)
    }

    /// The next element's mark or the next text, nil at the end. White space between marks is text too.
    mutating func next() throws(ListError) -> Token? {
        if let name = pendingClose {
            pendingClose = nil
            return .close(name)
        }
        while let byte = try bytes.peek() {
            guard byte == UInt8(ascii: "<") else { return .text(try text()) }
            if try bytes.take("<!--") {
                try skip(through: "-->")
            } else if try bytes.take("<![CDATA[") {
                return .text(try cdata())
            } else if try bytes.take("<!DOCTYPE") {
                try checkDocumentType()
            } else if try bytes.take("<!") {
                throw ListError(.documentType, line: line)
            } else if try bytes.take("<?") {
                try skipInstruction()
            } else if try bytes.take("</") {
                let name = try name()
                try bytes.skipWhitespace()
                guard try bytes.take(UInt8(ascii: ">")) else { throw error(expected: "'>'") }
                return .close(name)
            } else {
                _ = try bytes.next()
                return .open(try openingMark())
            }
        }
        return nil
    }

    private mutating func openingMark() throws(ListError) -> String {
        let name = try name()
        var quote: UInt8?
        var isEmpty = false
        while let byte = try bytes.next() {
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == UInt8(ascii: ">") {
                if isEmpty { pendingClose = name }
                return name
            } else if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
            } else if byte == UInt8(ascii: "<") {
                break
            }
            isEmpty = byte == UInt8(ascii: "/")
        }
        throw error(expected: "'>'")
    }

    private func name() throws(ListError) -> String {
        var name: [UInt8] = []
        while let byte = try bytes.peek(), Character(Unicode.Scalar(byte)).isLetter && byte < 0x80 {
            try name.appendListByte(byte, line: line)
            _ = try bytes.next()
        }
        guard !name.isEmpty else { throw error(expected: "an element's name") }
        return String(decoding: name, as: UTF8.self)
    }

    private func text() throws(ListError) -> String {
        let start = line
        var text: [UInt8] = []
        while let byte = try bytes.peek(), byte != UInt8(ascii: "<") {
            _ = try bytes.next()
            if byte == UInt8(ascii: "&") {
                for unit in try entity().utf8 { try text.appendListByte(unit, line: start) }
            } else {
                try text.appendListByte(byte, line: start)
            }
        }
        return try validated(text)
    }

    private func cdata() throws(ListError) -> String {
        let start = line
        var text: [UInt8] = []
        while try !bytes.take("]]>") {
            guard let byte = try bytes.next() else { throw error(expected: "']]>'") }
            try text.appendListByte(byte, line: start)
        }
        return try validated(text)
    }

    private func validated(_ bytes: [UInt8]) throws(ListError) -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw error(expected: "UTF-8") }
        return text
    }

    /// Behind the ampersand.
    private func entity() throws(ListError) -> String {
        var bytesOfName: [UInt8] = []
        while let byte = try bytes.next(), byte != UInt8(ascii: ";") {
            bytesOfName.append(byte)
            guard bytesOfName.count <= 12 else { break }
        }
        let name = String(decoding: bytesOfName, as: UTF8.self)
        switch name {
        case "amp": return "&"
        case "lt": return "<"
        case "gt": return ">"
        case "quot": return "\""
        case "apos": return "'"
        default: break
        }
        let number =
            name.hasPrefix("#x")
            ? UInt32(name.dropFirst(2), radix: 16) : name.hasPrefix("#") ? UInt32(name.dropFirst()) : nil
        guard let number, let scalar = Unicode.Scalar(number) else {
            throw ListError(.unknownEntity(name), line: line)
        }
        return String(Character(scalar))
    }

    private func skip(through end: StaticString) throws(ListError) {
        while try !bytes.take(end) {
            guard try bytes.next() != nil else { throw error(expected: "'\(end)'") }
        }
    }

    private func skipInstruction() throws(ListError) {
        let start = String(decoding: try bytes.lookAhead(256), as: UTF8.self)
        let declaration = start.prefix { $0 != ">" }.lowercased()
        if declaration.hasPrefix("xml "), let range = declaration.range(of: "encoding") {
            let quoted = declaration[range.upperBound...].split { " =\t\r\n?\"'".contains($0) }
            let encoding = quoted.first.map(String.init) ?? ""
            guard ["utf-8", "us-ascii", "ascii"].contains(encoding) else {
                throw ListError(.otherEncoding("encoded as \(encoding)"), line: line)
            }
        }
        try skip(through: "?>")
    }

    /// Behind `<!DOCTYPE`: Apple's two spellings, without an internal subset.
    private func checkDocumentType() throws(ListError) {
        let start = line
        var type: [UInt8] = []
        while let byte = try bytes.next(), byte != UInt8(ascii: ">") {
            type.append(byte)
            guard byte != UInt8(ascii: "["), byte != UInt8(ascii: "<"), type.count <= 512 else {
                throw ListError(.documentType, line: start)
            }
        }
        let words = String(decoding: type, as: UTF8.self).split(whereSeparator: \.isWhitespace).joined(
            separator: " ")
        let isApples = ["Apple", "Apple Computer"].contains {
            words.hasPrefix("plist PUBLIC \"-//\($0)//DTD PLIST 1.0//EN\"")
        }
        guard isApples || words == "plist" else { throw ListError(.documentType, line: start) }
    }
}
