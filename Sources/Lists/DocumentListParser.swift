/// JSON and property lists: a dictionary from names to addresses, or an array of addresses or of dictionaries
/// with `url` and an optional `name`. Other members are ignored.
///
/// The whole document is in memory. A dictionary has no order, so its entries are sorted by name. Several may have the same
/// name.
struct DocumentListParser: ListParser {
    enum Format: String {
        case json = "JSON"
        case propertyList = "a property list"
    }

    /// A larger document is refused.
    static let maxByteCount = 64 << 20

    private struct Entry {
        let name: DocumentValue?
        /// Nil if the entry has none.
        let target: DocumentValue?
    }

    private let entries: [Entry]
    private var place = 0

    /// - Parameter isLines: whether the list's name says that it is JSON Lines.
    init(_ bytes: ByteCursor, _ format: Format, isLines: Bool = false) throws(ListError) {
        let bytes = try bytes.rest(limit: Self.maxByteCount)
        let document =
            switch format {
            case .json: try JSONReader.read(bytes, isLines: isLines)
            case .propertyList where bytes.starts(with: "bplist".utf8):
                try BinaryPropertyListReader.read(bytes)
            case .propertyList: try XMLPropertyListReader.read(bytes)
            }
        switch document {
        case .array(let elements): entries = elements.map(Self.entry)
        case .dictionary(let members):
            entries = members.sorted { $0.name < $1.name }
                .map { Entry(name: .text($0.name), target: $0.value) }
        case .text, .other:
            let detail = "it is no dictionary or array of texts"
            throw ListError(.malformed(format: format.rawValue, detail: detail))
        }
    }

    private static func entry(_ element: DocumentValue) -> Entry {
        guard case .dictionary = element else { return Entry(name: nil, target: element) }
        return Entry(name: element["name"], target: element["url"])
    }

    mutating func next() throws(ListError) -> RawListEntry? {
        guard place < entries.count else { return nil }
        let entry = entries[place]
        place += 1
        guard let target = entry.target else { throw ListError(.noLocation, at: .entry(place)) }
        let name = try entry.name.map { value throws(ListError) in try text(value) }
        return RawListEntry(name: name, target: try text(target), at: .entry(place))
    }

    private func text(_ value: DocumentValue) throws(ListError) -> String {
        let kind: String
        switch value {
        case .text(let text):
            guard text.utf8.count <= [UInt8].maxListEntryByteCount else {
                throw ListError(.entryTooLong(limit: [UInt8].maxListEntryByteCount), at: .entry(place))
            }
            return text
        case .array: kind = "an array"
        case .dictionary: kind = "a dictionary"
        case .other(let other): kind = other
        }
        throw ListError(.notText(kind), at: .entry(place))
    }
}
