import Foundation

/// A value in a settings file or a recipe.
enum SettingValue: Equatable, CustomStringConvertible {
    case text(String)
    /// A number as it is written.
    case number(String)
    case flag(Bool)
    case list([String])
    case object([SettingsScanner.Entry])
    case null

    /// The value as messages show it.
    var description: String {
        switch self {
        case .text(let text): "\"\(text.excerpt())\""
        case .number(let text): text.excerpt()
        case .flag(let flag): "\(flag)"
        case .list(let texts): "[\(texts.map { "\"\($0)\"" }.joined(separator: ", ").excerpt())]"
        case .object(let entries): entries.isEmpty ? "{}" : "{ \"\(entries[0].key.excerpt())\": ... }"
        case .null: "null"
        }
    }
}

/// Reads a JSON object whose values are texts, numbers, true, false, lists of texts, or objects, and counts lines.
///
/// Foundation's parsers do not tell the line of a key.
struct SettingsScanner {
    struct Entry: Equatable {
        let key: String
        let value: SettingValue
        let line: Int
    }

    /// What is wrong on a line.
    struct Complaint: Error, Equatable {
        let text: String
        let line: Int
    }

    private var rest: ArraySlice<UInt8>
    private var line = 1
    /// Objects that may be around a value.
    private let maxDepth: Int
    private var depth = 0

    /// The settings in their order.
    ///
    /// - Parameter nested: whether values may be objects of objects, as in a recipe.
    static func entries(in bytes: [UInt8], nested: Bool = false) throws(Complaint) -> [Entry] {
        var scanner = SettingsScanner(rest: bytes.withoutByteOrderMark, maxDepth: nested ? 3 : 1)
        return try scanner.file()
    }

    private init(rest: ArraySlice<UInt8>, maxDepth: Int) {
        self.rest = rest
        self.maxDepth = maxDepth
    }

    private func complaint(_ text: String) -> Complaint { Complaint(text: text, line: line) }

    /// An empty file has no settings.
    private mutating func file() throws(Complaint) -> [Entry] {
        skipWhitespace()
        if rest.isEmpty { return [] }
        guard take("{") else {
            let example = maxDepth > 1 ? "{ \"outputs\": { } }" : "{ \"jobs\": 4 }"
            throw complaint("The file must hold a JSON object, such as \(example).")
        }
        let entries = try object()
        skipWhitespace()
        guard rest.isEmpty else { throw complaint("There is something after the closing brace.") }
        return entries
    }

    /// The entries up to the closing brace, which is taken too.
    private mutating func object() throws(Complaint) -> [Entry] {
        depth += 1
        defer { depth -= 1 }
        var entries: [Entry] = []
        if !takeEnd("}") {
            repeat { entries.append(try entry()) } while try hasMore(until: "}")
        }
        return entries
    }

    private mutating func entry() throws(Complaint) -> Entry {
        skipWhitespace()
        let keyLine = line
        guard take("\"") else { throw complaint("A setting's name in quotes is missing here.") }
        let key = try text()
        skipWhitespace()
        guard take(":") else { throw complaint("A colon is missing after \"\(key.excerpt())\".") }
        return Entry(key: key, value: try value(), line: keyLine)
    }

    private mutating func value() throws(Complaint) -> SettingValue {
        skipWhitespace()
        if take("\"") { return .text(try text()) }
        if take("[") { return .list(try list()) }
        if depth < maxDepth, take("{") { return .object(try object()) }
        if rest.first == UInt8(ascii: "{") {
            throw complaint("Values are texts, numbers, true, false, or lists of texts.")
        }
        let word = takeWord()
        switch word {
        case "": throw complaint("A value is missing here.")
        case "true": return .flag(true)
        case "false": return .flag(false)
        case "null": return .null
        default:
            guard (try? JSONDecoder().decode(Double.self, from: Data(word.utf8))) != nil else {
                throw complaint(
                    "\(word.excerpt()) is no JSON value. A text needs quotes: \"\(word.excerpt())\".")
            }
            return .number(word)
        }
    }

    private mutating func list() throws(Complaint) -> [String] {
        var texts: [String] = []
        if takeEnd("]") { return texts }
        repeat {
            skipWhitespace()
            guard take("\"") else { throw complaint("A list has texts in quotes.") }
            texts.append(try text())
        } while try hasMore(until: "]")
        return texts
    }

    /// Takes the comma before a further element, or the end.
    private mutating func hasMore(until end: Unicode.Scalar) throws(Complaint) -> Bool {
        if takeEnd(end) { return false }
        guard take(",") else { throw complaint("A comma or \(end) is missing here.") }
        return true
    }

    private mutating func takeEnd(_ end: Unicode.Scalar) -> Bool {
        skipWhitespace()
        return take(end)
    }

    /// The text up to its closing quote, which is taken too.
    private mutating func text() throws(Complaint) -> String {
        var bytes = [UInt8(ascii: "\"")]
        while let byte = rest.popFirst(), byte != UInt8(ascii: "\n") {
            bytes.append(byte)
            if byte == UInt8(ascii: "\\"), let escaped = rest.popFirst() {
                bytes.append(escaped)
            } else if byte == UInt8(ascii: "\"") {
                if let text = try? JSONDecoder().decode(String.self, from: Data(bytes)) { return text }
                throw complaint("This text has characters or escapes that JSON does not allow.")
            }
        }
        throw complaint("The closing quote of a text is missing.")
    }

    /// Letters, digits and signs: a number, or true, false or null.
    private mutating func takeWord() -> String {
        let isPart = { (byte: UInt8) in
            byte >= 0x80 || Character(Unicode.Scalar(byte)).isLetter
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-._".utf8.contains(byte)
        }
        let word = rest.prefix(while: isPart)
        rest = rest[word.endIndex...]
        return String(decoding: word, as: UTF8.self)
    }

    private mutating func take(_ scalar: Unicode.Scalar) -> Bool {
        guard rest.first == UInt8(ascii: scalar) else { return false }
        rest.removeFirst()
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = rest.first, [0x20, 0x09, 0x0A, 0x0D].contains(byte) {
            if byte == UInt8(ascii: "\n") { line += 1 }
            rest.removeFirst()
        }
    }
}
