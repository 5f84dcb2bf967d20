/// A profile that ImageMagick hides in a PNG's text, for want of a chunk: under the keyword "Raw profile type
/// NAME" stand a line with the name, one with the count of bytes, and hexadecimal digits.
///
/// ExifTool and Pillow read them too. Source: ImageMagick's coders/png.c.
enum PNGRawProfile {
    private static let keywordStart = "Raw profile type "

    /// "exif", "iptc", "8bim", "xmp"; nil where the keyword is another.
    static func name(ofKeyword keyword: String) -> String? {
        guard keyword.hasPrefix(keywordStart) else { return nil }
        let name = keyword.dropFirst(keywordStart.count).lowercased()
        return name == "app1" ? "exif" : name
    }

    /// Nil where the text has another form.
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
