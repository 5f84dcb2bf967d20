import Foundation
import SystemPackage
import TintypeDownload
import TintypeFiles
import TintypeImaging

/// Why a list or one of its entries cannot be used. Its addresses contain no user names, passwords or tokens.
public struct ListError: Error, Equatable, Sendable {
    /// What is wrong with a list or an entry.
    public enum Reason: Equatable, Sendable {
        /// The list cannot be opened or read.
        case cannotRead(Errno)
        /// JSON or a property list of more than `limit` bytes.
        case tooLarge(limit: Int)
        /// JSON or a property list whose values have more than `limit` bytes together.
        case tooMuchText(limit: Int)
        /// An entry, or one of its fields, of more than `limit` bytes.
        case entryTooLong(limit: Int)
        /// Another kind of file: `a photo`, `a ZIP archive`.
        case notAList(String)
        /// An entry that is not UTF-8.
        case notUTF8
        /// A list in this encoding, which is not UTF-8.
        case otherEncoding(String)
        /// An address with a control character, or a path with a zero byte.
        case controlCharacter
        /// CSV without a header; `expected` is a header that would fit.
        case noHeader(expected: String)
        /// CSV without a column `url`.
        case noURLColumn(found: [String])
        /// Invalid CSV; `expected` is what is valid here.
        case syntax(expected: String)
        /// JSON or a property list with too many nested levels.
        case tooDeep
        /// JSON or a property list that cannot be read.
        case malformed(format: String, detail: String)
        /// An entry without an address or a path.
        case noLocation
        /// An entry that is not text.
        case notText(String)
        /// A CSV record that has not as many fields as the header.
        case fieldCount(found: Int, expected: Int)
        /// An address whose scheme is not `http`, `https`, `s3` or `file`.
        case unsupportedScheme(String)
        /// An address that cannot be parsed or has no host, or a `file` URL of another machine.
        case invalidAddress(String)
        /// A `file` URL in a list that was read from an address.
        case localFileInRemoteList(String)
    }

    /// What is wrong.
    public let reason: Reason
    /// Nil if the error concerns the whole list.
    public let position: ListPosition?
    /// Name of the list in messages; nil until it is set.
    public var list: String?

    package init(_ reason: Reason, at position: ListPosition? = nil) {
        self.reason = Self.redacting(reason)
        self.position = position
    }

    private static func redacting(_ reason: Reason) -> Reason {
        switch reason {
        case .unsupportedScheme(let text): .unsupportedScheme(WebAddress.redacting(text))
        case .invalidAddress(let text): .invalidAddress(WebAddress.redacting(text))
        case .localFileInRemoteList(let text): .localFileInRemoteList(WebAddress.redacting(text))
        default: reason
        }
    }

    /// False if the error concerns one entry only, and later entries can be read.
    public var endsList: Bool {
        switch reason {
        case .notUTF8, .controlCharacter, .noLocation, .notText, .fieldCount, .unsupportedScheme,
            .invalidAddress, .localFileInRemoteList:
            false
        // A document's entries were all parsed before; the end of an entry in text may never come.
        case .entryTooLong: if case .entry = position { false } else { true }
        default: true
        }
    }
}

extension ListError: LocalizedError, CustomStringConvertible {
    public var errorDescription: String? { description }

    static let photo = "a photo"

    public var description: String {
        let place = [list, position?.description].compactMap { $0 }.joined(separator: ", ")
        return place.isEmpty ? sentence : "\(place): \(sentence)"
    }

    private var sentence: String {
        switch reason {
        case .cannotRead(let error): "the list cannot be read: \(error)."
        case .tooLarge(let limit):
            "the list is larger than \(limit) bytes. Split it, or write it as text with one photo a line."
        case .tooMuchText(let limit):
            "its entries have more than \(limit) bytes together. Split it, or write it as text with one photo a line."
        case .entryTooLong(let limit): "this entry is longer than \(limit) bytes. Is this a list of photos?"
        case .notAList(let kind):
            "this is \(kind), not a list of photos. "
                + (kind == Self.photo
                    ? Wording.nameAsPhoto.text : "Lists are text, CSV, JSON, JSON Lines or property lists.")
        case .noHeader(let expected):
            "this looks like CSV without a header. Add a first line that names the columns, such as '\(expected)'."
        case .noURLColumn(let found):
            "the header names \(found.prefix(6).map { "'\($0.excerpt())'" }.joined(separator: ", ")), and no column 'url'. Name the "
                + "addresses' column so."
        case .notUTF8: "this entry is not UTF-8. Convert the list to UTF-8."
        case .otherEncoding(let name): "the list is \(name). Convert it to UTF-8."
        case .controlCharacter: "this entry has a control character in it. Remove it."
        case .syntax(let expected): "this is not valid CSV: expected \(expected) here."
        case .tooDeep: "it has too many levels. Is it a list of photos?"
        case .malformed(let format, let detail): "this is not \(format) that can be read: \(detail)."
        case .noLocation: "this entry has no address and no path."
        case .notText(let kind): "this entry is \(kind), expected text with an address or a path."
        case .fieldCount(let found, let expected):
            "this record has \(found) \(found == 1 ? "field" : "fields"), its header has \(expected)."
        case .unsupportedScheme(let text): "'\(text.excerpt())' is neither http, https, s3 nor file."
        case .invalidAddress(let text):
            "'\(text.excerpt())' is not an address: it has no host, or does not read as one."
        case .localFileInRemoteList(let text):
            "'\(text.excerpt())' is a local file, which a list from the network may not name. Save the list and use the copy."
        }
    }
}
