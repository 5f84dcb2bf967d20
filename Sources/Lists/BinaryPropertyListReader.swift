/// Reads a binary property list.
///
/// Source: Apple's CFBinaryPList.c, "bplist00". Objects are found through a table of their offsets, so one may be referred to
/// any number of times, and by itself. Only the outermost value and its elements are read.
struct BinaryPropertyListReader {
    private var cursor: DocumentCursor
    private let tableOffset: Int
    private let offsetByteCount: Int
    private let referenceByteCount: Int
    private let objectCount: Int

    private static let trailerByteCount = 32

    /// - Throws: `ListError`.
    static func read(_ bytes: [UInt8]) throws(ListError) -> DocumentValue {
        let trailer = bytes.count - trailerByteCount
        let cursor = DocumentCursor(bytes, .propertyList)
        guard trailer >= 8, let objectCount = number(bytes, trailer + 8, 8),
            let top = number(bytes, trailer + 16, 8),
            let tableOffset = number(bytes, trailer + 24, 8)
        else { throw malformed() }
        var reader = BinaryPropertyListReader(
            cursor: cursor, tableOffset: tableOffset, offsetByteCount: Int(bytes[trailer + 6]),
            referenceByteCount: Int(bytes[trailer + 7]), objectCount: objectCount)
        let (tableByteCount, overflow) = objectCount.multipliedReportingOverflow(by: reader.offsetByteCount)
        guard 1...8 ~= reader.offsetByteCount, 1...8 ~= reader.referenceByteCount, !overflow,
            0...trailer ~= tableOffset, tableByteCount <= trailer - tableOffset
        else { throw malformed() }
        return try reader.value(top, level: 0)
    }

    private init(
        cursor: DocumentCursor, tableOffset: Int, offsetByteCount: Int, referenceByteCount: Int,
        objectCount: Int
    ) {
        self.cursor = cursor
        self.tableOffset = tableOffset
        self.offsetByteCount = offsetByteCount
        self.referenceByteCount = referenceByteCount
        self.objectCount = objectCount
    }

    private static func malformed() -> ListError {
        ListError(
            .malformed(
                format: DocumentListParser.Format.propertyList.rawValue,
                detail: "its objects are damaged or cut off"))
    }

    /// A big-endian number; nil if it does not fit, or is not all in the bytes.
    private static func number(_ bytes: [UInt8], _ offset: Int, _ byteCount: Int) -> Int? {
        guard offset >= 0, byteCount <= 8, byteCount <= bytes.count - offset else { return nil }
        return Int(exactly: bytes[offset..<offset + byteCount].reduce(UInt64(0)) { $0 << 8 | UInt64($1) })
    }

    private func number(_ offset: Int, _ byteCount: Int) throws(ListError) -> Int {
        guard let number = Self.number(cursor.bytes, offset, byteCount) else { throw Self.malformed() }
        return number
    }

    private mutating func value(_ reference: Int, level: Int) throws(ListError) -> DocumentValue {
        try cursor.countValue()
        guard 0..<objectCount ~= reference else { throw Self.malformed() }
        var at = try number(tableOffset + reference * offsetByteCount, offsetByteCount)
        let marker = try number(at, 1)
        at += 1
        switch marker >> 4 {
        case 0x0 where marker == 0x00: return .null
        case 0x0 where marker == 0x08 || marker == 0x09: return .truth
        case 0x1, 0x2, 0x8: return .number
        case 0x3, 0x4: return .dateOrData
        case 0x5:
            let count = try count(marker, &at)
            let bytes = try slice(at, count)
            return .text(try cursor.text(bytes))
        case 0x6:
            let count = try count(marker, &at)
            return .text(try utf16(at, count))
        case 0xA, 0xC:
            let count = try count(marker, &at)
            return try array(at, count, level)
        case 0xD:
            let count = try count(marker, &at)
            return try dictionary(at, count, level)
        default: throw Self.malformed()
        }
    }

    /// The number of an object's elements, which the marker has or a number after it. `at` becomes the first element's offset.
    private func count(_ marker: Int, _ at: inout Int) throws(ListError) -> Int {
        guard marker & 0xF == 0xF else { return marker & 0xF }
        let size = try number(at, 1)
        guard size >> 4 == 0x1, size & 0xF <= 3 else { throw Self.malformed() }
        let count = try number(at + 1, 1 << (size & 0xF))
        at += 1 + 1 << (size & 0xF)
        return count
    }

    private func slice(_ at: Int, _ byteCount: Int) throws(ListError) -> ArraySlice<UInt8> {
        guard byteCount <= cursor.bytes.count - at else { throw Self.malformed() }
        return cursor.bytes[at..<at + byteCount]
    }

    private mutating func utf16(_ at: Int, _ count: Int) throws(ListError) -> String {
        guard count <= cursor.bytes.count else { throw Self.malformed() }
        let bytes = try slice(at, 2 * count)
        let units = stride(from: bytes.startIndex, to: bytes.endIndex, by: 2).lazy.map {
            UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1])
        }
        guard let text = String(validating: units, as: UTF16.self) else { throw Self.malformed() }
        return try cursor.text(text.utf8)
    }

    private mutating func array(_ at: Int, _ count: Int, _ level: Int) throws(ListError) -> DocumentValue {
        guard level < DocumentValue.levelsRead - 1 else { return .skippedArray }
        guard count <= cursor.bytes.count else { throw Self.malformed() }
        var elements: [DocumentValue] = []
        for index in 0..<count { elements.append(try value(try reference(at, index), level: level + 1)) }
        return .array(elements)
    }

    /// The references to all names come first, then those to the values.
    private mutating func dictionary(_ at: Int, _ count: Int, _ level: Int) throws(ListError) -> DocumentValue
    {
        guard level < DocumentValue.levelsRead else { return .skippedDictionary }
        guard count <= cursor.bytes.count else { throw Self.malformed() }
        var members: [(String, DocumentValue)] = []
        for index in 0..<count {
            guard case .text(let name) = try value(try reference(at, index), level: DocumentValue.levelsRead)
            else {
                throw Self.malformed()
            }
            members.append((name, try value(try reference(at, count + index), level: level + 1)))
        }
        return .dictionary(members)
    }

    private func reference(_ at: Int, _ index: Int) throws(ListError) -> Int {
        try number(at + index * referenceByteCount, referenceByteCount)
    }
}
