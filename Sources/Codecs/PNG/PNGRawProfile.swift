/// A profile that ImageMagick stores in a PNG's text, because there is no chunk for it. The keyword is "Raw
/// profile type NAME". The text is a line with the name, a line with the number of bytes, and hexadecimal
/// digits.
///
/// ExifTool and Pillow read such profiles, too. Source: ImageMagick's coders/png.c.
enum PNGRawProfile {
    private static let keywordStart = "Raw profile type "

    /// "exif", "iptc", "8bim" or "xmp"; nil for other keywords.
    static func name(ofKeyword keyword: String) -> String? {
        guard keyword.hasPrefix(keywordStart) else { return nil }
        let name = keyword.dropFirst(keywordStart.count).lowercased()
        return name == "app1" ? "exif" : name
    }

    /// Nil if the text has another form.
    static func bytes(of text: [UInt8]) -> [UInt8]? {
        let lines = text.drop { $0 == newline }.split(
            separator: newline, maxSplits: 2, omittingEmptySubsequences: false)
        guard lines.count == 3,
            let count = Int(String(decoding: lines[1].filter { $0 != space }, as: UTF8.self)),
            count >= 0, count <= lines[2].count / 2
        else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var high: UInt8?
        for character in lines[2] where character != newline && character != space {
            guard let digit = digit(character) else { return nil }
            if let first = high { bytes.append(first << 4 | digit) }
            high = high == nil ? digit : nil
        }
        return bytes.count == count && high == nil ? bytes : nil
    }

    /// The chunk for a profile; nil if it is empty or its text is too large.
    static func chunk(name: String, _ bytes: [UInt8], maxTextByteCount: Int) -> PNGChunk? {
        // Two digits a byte, a newline for each line, and the lines before.
        guard !bytes.isEmpty, bytes.count <= (maxTextByteCount - 64) / 3 else { return nil }
        let count = String(bytes.count)
        let padding = String(repeating: " ", count: max(0, 8 - count.utf8.count))
        var text = Array("\n\(name)\n\(padding)\(count)".utf8)
        text.reserveCapacity(3 * bytes.count + 64)
        let digits = Array("0123456789abcdef".utf8)
        for (index, byte) in bytes.enumerated() {
            if index % bytesPerLine == 0 { text.append(newline) }
            text.append(digits[Int(byte >> 4)])
            text.append(digits[Int(byte & 15)])
        }
        text.append(newline)
        return PNGChunk(name: "zTXt", bytes: Array("\(keywordStart)\(name)\0\0".utf8) + Zlib.deflate(text))
    }

    private static let bytesPerLine = 36
    private static let newline = UInt8(ascii: "\n"), space = UInt8(ascii: " ")

    private static func digit(_ character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): character - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): character - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
