/// A value of JSON or of a property list, as far as a list of photos needs it.
enum DocumentValue {
    case text(String)
    case array([DocumentValue])
    /// In the document's order. Several members may have the same name.
    case dictionary([(name: String, value: DocumentValue)])
    /// What it is instead: `a number`.
    case other(String)

    /// Arrays and dictionaries of the outermost value and of its elements are read; those below are `other`.
    static let levelsRead = 2

    static let skippedArray = DocumentValue.other("an array")
    static let skippedDictionary = DocumentValue.other("a dictionary")
    static let number = DocumentValue.other("a number")
    static let truth = DocumentValue.other("true or false")
    static let null = DocumentValue.other("null")
    static let dateOrData = DocumentValue.other("a date or data")

    /// The last member of this name.
    subscript(name: StaticString) -> DocumentValue? {
        guard case .dictionary(let members) = self else { return nil }
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        return members.last { $0.name.utf8.elementsEqual(wanted) }?.value
    }
}

/// Limits the memory of a document's values. In a binary property list, a short text may be referred to any number of times.
struct DocumentBudget {
    static let byteLimit = 256 << 20
    private var bytesLeft = Self.byteLimit

    /// What a value takes besides its text.
    private static let valueByteCount = 32

    /// - Throws: `ListError.Reason.tooMuchText`.
    mutating func take(_ textByteCount: Int) throws(ListError) {
        bytesLeft -= textByteCount + Self.valueByteCount
        guard bytesLeft >= 0 else { throw ListError(.tooMuchText(limit: Self.byteLimit)) }
    }
}

/// A document's bytes, read front to back.
struct DocumentCursor {
    let bytes: [UInt8]
    let format: DocumentListParser.Format
    var at = 0
    private var budget = DocumentBudget()

    init(_ bytes: [UInt8], _ format: DocumentListParser.Format) {
        self.bytes = bytes
        self.format = format
    }

    /// The next byte; nil at the end.
    var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

    func peek(_ text: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
        return bytes[at...].starts(with: wanted)
    }

    mutating func skipWhitespace() {
        while at < bytes.count, bytes[at].isListWhitespace { at += 1 }
    }

    mutating func take(_ byte: UInt8) -> Bool {
        guard peek == byte else { return false }
        at += 1
        return true
    }

    mutating func take(_ text: StaticString) -> Bool {
        guard peek(text) else { return false }
        at += text.utf8CodeUnitCount
        return true
    }

    /// Makes text of bytes, and counts it.
    mutating func text(_ bytes: some Collection<UInt8>) throws(ListError) -> String {
        try budget.take(bytes.count)
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw malformed("a text is not UTF-8")
        }
        return text
    }

    /// Counts a value that is no text.
    mutating func countValue() throws(ListError) { try budget.take(0) }

    /// The error at the next byte.
    func malformed(_ detail: String) -> ListError {
        let line = bytes[..<min(at, bytes.count)].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
        return ListError(.malformed(format: format.rawValue, detail: detail), at: .line(line))
    }
}
