/// Names other kinds of files by their first bytes, for error messages.
package enum Lookalike {
    /// A name with its article, "a GIF" or "an HTML page"; nil for unknown bytes.
    package static func name(of firstBytes: [UInt8]) -> String? {
        let text = String(decoding: firstBytes.map { $0 < 0x80 ? $0 : 0x3F }, as: UTF8.self)
        if let known = signatures.first(where: { text.dropFirst($0.offset).hasPrefix($0.text) }) {
            return known.name
        }
        let isText = firstBytes.allSatisfy { $0 >= 0x20 && $0 != 0x7F || [0x09, 0x0A, 0x0D].contains($0) }
        guard isText else { return nil }
        let start = text.drop(while: \.isWhitespace).lowercased()
        return start.hasPrefix("<!doctype html") || start.hasPrefix("<html") ? "an HTML page" : "text"
    }

    private static let signatures: [(offset: Int, text: String, name: String)] = [
        (0, "GIF8", "a GIF"),
        (4, "ftypmsf1", "a sequence of HEICs"),
        (4, "ftyphevc", "a sequence of HEICs"),
        (4, "ftypavis", "a sequence of AVIFs"),
        (4, "ftyp", "a video"),
        (4, "jP  ", "a JPEG 2000"),
        (0, "BM", "a BMP"),
        (0, "8BPS", "a Photoshop document"),
        (0, "%PDF", "a PDF"),
        (0, "<?xml", "XML"),
        (0, "<svg", "an SVG"),
        (0, "PK\u{3}\u{4}", "a ZIP archive"),
    ]
}
