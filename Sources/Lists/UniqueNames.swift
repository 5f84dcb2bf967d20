import Crypto
import Files
import Foundation

/// Keeps apart the photos of a list that would have the same name.
///
/// A name that several photos have gets a suffix for each of them, made from where the photo is:
/// `rose~5f2a91c0.jpg`. So names depend on what is in the list and not on its order, and the same list gives
/// the same names every time. The same photo under the same name, named twice, stays one. Takes 16 bytes and
/// the set's overhead a name.
public struct UniqueNames {
    /// Hash of the location by hash of the name; nil where there are several.
    private var locations: [UInt64: UInt64?] = [:]

    public init() {}

    /// Makes an entry known. All entries come first, the names are asked for later.
    public mutating func add(_ entry: ListEntry) {
        let name = Self.hash(OutputName.make(for: entry))
        let location = Self.hash(entry.location.text)
        if let known = locations[name] {
            if known != location { locations.updateValue(nil, forKey: name) }
        } else {
            locations[name] = location
        }
    }

    /// The entry's own name, or one with a suffix where another photo has the same.
    public func name(for entry: ListEntry) -> String {
        let name = OutputName.make(for: entry)
        guard let known = locations[Self.hash(name)], known == nil else { return name }
        let digits = Self.digits(of: entry.location.text)
        let file = FileName(name)
        let stem = OutputName.cut(file.stem, to: OutputName.maxByteCount - 5 - 1 - digits.count)
        return "\(stem)~\(digits).\(file.fileExtension ?? "jpg")"
    }

    /// Eight hexadecimal digits that stand for a text.
    package static func digits(of text: String) -> String {
        let digits = String(hash(text) >> 32, radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    private static func hash(_ text: String) -> UInt64 {
        SHA256.hash(data: Data(text.utf8)).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
