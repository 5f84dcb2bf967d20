/// Reads a property list in XML, of its markup what property lists have: no entities but the five of XML, and no document type
/// with declarations.
struct XMLPropertyListReader {
    private struct Tag {
        let name: ArraySlice<UInt8>
        var isEnd = false
        /// `<array/>`
        var isEmpty = false

        func has(_ name: String) -> Bool { self.name.elementsEqual(name.utf8) }
    }

    private var cursor: DocumentCursor

    /// Far more than any list has. Each level takes a part of the stack.
    private static let levelLimit = 64

    /// - Throws: `ListError`.
    static func read(_ bytes: [UInt8]) throws(ListError) -> DocumentValue {
        var reader = XMLPropertyListReader(cursor: DocumentCursor(bytes, .propertyList))
        try reader.skipMarkup(allowsDocumentType: true)
        let first = try reader.tag()
        guard first.has("plist") else { return try reader.onlyValue(first) }
        guard !first.isEmpty else { throw reader.cursor.malformed("it is empty") }
        try reader.skipMarkup()
        return try reader.onlyValue(try reader.tag(), until: "plist")
    }

    private init(cursor: DocumentCursor) { self.cursor = cursor }

    /// - Parameter end: the end tag that follows the value; nil if the document ends.
    private mutating func onlyValue(_ tag: Tag, until end: String? = nil) throws(ListError) -> DocumentValue {
        let value = try value(tag, level: 0)
        try skipMarkup()
        if let end {
            let tag = try self.tag()
            guard tag.isEnd, tag.has(end) else { throw cursor.malformed("expected </\(end)> here") }
            try skipMarkup()
        }
        guard cursor.peek == nil else { throw cursor.malformed("expected its end here") }
        return value
    }

    private mutating func value(_ tag: Tag, level: Int) throws(ListError) -> DocumentValue {
        try cursor.countValue()
        switch String(decoding: tag.name, as: UTF8.self) {
        case _ where tag.isEnd: throw cursor.malformed("expected a value before </\(shown(tag))>")
        case "string": return .text(try text(tag))
        case "array" where level < DocumentValue.levelsRead - 1: return .array(try elements(tag, level))
        case "array":
            _ = try elements(tag, level)
            return .skippedArray
        case "dict" where level < DocumentValue.levelsRead: return .dictionary(try members(tag, level))
        case "dict":
            _ = try members(tag, level)
            return .skippedDictionary
        case "integer", "real":
            _ = try text(tag)
            return .number
        case "true", "false":
            _ = try text(tag)
            return .truth
        case "date", "data":
            _ = try text(tag)
            return .dateOrData
        default: throw cursor.malformed("it has an element <\(shown(tag))>")
        }
    }

    private func shown(_ tag: Tag) -> String { String(decoding: tag.name.prefix(40), as: UTF8.self) }

    private mutating func elements(_ tag: Tag, _ level: Int) throws(ListError) -> [DocumentValue] {
        var elements: [DocumentValue] = []
        while let next = try next(in: tag, level) {
            let element = try value(next, level: level + 1)
            if level < DocumentValue.levelsRead - 1 { elements.append(element) }
        }
        return elements
    }

    private mutating func members(_ tag: Tag, _ level: Int) throws(ListError) -> [(
        name: String, value: DocumentValue
    )] {
        var members: [(String, DocumentValue)] = []
        while let key = try next(in: tag, level) {
            guard key.has("key"), !key.isEnd else { throw cursor.malformed("expected <key> here") }
            let name = try text(key)
            try skipMarkup()
            let member = try value(try self.tag(), level: level + 1)
            if level < DocumentValue.levelsRead { members.append((name, member)) }
        }
        return members
    }

    /// The next tag in an array or a dictionary; nil after its end.
    private mutating func next(in container: Tag, _ level: Int) throws(ListError) -> Tag? {
        guard level < Self.levelLimit else { throw ListError(.tooDeep) }
        if container.isEmpty { return nil }
        try skipMarkup()
        let tag = try tag()
        guard tag.isEnd else { return tag }
        guard tag.name == container.name else {
            throw cursor.malformed("expected </\(shown(container))> here")
        }
        return nil
    }

