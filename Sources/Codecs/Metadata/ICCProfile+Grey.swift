extension ICCProfile {
    /// Grey with sRGB's curve: what a photo in sRGB becomes that turns grey. ICC.1:2022, 8.4.4 (monochrome
    /// display profile); IEC 61966-2-1 for the curve.
    public static let sRGBGrey: ICCProfile = {
        let d50 = fixed(0.9642, 1, 0.8249)
        // Y = (aX + b)^g for X >= d, else cX.
        let curve = fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045)
        let tags: [(name: String, bytes: [UInt8])] = [
            ("desc", text("sRGB grey")),
            ("cprt", text("CC0")),
            ("wtpt", Array("XYZ \0\0\0\0".utf8) + d50),
            ("kTRC", Array("para\0\0\0\0".utf8) + [0, 3, 0, 0] + curve),
        ]
        let headerByteCount = 128
        var table = word(tags.count)
        var data: [UInt8] = []
        let dataStart = headerByteCount + 4 + 12 * tags.count
        for tag in tags {
            table += Array(tag.name.utf8) + word(dataStart + data.count) + word(tag.bytes.count)
            data += tag.bytes + [UInt8](repeating: 0, count: -tag.bytes.count & 3)
        }
        var header = word(dataStart + data.count) + word(0) + [4, 0x40, 0, 0]
        header += Array("mntrGRAYXYZ ".utf8)
        // 1 January 2026, midnight.
        header += [0x07, 0xEA, 0, 1, 0, 1, 0, 0, 0, 0, 0, 0]
        header += Array("acsp".utf8) + [UInt8](repeating: 0, count: 28) + d50
        header += [UInt8](repeating: 0, count: headerByteCount - header.count)
        return ICCProfile(bytes: header + table + data)
    }()

    private static func word(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// s15Fixed16Number.
    private static func fixed(_ values: Double...) -> [UInt8] {
        values.flatMap { word(Int(($0 * 65536).rounded())) }
    }

    /// multiLocalizedUnicodeType with one text.
    private static func text(_ text: String) -> [UInt8] {
        let units = text.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
        return Array("mluc\0\0\0\0".utf8) + word(1) + word(12) + Array("enUS".utf8) + word(units.count)
            + word(28) + units
    }
}
