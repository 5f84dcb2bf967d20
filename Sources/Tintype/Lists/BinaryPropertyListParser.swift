/// A binary property list (`bplist00`): the same shapes as in XML.
///
/// Objects are looked up where they are needed and no deeper than an entry goes, so that neither cycles nor
/// references without end cost anything. Format: the comment at the top of Apple's open-source
/// CFBinaryPList.c.
struct BinaryPropertyListParser: ListParser {
    private enum Object {
        case text(String)
        case array(ArraySlice<UInt8>)
        case dictionary(keys: ArraySlice<UInt8>, values: ArraySlice<UInt8>)
        case other(String)
    }

    /// A property list is held whole.
    static let maxByteCount = 64 << 20

    private let bytes: [UInt8]
    private let offsetByteCount: Int
    private let referenceByteCount: Int
    private let objectCount: Int
    private let tableOffset: Int
    private var keys: ArraySlice<UInt8>?
    private var values: ArraySlice<UInt8> = []

    init(_ cursor: ByteCursor) throws(ListError) {
        bytes = try cursor.rest(limit: Self.maxByteCount)
        guard bytes.count >= 40 else { throw Self.damaged }
        let trailer = bytes.count - 32
        offsetByteCount = Int(bytes[trailer + 6])
        referenceByteCount = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetByteCount), (1...8).contains(referenceByteCount) else {
            throw Self.damaged
        }
        objectCount = try Self.number(bytes[(trailer + 8)..<(trailer + 16)])
        let top = try Self.number(bytes[(trailer + 16)..<(trailer + 24)])
        tableOffset = try Self.number(bytes[(trailer + 24)..<(trailer + 32)])
        guard tableOffset < trailer, objectCount <= (trailer - tableOffset) / offsetByteCount else {
            throw Self.damaged
        }
        switch try object(top) {
        case .array(let elements): values = elements
        case .dictionary(let keys, let values): (self.keys, self.values) = (keys, values)
        case .text, .other: throw ListError(Self.syntax("a dictionary or an array"), line: nil)
        }
    }

    mutating func next() throws(ListError) -> RawListEntry? {
        guard !values.isEmpty else { return nil }
        let (key, value) = (keys?.prefix(referenceByteCount), values.prefix(referenceByteCount))
        // On to the next one first: an entry that is refused must not be met again.
        keys = keys?.dropFirst(referenceByteCount)
        values = values.dropFirst(referenceByteCount)
        guard let key else { return try element(try object(at: value)) }
        guard case .text(let name) = try object(at: key) else { throw Self.damaged }
        return RawListEntry(name: name, target: try text(try object(at: value)))
    }

    private func element(_ value: Object) throws(ListError) -> RawListEntry {
        guard case .dictionary(var keys, var values) = value else {
            return RawListEntry(target: try text(value))
        }
        var name: String?
        var target: String?
        while !keys.isEmpty {
            guard case .text(let key) = try object(at: keys.prefix(referenceByteCount)) else {
                throw Self.damaged
            }
            if key == "url" || key == "name" {
                let text = try text(try object(at: values.prefix(referenceByteCount)))
                if key == "url" { target = text } else { name = text }
            }
            keys = keys.dropFirst(referenceByteCount)
            values = values.dropFirst(referenceByteCount)
        }
        guard let target else { throw ListError(.noLocation, line: nil) }
        return RawListEntry(name: name, target: target)
    }

    private func text(_ object: Object) throws(ListError) -> String {
        switch object {
        case .text(let text): return text
        case .array: throw ListError(.notText("an array"), line: nil)
        case .dictionary: throw ListError(.notText("a dictionary"), line: nil)
        case .other(let kind): throw ListError(.notText(kind), line: nil)
        }
    }

    private func object(at reference: ArraySlice<UInt8>) throws(ListError) -> Object {
        try object(try Self.number(reference))
    }

    private func object(_ index: Int) throws(ListError) -> Object {
        guard index < objectCount else { throw Self.damaged }
        let entry = tableOffset + index * offsetByteCount
        let offset = try Self.number(bytes[entry..<(entry + offsetByteCount)])
        guard offset < tableOffset else { throw Self.damaged }
        let kind = bytes[offset] >> 4
        switch kind {
        case 0x5, 0x6: return .text(try string(at: offset, unitByteCount: kind == 0x5 ? 1 : 2))
        case 0xA:
            let (count, start) = try count(at: offset)
            return .array(try slice(start, count, referenceByteCount))
        case 0xD:
            let (count, start) = try count(at: offset)
            let keys = try slice(start, count, referenceByteCount)
            return .dictionary(keys: keys, values: try slice(keys.endIndex, count, referenceByteCount))
        case 0x0: return .other("true, false or nothing")
        case 0x1, 0x2: return .other("a number")
        case 0x3: return .other("a date")
        case 0x4: return .other("data")
        default: return .other("of an unknown kind")
        }
    }

    private func string(at offset: Int, unitByteCount: Int) throws(ListError) -> String {
        let (count, start) = try count(at: offset)
        guard count <= [UInt8].maxListEntryByteCount else {
            throw ListError(.entryTooLong(limit: [UInt8].maxListEntryByteCount), line: nil)
        }
        let content = try slice(start, count, unitByteCount)
        let text: String?
        if unitByteCount == 1 {
            text = content.allSatisfy { $0 < 0x80 } ? String(validating: content, as: UTF8.self) : nil
        } else {
            let units = stride(from: content.startIndex, to: content.endIndex, by: 2).map {
                UInt16(content[$0]) << 8 | UInt16(content[$0 + 1])
            }
            text = String(validating: units, as: UTF16.self)
        }
        guard let text else { throw ListError(.notText("no valid text"), line: nil) }
        return text
    }

    /// How many units an object has, and where they begin: 15 in the mark says that the number itself
    /// follows.
    private func count(at offset: Int) throws(ListError) -> (count: Int, start: Int) {
        let low = Int(bytes[offset] & 0x0F)
        guard low == 0x0F else { return (low, offset + 1) }
        guard offset + 1 < tableOffset, bytes[offset + 1] >> 4 == 0x1, bytes[offset + 1] & 0x0F <= 3 else {
            throw Self.damaged
        }
        let byteCount = 1 << Int(bytes[offset + 1] & 0x0F)
        let start = offset + 2 + byteCount
        guard start <= tableOffset else { throw Self.damaged }
        return (try Self.number(bytes[(offset + 2)..<start]), start)
    }

    private func slice(_ start: Int, _ count: Int, _ unitByteCount: Int) throws(ListError) -> ArraySlice<
        UInt8
    > {
        guard start <= tableOffset, count <= (tableOffset - start) / unitByteCount else { throw Self.damaged }
        return bytes[start..<(start + count * unitByteCount)]
    }

    /// Big-endian.
    private static func number(_ bytes: ArraySlice<UInt8>) throws(ListError) -> Int {
        var number: UInt64 = 0
        for byte in bytes { number = number << 8 | UInt64(byte) }
        guard number < 1 << 48 else { throw damaged }
        return Int(number)
    }

    private static func syntax(_ expected: String) -> ListError.Reason {
        .syntax(format: "binary property list", expected: expected)
    }

    private static var damaged: ListError { ListError(syntax("offsets that lie within the file"), line: nil) }
}
