/// Reads JSON after RFC 8259, and JSON Lines: objects after each other, which become an array.
struct JSONReader {
    private var cursor: DocumentCursor

    /// Levels in parts that are not read; as many as Foundation allows.
    private static let levelLimit = 512

    /// - Parameter isLines: whether a single object is a line, too.
    /// - Throws: `ListError`.
    static func read(_ bytes: [UInt8], isLines: Bool) throws(ListError) -> DocumentValue {
        var reader = JSONReader(cursor: DocumentCursor(bytes, .json))
        let first = try reader.value(level: 0)
        reader.cursor.skipWhitespace()
        guard case .dictionary = first, isLines || reader.cursor.peek != nil else {
            guard reader.cursor.peek == nil else { throw reader.cursor.malformed("expected its end here") }
            return first
        }
        var lines = [first]
        while reader.cursor.peek != nil {
            guard reader.cursor.peek == UInt8(ascii: "{") else {
                throw reader.cursor.malformed("expected its end, or another object, here")
            }
            lines.append(try reader.value(level: 1))
            reader.cursor.skipWhitespace()
        }
        return .array(lines)
    }

    private init(cursor: DocumentCursor) { self.cursor = cursor }

    private mutating func value(level: Int) throws(ListError) -> DocumentValue {
        cursor.skipWhitespace()
        try cursor.countValue()
        guard let byte = cursor.peek else { throw cursor.malformed("it ends too early") }
        switch byte {
        case UInt8(ascii: "\""): return .text(try text())
        case UInt8(ascii: "["): return try array(level)
        case UInt8(ascii: "{"): return try object(level)
        case UInt8(ascii: "t") where cursor.take("true"), UInt8(ascii: "f") where cursor.take("false"):
            return .truth
        case UInt8(ascii: "n") where cursor.take("null"): return .null
        default:
            try number()
            return .number
        }
    }

    private mutating func array(_ level: Int) throws(ListError) -> DocumentValue {
        try enter(level)
        var elements: [DocumentValue] = []
        cursor.skipWhitespace()
        if cursor.take(UInt8(ascii: "]")) {
            return level < DocumentValue.levelsRead - 1 ? .array([]) : .skippedArray
        }
        repeat {
            let element = try value(level: level + 1)
            if level < DocumentValue.levelsRead - 1 { elements.append(element) }
            cursor.skipWhitespace()
        } while cursor.take(UInt8(ascii: ","))
        guard cursor.take(UInt8(ascii: "]")) else { throw cursor.malformed("expected ',' or ']' here") }
        return level < DocumentValue.levelsRead - 1 ? .array(elements) : .skippedArray
    }

    private mutating func object(_ level: Int) throws(ListError) -> DocumentValue {
        try enter(level)
        var members: [(String, DocumentValue)] = []
        cursor.skipWhitespace()
        if cursor.take(UInt8(ascii: "}")) {
            return level < DocumentValue.levelsRead ? .dictionary([]) : .skippedDictionary
        }
        repeat {
            cursor.skipWhitespace()
            guard cursor.peek == UInt8(ascii: "\"") else {
                throw cursor.malformed("expected a name in quotes here")
            }
            let name = try text()
            cursor.skipWhitespace()
            guard cursor.take(UInt8(ascii: ":")) else { throw cursor.malformed("expected ':' here") }
            let member = try value(level: level + 1)
            if level < DocumentValue.levelsRead { members.append((name, member)) }
            cursor.skipWhitespace()
        } while cursor.take(UInt8(ascii: ","))
        guard cursor.take(UInt8(ascii: "}")) else { throw cursor.malformed("expected ',' or '}' here") }
        return level < DocumentValue.levelsRead ? .dictionary(members) : .skippedDictionary
    }

    /// Begins an array or an object. Each level takes a part of the stack.
    private mutating func enter(_ level: Int) throws(ListError) {
        guard level < Self.levelLimit else { throw ListError(.tooDeep) }
        cursor.at += 1
    }

    private mutating func number() throws(ListError) {
        _ = cursor.take(UInt8(ascii: "-"))
        if !cursor.take(UInt8(ascii: "0")) { try digits() }
        if cursor.take(UInt8(ascii: ".")) { try digits() }
        if cursor.take(UInt8(ascii: "e")) || cursor.take(UInt8(ascii: "E")) {
            if !cursor.take(UInt8(ascii: "+")) { _ = cursor.take(UInt8(ascii: "-")) }
            try digits()
        }
    }

    private mutating func digits() throws(ListError) {
        let start = cursor.at
        while let byte = cursor.peek, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { cursor.at += 1 }
        guard cursor.at > start else { throw cursor.malformed("expected a value here") }
    }

    private mutating func text() throws(ListError) -> String {
        cursor.at += 1
        let start = cursor.at
        var unescaped: [UInt8]?
        while let byte = cursor.peek, byte != UInt8(ascii: "\"") {
            guard byte >= 0x20 else { throw cursor.malformed("expected a quote before the line's end") }
            guard byte == UInt8(ascii: "\\") else {
                unescaped?.append(byte)
                cursor.at += 1
                continue
            }
            if unescaped == nil { unescaped = Array(cursor.bytes[start..<cursor.at]) }
            cursor.at += 1
            unescaped? += try escape()
        }
        let end = cursor.at
        guard cursor.take(UInt8(ascii: "\"")) else {
            throw cursor.malformed("expected a quote at the text's end")
        }
        if let unescaped { return try cursor.text(unescaped) }
        return try cursor.text(cursor.bytes[start..<end])
    }

    /// Reads an escape after its backslash.
    private mutating func escape() throws(ListError) -> [UInt8] {
        let byte = cursor.peek
        cursor.at += 1
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return byte.map { [$0] } ?? []
        case UInt8(ascii: "b"): return [0x08]
        case UInt8(ascii: "f"): return [0x0C]
        case UInt8(ascii: "n"): return [0x0A]
        case UInt8(ascii: "r"): return [0x0D]
        case UInt8(ascii: "t"): return [0x09]
        case UInt8(ascii: "u"):
            let first = try codeUnit()
            guard UTF16.isLeadSurrogate(first), cursor.take("\\u") else { return try scalar([first]) }
            return try scalar([first, codeUnit()])
        default: throw cursor.malformed("expected another escape than this")
        }
    }

    private mutating func codeUnit() throws(ListError) -> UInt16 {
        let digits = cursor.bytes[cursor.at...].prefix(4)
        guard digits.count == 4, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
            let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
        else { throw cursor.malformed("expected four hexadecimal digits here") }
        cursor.at += 4
        return unit
    }

    private func scalar(_ units: [UInt16]) throws(ListError) -> [UInt8] {
        guard let text = String(validating: units, as: UTF16.self) else {
            throw cursor.malformed("an escape is half of a character")
        }
        return Array(text.utf8)
    }
}
