import TintypeFiles

/// Distinguishes a table without a usable header from a text list whose names contain commas.
enum CSVHeader {
    /// The problem with a table's first line; nil if it is not a table's.
    ///
    /// - Parameters:
    ///   - fields: the line's fields, two or more, none of which is `url`.
    ///   - separator: what is between the fields.
    ///   - isNamedCSV: whether the list's name says that it is a table.
    static func problem(
        with fields: [String], separatedBy separator: UInt8, isNamedCSV: Bool
    ) -> ListError.Reason? {
        let names = fields.map { $0.lowercased() }
        if names.contains("name"), !fields.contains(where: { FileName($0).looksLikePhoto }) {
            return .noURLColumn(found: fields)
        }
        guard let column = addressColumn(fields) else {
            // Unlike a header, names and addresses in a list of one column may contain commas.
            let isHeader = !fields.contains { FileName($0).looksLikePhoto || $0.contains("://") }
            return isNamedCSV && isHeader ? .noURLColumn(found: fields) : nil
        }
        return .noHeader(
            expected: header(count: fields.count, addressColumn: column, String(Unicode.Scalar(separator))))
    }

    /// An address may contain commas, so the first field counts as one only if it ends in a photo's
    /// extension.
    private static func addressColumn(_ fields: [String]) -> Int? {
        let isAddress = fields.map { field in
            ["http://", "https://"].contains { field.lowercased().hasPrefix($0) }
        }
        guard isAddress[0] else { return isAddress.firstIndex(of: true) }
        return FileName(fields[0].lastPathComponent).looksLikePhoto ? 0 : nil
    }

    private static func header(count: Int, addressColumn: Int, _ separator: String) -> String {
        let nameColumn = addressColumn == 0 ? 1 : 0
        return (0..<count).map { column in
            column == addressColumn ? "url" : column == nameColumn ? "name" : "column\(column + 1)"
        }.joined(separator: separator)
    }
}
