/// A photo a line; or, as `find -print0` writes them, each ended by a zero byte.
///
/// In lines, spaces around an entry do not belong to it, empty lines and those that begin with `#` are passed
/// over, and `./#1.jpg` names a file that begins so. Between zero bytes everything belongs to the entry.
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
                return RawListEntry(target: try entry.listText(at: .line(line)), at: .line(line))
            }
        }
        return nil
    }
}
