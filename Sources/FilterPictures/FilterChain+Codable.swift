import TintypeFilters

/// A chain is stored as its `recipe`, one string. It reads back as an equal chain.
///
/// Reading a chain opens the files that its filters name, with paths relative to the current folder. The text has
/// the hash of each, so a file with other contents is refused. Text from strangers may name any file: parse it with
/// `init(parsing:reading:)` instead, which says which files may be read. A filter of another package must be
/// registered first.
extension FilterChain: Codable {
    /// - Throws: `EncodingError` for a table or a picture that is not from a file.
    public func encode(to encoder: any Encoder) throws {
        guard filters.allSatisfy({ Self.isText($0) }) else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(
                    codingPath: encoder.codingPath,
                    debugDescription: "A table or a picture that is not from a file cannot be stored as text."
                ))
        }
        var container = encoder.singleValueContainer()
        try container.encode(recipe)
    }

    /// - Throws: `DecodingError`, with a `FilterError` as its cause if the text is no chain.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        do throws(FilterError) {
            try self.init(parsing: text.split(separator: " ").map(String.init))
        } catch {
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: decoder.codingPath, debugDescription: error.description,
                    underlyingError: error))
        }
    }

    /// Whether all of the filter's files have paths.
    private static func isText<F: Filter>(_ filter: F) -> Bool {
        filter.parameters.filter { $0.values == .file }.map { $0.text(in: filter) }
            .allSatisfy { !$0.isEmpty && !$0.hasPrefix("#") }
    }
}
