import Foundation

/// JSON and property lists: a dictionary from names to addresses, or an array of addresses or of dictionaries
/// with `url` and an optional `name`. Other members are ignored.
///
/// The whole document is in memory. A dictionary has no order, so its entries are sorted by name. In JSON, several may have
/// the same name.
struct DocumentListParser: ListParser {
    enum Format: String {
        case json = "JSON"
        case propertyList = "a property list"
    }

    /// A larger document is refused.
    static let maxByteCount = 64 << 20

    private var entries: IndexingIterator<[Result<RawListEntry, ListError>]>

    init(_ bytes: ByteCursor, _ format: Format) throws(ListError) {
        let data = Data(try bytes.rest(limit: Self.maxByteCount))
        do {
            let document =
                switch format {
                case .json: try Document(json: data)
                case .propertyList where Self.isTooDeep(data): throw ListError(.tooDeep)
                case .propertyList: try PropertyListDecoder().decode(Document.self, from: data)
                }
            entries = document.entries.makeIterator()
        } catch let error as ListError {
            throw error
        } catch {
            let detail = Self.detail(of: error, data, format)
            throw ListError(.malformed(format: format.rawValue, detail: detail))
        }
    }

    /// Foundation's XML parser recurses for each level, so many levels overflow the stack. A list has two.
    private static func isTooDeep(_ data: Data) -> Bool {
        var (depth, rest) = (0, data[...])
        while let tag = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(tag + 1)...]
            // Tags in here are text. They must not hide the levels around them.
            let opaque = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")].first {
                rest.starts(with: $0.0.utf8)
            }
            guard let end = rest.range(of: Data((opaque?.1 ?? ">").utf8)) else { return false }
            let content = rest[..<end.lowerBound]
            rest = rest[end.upperBound...]
            if opaque != nil { continue }
            if content.starts(with: "array".utf8) || content.starts(with: "dict".utf8) {
                if content.last != UInt8(ascii: "/") { depth += 1 }
            } else if content.starts(with: "/array".utf8) || content.starts(with: "/dict".utf8) {
                depth = max(0, depth - 1)
            } else if content.first == UInt8(ascii: "!"), depth > 0 {
                return true  // A document type belongs before the first level.
            }
            if depth > 64 { return true }
        }
        return false
    }

    /// Foundation's description of where the document is invalid.
    private static func detail(of error: any Error, _ data: Data, _ format: Format) -> String {
        var cause: NSError?
        switch format {
        case .json:
            // The decoder's own error has no details.
            do { _ = try JSONSerialization.jsonObject(with: data) } catch { cause = error as NSError }
        case .propertyList:
            if let error = error as? DecodingError, case .dataCorrupted(let context) = error {
                cause = context.underlyingError as NSError?
            }
        }
        let words = cause?.userInfo[NSDebugDescriptionErrorKey] as? String
        guard let words else { return "it is no dictionary or array of texts" }
        return words.hasSuffix(".") ? String(words.dropLast()) : words
    }

    mutating func next() throws(ListError) -> RawListEntry? { try entries.next()?.get() }
}

/// The entries of a document.
private struct Document: Decodable {
    let entries: [Result<RawListEntry, ListError>]

    init(from decoder: any Decoder) throws {
        if var array = try? decoder.unkeyedContainer() {
            var entries: [Result<RawListEntry, ListError>] = []
            while !array.isAtEnd {
                let place = entries.count + 1
                entries.append(try array.decode(Element.self).entry(at: place))
            }
            self.entries = entries
            return
        }
        let dictionary = try decoder.container(keyedBy: AnyKey.self)
        entries = Self.entries(
            try dictionary.allKeys.map { key in
                NamedText(name: key.stringValue, value: try dictionary.decode(Text.self, forKey: key))
            })
    }

    init(json: Data) throws {
        let entries = try JSONDecoder().decode(Document.self, from: json).entries
        // Of members with the same name, the decoder keeps one. Zeros are in UTF-16 and UTF-32 only, which few lists are.
        guard !json.contains(0), JSONMembers.count(in: json) > entries.count else {
            self.entries = entries
            return
        }
        self.entries = Self.entries(
            try JSONDecoder().decode([NamedText].self, from: JSONMembers.array(of: json)))
    }

