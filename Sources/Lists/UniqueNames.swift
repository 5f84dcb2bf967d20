import Foundation
import TintypeDownload
import TintypeFiles
import TintypeImaging

/// Gives the photos of a list unique names.
///
/// Photos that share a name get a suffix made from their locations: `rose~5f2a91c04e1b07d3.jpg`. So names depend on
/// the list's content, not on its order, and the same list always gives the same names. A photo listed twice
/// under one name keeps it. Takes 16 bytes a name, plus the overhead of a hash table.
public struct UniqueNames {
    /// Hash of the location by hash of the name; nil if several photos share the name.
    private var locations: [UInt64: UInt64?] = [:]

    public init() {}

    /// Adds an entry. Add all entries before the first call of `name(for:)`.
    public mutating func add(_ entry: ListEntry) {
        let name = ContentHash.number(of: OutputName.make(for: entry))
        let location = ContentHash.number(of: Self.identity(of: entry.location))
        if let known = locations[name] {
            if known != location { locations.updateValue(nil, forKey: name) }
        } else {
            locations[name] = location
        }
    }

    /// The entry's own name, with a suffix if another photo has the same name.
    public func name(for entry: ListEntry) -> String {
        let name = OutputName.make(for: entry)
        guard let known = locations[ContentHash.number(of: name)], known == nil else { return name }
        let digits = Self.digits(of: Self.identity(of: entry.location))
        let file = FileName(name)
        let stem = OutputName.cut(
            file.stem, to: OutputName.maxByteCount - OutputName.extensionByteCount - 1 - digits.count)
        return "\(stem)~\(digits).\(file.fileExtension ?? PhotoFormat.usual.fileExtension)"
    }

    /// The text that tells a photo from others: a signature, which a query may have, is no part of it.
    private static func identity(of location: ListEntry.Location) -> String {
        let text = location.text
        guard case .url(let url) = location, text.utf8.contains(UInt8(ascii: "?")), url.query != nil else {
            return text
        }
        return WebAddress.identity(of: text, keepsTokens: true)
    }

    /// Sixteen hexadecimal digits of a text's hash: of a million texts, some hundred pairs would share eight.
    package static func digits(of text: String) -> String {
        let digits = String(ContentHash.number(of: text), radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
