import Download

/// Why a list, or one entry of it, cannot be used. Addresses in here carry no user names, passwords or tokens.
public struct ListError: Error, Equatable, Sendable {
    public enum Reason: Equatable, Sendable {
        case cannotRead(reason: String)
        case tooLarge(limit: Int)
        case entryTooLong(limit: Int)
        /// Something else altogether: `a photo`, `a ZIP archive`.
        case notAList(String)
        case notUTF8
        case otherEncoding(String)
        case controlCharacter
        /// CSV whose first line is a record already. The header that would fit it.
        case noHeader(expected: String)
        /// CSV without the column that it is about.
        case noURLColumn(found: [String])
        /// Columns that something else than a comma separates.
        case separator(String)
        /// What the format expects in this place, and what is there.
        case syntax(format: String, expected: String)
        /// The XML has a document type other than Apple's, or declares entities.
        case documentType
        case unknownEntity(String)
        /// An entry without an address or a path.
        case noLocation
        /// An entry that is something else than text.
        case notText(String)
        case fieldCount(found: Int, expected: Int)
        case unsupportedScheme(String)
        case invalidAddress(String)
        case localFileInRemoteList(String)
    }

    public let reason: Reason
    /// From 1; nil where there are no lines.
    public let line: Int?
    /// Name of the list, once whoever opened it has added it.
    public var list: String?

    init(_ reason: Reason, line: Int?) {
        self.reason = Self.redacting(reason)
        self.line = line
    }

    private static func redacting(_ reason: Reason) -> Reason {
        switch reason {
        case .unsupportedScheme(let text): .unsupportedScheme(WebAddress.redacting(text))
        case .invalidAddress(let text): .invalidAddress(WebAddress.redacting(text))
        case .localFileInRemoteList(let text): .localFileInRemoteList(WebAddress.redacting(text))
        default: reason
        }
    }

    /// False where only one entry is concerned, and the ones behind it can still be read.
    public var endsList: Bool {
        switch reason {
        case .notUTF8, .controlCharacter, .noLocation, .notText, .fieldCount, .unsupportedScheme,
            .invalidAddress,
            .localFileInRemoteList:
            false
        default: true
        }
    }
}

extension ListError: CustomStringConvertible {
    static let photo = "a photo"

    public var description: String {
        let place = [list, line.map { "line \($0)" }].compactMap { $0 }.joined(separator: ", ")
        return place.isEmpty ? sentence : "\(place): \(sentence)"
    }

    private var sentence: String {
        switch reason {
        case .cannotRead(let reason): "the list cannot be read: \(reason)."
        case .tooLarge(let limit):
            "the list is larger than \(limit) bytes. Split it, or write it as text with one photo a line."
        case .entryTooLong(let limit): "this entry is longer than \(limit) bytes. Is this a list of photos?"
        case .notAList(let kind):
            "this is \(kind), not a list of photos. "
                + (kind == Self.photo
                    ? "Name it without --files-from." : "Lists are text, CSV, JSON or property lists.")
        case .noHeader(let expected):
            "this looks like CSV without a header. Add a first line that names the columns, such as '\(expected)'."
        case .noURLColumn(let found):
            "the header names \(found.map { "'\($0)'" }.joined(separator: ", ")), and no column 'url'. Name the "
                + "addresses' column so."
        case .separator(let mark):
            "the columns are separated by \(mark), expected commas. Save the table with commas."
        case .notUTF8: "this entry is not UTF-8. Convert the list to UTF-8."
        case .otherEncoding(let name): "the list is \(name). Convert it to UTF-8."
        case .controlCharacter: "this entry has a control character in it. Remove it."
        case .syntax(let format, let expected): "this is not valid \(format): expected \(expected) here."
        case .documentType:
            "the list declares a document type of its own or entities, which are not read. Only Apple's property list "
                + "document type is accepted: remove the rest."
        case .unknownEntity(let name): "there is no entity '&\(name);'. Write '&amp;' for '&'."
        case .noLocation: "this entry has no address and no path."
        case .notText(let kind): "this entry is \(kind), expected text with an address or a path."
        case .fieldCount(let found, let expected):
            "this record has \(found) \(found == 1 ? "field" : "fields"), its header has \(expected)."
        case .unsupportedScheme(let text): "'\(text)' is neither http, https nor file."
        case .invalidAddress(let text):
            "'\(text)' is not an address: it has no host, or does not read as one."
        case .localFileInRemoteList(let text):
            "'\(text)' is a local file, which a list from the network may not name. Save the list and use the copy."
        }
    }
}