    /// The entries of a dictionary.
    private static func entries(_ members: [NamedText]) -> [Result<RawListEntry, ListError>] {
        members.sorted { $0.name < $1.name }.enumerated().map { index, member in
            member.value.entry(named: member.name, at: index + 1)
        }
    }
}

/// A member of a dictionary.
private struct NamedText: Decodable {
    let name: String
    let value: Text
}

/// The members of a JSON object as they are written. The JSON must be valid.
private enum JSONMembers {
    static func count(in json: Data) -> Int {
        var count = 0
        forEachByte(of: json) { byte, isMark in if isMark, byte == UInt8(ascii: ":") { count += 1 } }
        return count
    }

    /// The object as an array of `NamedText`.
    static func array(of json: Data) -> Data {
        var array: [UInt8] = []
        forEachByte(of: json) { byte, isMark in
            switch byte {
            case UInt8(ascii: "{") where isMark: array += #"[{"name":"#.utf8
            case UInt8(ascii: ":") where isMark: array += #","value":"#.utf8
            case UInt8(ascii: ",") where isMark: array += #"},{"name":"#.utf8
            case UInt8(ascii: "}") where isMark: array += "}]".utf8
            default: array.append(byte)
            }
        }
        return Data(array)
    }

    /// - Parameter visit: is also told whether the byte is punctuation of the object itself, and not of a value in it.
    private static func forEachByte(of json: Data, _ visit: (_ byte: UInt8, _ isMark: Bool) -> Void) {
        var (depth, isText, isEscaped) = (0, false, false)
        for byte in json {
            var isMark = false
            if isText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isText = false
                }
            } else {
                switch byte {
                case UInt8(ascii: "\""): isText = true
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    depth += 1
                    isMark = depth == 1
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    isMark = depth == 1
                    depth -= 1
                case UInt8(ascii: ":"), UInt8(ascii: ","): isMark = depth == 1
                default: break
                }
            }
            visit(byte, isMark)
        }
    }
}

/// An element of an array: an address, or a dictionary with one.
private struct Element: Decodable {
    private enum Member: String, CodingKey { case url, name }

    private let name: Text?
    private let url: Text?

    init(from decoder: any Decoder) throws {
        if let members = try? decoder.container(keyedBy: Member.self) {
            url = try members.decodeIfPresent(Text.self, forKey: .url)
            name = try members.decodeIfPresent(Text.self, forKey: .name)
        } else {
            url = try Text(from: decoder)
            name = nil
        }
    }

    func entry(at place: Int) -> Result<RawListEntry, ListError> {
        guard let url else { return .failure(ListError(.noLocation, at: .entry(place))) }
        switch name {
        case .other(let kind): return .failure(ListError(.notText(kind), at: .entry(place)))
        case .text(let name): return url.entry(named: name, at: place)
        case nil: return url.entry(named: nil, at: place)
        }
    }
}

/// A value that should be text.
private enum Text: Decodable {
    case text(String)
    /// What it is instead: `a number`.
    case other(String)

    init(from decoder: any Decoder) throws {
        if (try? decoder.unkeyedContainer()) != nil {
            self = .other("an array")
        } else if (try? decoder.container(keyedBy: AnyKey.self)) != nil {
            self = .other("a dictionary")
        } else {
            let value = try decoder.singleValueContainer()
            do {
                self = .text(try value.decode(String.self))
            } catch DecodingError.typeMismatch {
                self = .other(try Self.kind(of: value))
            } catch DecodingError.valueNotFound {
                self = .other("null")
            }
        }
    }

    private static func kind(of value: any SingleValueDecodingContainer) throws -> String {
        if value.decodeNil() { return "null" }
        if (try? value.decode(Bool.self)) != nil { return "true or false" }
        do {
            _ = try value.decode(Double.self)
            return "a number"
        } catch DecodingError.typeMismatch {
            return "a date or data"
        }
    }

    func entry(named name: String?, at place: Int) -> Result<RawListEntry, ListError> {
        switch self {
        case .other(let kind): return .failure(ListError(.notText(kind), at: .entry(place)))
        case .text(let target):
            let byteCount = max(target.utf8.count, name?.utf8.count ?? 0)
            guard byteCount <= [UInt8].maxListEntryByteCount else {
                return .failure(
                    ListError(.entryTooLong(limit: [UInt8].maxListEntryByteCount), at: .entry(place)))
            }
            return .success(RawListEntry(name: name, target: target, at: .entry(place)))
        }
    }
}

private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
