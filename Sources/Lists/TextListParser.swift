/// One photo a line, or entries that end with zero bytes, as `find -print0` writes them.
///
/// In lines, white space around an entry is removed, and empty lines and lines that begin with `#` are
/// skipped (`./#1.jpg` names such a file). Entries that end with zero bytes are taken as they are.
struct TextListParser: ListParser {
    private let bytes: ByteCursor
    private let separator: UInt8

    init(_ bytes: ByteCursor, separatedByZeros: Bool) {
        self.bytes = bytes
        separator = separatedByZeros ? 0 : UInt8(ascii: "\n")
    }

    mutating func next() throws(ListError) -> RawListEntry? {
        while try bytes.peek() != nil {
            let line = bytes.line
            var entry: [UInt8] = []
            var isComment = false
            while let byte = try bytes.next(), byte != separator {
                if separator != 0, entry.isEmpty {
                    if byte.isListWhitespace { continue }
                    // A comment may be of any length.
                    if byte == UInt8(ascii: "#") { isComment = true }
                }
                if !isComment { try entry.appendListByte(byte, at: .line(line)) }
            }
            if separator != 0 {
                while let last = entry.last, last.isListWhitespace { entry.removeLast() }
            }
            if !entry.isEmpty {
                return RawListEntry(
                    target: try entry.listText(at: .line(line)), at: .line(line),
                    allowsControls: separator == 0)
            }
        }
        return nil
    }
}
