/// Contents of a profile's tags (ICC.1:2022, 10).
enum ICCTag {
    /// multiLocalizedUnicodeType with one American English text.
    static func text(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap(\.bigEndianBytes)
        let head: [UInt32] = [1, 12]
        return Array("mluc\0\0\0\0".utf8) + head.flatMap(\.bigEndianBytes) + Array("enUS".utf8)
            + UInt32(units.count).bigEndianBytes + UInt32(28).bigEndianBytes + units
    }

    static func xyz(_ value: [Double]) -> [UInt8] { Array("XYZ \0\0\0\0".utf8) + value.flatMap(fixed) }

    /// s15Fixed16ArrayType.
    static func numbers(_ values: [Double]) -> [UInt8] { Array("sf32\0\0\0\0".utf8) + values.flatMap(fixed) }

    /// parametricCurveType.
    static func curve(type: UInt16, _ parameters: [Double]) -> [UInt8] {
        Array("para\0\0\0\0".utf8) + type.bigEndianBytes + [0, 0] + parameters.flatMap(fixed)
    }

    /// s15Fixed16Number.
    static func fixed(_ value: Double) -> [UInt8] {
        Int32(clamping: Int((min(max(value, -32768), 32768) * 65536).rounded())).bigEndianBytes
    }
}

extension ICCProfile {
    /// A version 4 display profile. Tags with equal content share it, as the format allows.
    init(tags: [(name: String, content: [UInt8])], space: String) {
        let tableByteCount = 4 + 12 * tags.count
        var table = UInt32(tags.count).bigEndianBytes
        var contents: [UInt8] = []
        var offsets: [[UInt8]: Int] = [:]
        for (name, content) in tags {
            if offsets[content] == nil {
                offsets[content] = Self.headerByteCount + tableByteCount + contents.count
                contents += content + [UInt8](repeating: 0, count: (4 - content.count % 4) % 4)
            }
            table += Array(name.utf8) + UInt32(offsets[content] ?? 0).bigEndianBytes
            table += UInt32(content.count).bigEndianBytes
        }
        let byteCount = Self.headerByteCount + table.count + contents.count
        self.init(bytes: Self.header(space: space, byteCount: byteCount) + table + contents)
    }

    private static let headerByteCount = 128

    /// Without a maker and with a fixed date, so that equal profiles have equal bytes.
    private static func header(space: String, byteCount: Int) -> [UInt8] {
        var header = UInt32(byteCount).bigEndianBytes + [0, 0, 0, 0] + [4, 0x30, 0, 0]
        header += Array("mntr".utf8) + Array(space.utf8) + Array("XYZ ".utf8)
        let date: [UInt16] = [2000, 1, 1, 0, 0, 0]
        header += date.flatMap(\.bigEndianBytes) + Array("acsp".utf8) + [UInt8](repeating: 0, count: 28)
        header += [0.9642, 1, 0.8249].flatMap(ICCTag.fixed)
        return header + [UInt8](repeating: 0, count: headerByteCount - header.count)
    }
}
