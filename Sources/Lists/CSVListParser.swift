/// Comma-separated values after RFC 4180, or separated by semicolons or tabs, as the header is: it has a column `url` and an
/// optional column `name`. Other columns are ignored.
struct CSVListParser: ListParser {
    private let bytes: ByteCursor
    private let separator: UInt8
    private let columnCount: Int
    private let urlColumn: Int
    private let nameColumn: Int?

    private static let separators = ",;\t".utf8

    /// Reads the header; nil if the bytes do not begin with one, so that the list is not CSV.
    ///
    /// - Parameter isNamedCSV: whether the list's name says that it is CSV.
    /// - Throws: `ListError` for a table that cannot be used.
    init?(_ bytes: ByteCursor, isNamedCSV: Bool) throws(ListError) {
        let most = ByteCursor.bufferByteCount
        let start = try bytes.lookAhead(most)
        guard
            let end = start.firstIndex(of: UInt8(ascii: "\n")) ?? (start.count < most ? start.endIndex : nil)
        else {
            return nil
        }
        let line = Array(start[..<end])
        let headers = Self.separators.compactMap { mark in
            (try? Self.record(ByteCursor(line), mark)).map { (separator: mark, columns: $0) }
        }
        guard let header = headers.first(where: { $0.columns.contains { $0.lowercased() == "url" } }) else {
            let table = headers.first { $0.columns.count > 1 }
            if let table,
                let problem = CSVHeader.problem(
                    with: table.columns, separatedBy: table.separator, isNamedCSV: isNamedCSV)
            {
                throw ListError(problem, at: .line(bytes.line))
            }
            return nil
        }
        let columns = header.columns.map { $0.lowercased() }
        guard let urlColumn = columns.firstIndex(of: "url") else { return nil }
        separator = header.separator
        _ = try Self.record(bytes, separator)
        self.bytes = bytes
        self.urlColumn = urlColumn
        nameColumn = columns.firstIndex(of: "name")
        columnCount = columns.count
    }

    mutating func next() throws(ListError) -> RawListEntry? {
        while try bytes.peek() != nil {
            let line = bytes.line
            let fields = try Self.record(bytes, separator)
            if fields == [""] { continue }
            guard fields.count == columnCount else {
                throw ListError(.fieldCount(found: fields.count, expected: columnCount), at: .line(line))
            }
            let name = nameColumn.map { fields[$0] }
            return RawListEntry(name: name == "" ? nil : name, target: fields[urlColumn], at: .line(line))
        }
        return nil
    }

    /// Reads one record, whose quoted fields may span lines.
    private static func record(_ bytes: ByteCursor, _ separator: UInt8) throws(ListError) -> [String] {
        let line = bytes.line
        var fields: [[UInt8]] = []
        var isLast = false
        while !isLast {
            let isQuoted = try bytes.take(UInt8(ascii: "\""))
            fields.append(isQuoted ? try quotedField(bytes) : try plainField(bytes, separator))
            isLast = try !bytes.take(separator)
            guard fields.count <= 1024 else {
                throw ListError(.syntax(expected: "fewer fields"), at: .line(line))
            }
        }
        _ = try bytes.take(UInt8(ascii: "\r"))
        let hasMore = try bytes.peek() != nil
        let isWhole = try bytes.take(UInt8(ascii: "\n"))
        if hasMore, !isWhole {
            throw ListError(.syntax(expected: "a separator or the line's end"), at: .line(bytes.line))
        }
        var texts: [String] = []
        for field in fields { texts.append(try field.listText(at: .line(line))) }
        return texts
    }

    private static func plainField(_ bytes: ByteCursor, _ separator: UInt8) throws(ListError) -> [UInt8] {
        var field: [UInt8] = []
        while let byte = try bytes.peek(), byte != separator, byte != UInt8(ascii: "\n"),
            byte != UInt8(ascii: "\r")
        {
            guard byte != UInt8(ascii: "\"") else {
                throw ListError(
                    .syntax(expected: "quotes around the whole field, and doubled within it"),
                    at: .line(bytes.line))
            }
            try field.appendListByte(byte, at: .line(bytes.line))
            _ = try bytes.next()
        }
        return field
    }

    /// Reads a field after its opening quote.
    private static func quotedField(_ bytes: ByteCursor) throws(ListError) -> [UInt8] {
        let line = bytes.line
        var field: [UInt8] = []
        while let byte = try bytes.next() {
            if byte == UInt8(ascii: "\""), try !bytes.take(UInt8(ascii: "\"")) { return field }
            try field.appendListByte(byte, at: .line(line))
        }
        throw ListError(.syntax(expected: "a quote that closes the field"), at: .line(line))
    }
}
