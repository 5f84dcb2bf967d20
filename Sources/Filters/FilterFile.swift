import Foundation
import TintypeFiles

/// A file that a filter reads, and what tells its contents from others.
public struct FilterFile: Hashable, Sendable, CustomStringConvertible {
    /// As it was written: a relative one is looked up in the folders of `FilterFiles`. Empty if there is no file.
    public let path: String
    /// The first 16 digits of the contents' SHA-256; nil before the file is read.
    public internal(set) var contentHash: String?

    /// The file at `path`, which is read later.
    public init(_ path: String) { self.path = path }

    /// A table or a picture that is not from a file.
    init(contentHash: String) {
        path = ""
        self.contentHash = contentHash
    }

    public static func == (first: Self, second: Self) -> Bool {
        first.path.exact == second.path.exact && first.contentHash == second.contentHash
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(path.exact)
        hasher.combine(contentHash)
    }

    /// Reads a path, and after it possibly `#` and a hash that the contents must have. `%2C` stands for a comma, as
    /// in addresses.
    init(text: String) {
        let path = text.dropLast(ContentHash.shortLength + 1), end = text.dropFirst(path.count)
        let hasHash = end.first == "#" && end.dropFirst().allSatisfy { $0.isASCII && $0.isHexDigit }
        self.init((hasHash && !path.isEmpty ? String(path) : text).percentDecoded)
        if hasHash, !path.isEmpty { contentHash = String(end.dropFirst()) }
    }

    /// The text that `init(text:)` reads. Marks that part settings, filters or words are `%` and two digits.
    public var description: String {
        let path = path.unicodeScalars.map { scalar -> String in
            guard "%,+#".unicodeScalars.contains(scalar) || scalar.value <= 32 else { return String(scalar) }
            return "%" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16, uppercase: true)
        }
        return path.joined() + (contentHash.map { "#" + $0 } ?? "")
    }

    /// The hash of contents, as `contentHash` has it.
    static func hash(of contents: [UInt8]) -> String { ContentHash.short(of: contents) }
}

extension String {
    /// The text with each `%` before two hexadecimal digits replaced by their byte. Other percent signs stay.
    fileprivate var percentDecoded: String {
        var bytes: [UInt8] = [], rest = Array(utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2).compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
            if byte == UInt8(ascii: "%"), digits.count == 2 {
                bytes.append(UInt8(16 * digits[0] + digits[1]))
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(validating: bytes, as: UTF8.self) ?? self
    }
}