    private mutating func tag() throws(ListError) -> Tag {
        guard cursor.take(UInt8(ascii: "<")) else { throw cursor.malformed("expected a tag here") }
        guard let end = cursor.bytes[cursor.at...].firstIndex(of: UInt8(ascii: ">")) else {
            throw cursor.malformed("expected '>' at the tag's end")
        }
        let content = cursor.bytes[cursor.at..<end]
        cursor.at = end + 1
        let isEnd = content.first == UInt8(ascii: "/")
        let name = content.dropFirst(isEnd ? 1 : 0).prefix { !$0.isListWhitespace && $0 != UInt8(ascii: "/") }
        return Tag(name: name, isEnd: isEnd, isEmpty: !isEnd && content.last == UInt8(ascii: "/"))
    }

    /// Reads the text of an element, up to its end tag.
    private mutating func text(_ element: Tag) throws(ListError) -> String {
        if element.isEmpty { return "" }
        var text: [UInt8] = []
        while let byte = cursor.peek {
            if byte == UInt8(ascii: "&") {
                text += try entity()
            } else if byte != UInt8(ascii: "<") {
                text.append(byte)
                cursor.at += 1
            } else if cursor.take("<![CDATA[") {
                text += try content(until: "]]>")
            } else if cursor.take("<!--") {
                _ = try content(until: "-->")
            } else {
                let end = try tag()
                guard end.isEnd, end.name == element.name else {
                    throw cursor.malformed("expected </\(shown(element))> here")
                }
                return try cursor.text(text)
            }
        }
        throw cursor.malformed("it ends too early")
    }

    /// Reads the bytes before a mark, and the mark.
    private mutating func content(until mark: StaticString) throws(ListError) -> ArraySlice<UInt8> {
        let start = cursor.at
        while cursor.at < cursor.bytes.count {
            let end = cursor.at
            if cursor.take(mark) { return cursor.bytes[start..<end] }
            cursor.at += 1
        }
        throw cursor.malformed("it ends too early")
    }

    private mutating func entity() throws(ListError) -> [UInt8] {
        cursor.at += 1
        // The longest is a number such as &#x10FFFF; with some zeros in front.
        let window = cursor.bytes[cursor.at...].prefix(16)
        guard let end = window.firstIndex(of: UInt8(ascii: ";")) else {
            throw cursor.malformed("expected ';' after '&'")
        }
        let name = String(decoding: cursor.bytes[cursor.at..<end], as: UTF8.self)
        cursor.at = end + 1
        switch name {
        case "amp": return [UInt8(ascii: "&")]
        case "lt": return [UInt8(ascii: "<")]
        case "gt": return [UInt8(ascii: ">")]
        case "quot": return [UInt8(ascii: "\"")]
        case "apos": return [UInt8(ascii: "'")]
        default:
            let isHexadecimal = name.utf8.starts(with: "#x".utf8)
            let digits = name.dropFirst(isHexadecimal ? 2 : 1)
            guard name.utf8.first == UInt8(ascii: "#"),
                let scalar = UInt32(digits, radix: isHexadecimal ? 16 : 10).flatMap(Unicode.Scalar.init)
            else { throw cursor.malformed("it has an entity &\(name.prefix(16)); that is not XML's own") }
            return Array(String(scalar).utf8)
        }
    }

    /// Skips white space, comments and processing instructions.
    private mutating func skipMarkup(allowsDocumentType: Bool = false) throws(ListError) {
        while true {
            cursor.skipWhitespace()
            if cursor.take("<!--") {
                _ = try content(until: "-->")
            } else if cursor.take("<?") {
                _ = try content(until: "?>")
            } else if allowsDocumentType, cursor.take("<!DOCTYPE") {
                guard try !content(until: ">").contains(UInt8(ascii: "[")) else {
                    throw cursor.malformed("it declares entities")
                }
            } else {
                return
            }
        }
    }
}
