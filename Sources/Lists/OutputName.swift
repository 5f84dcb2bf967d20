import Foundation
import TintypeFiles
import TintypeImaging

/// Makes a safe file name for a list's photo.
///
/// - Normalised to NFC, so that names that look the same are equal.
/// - Slashes, backslashes, control and formatting characters, and leading dots become `_`. So the name is not
///   a path, not hidden, and never `.` or `..`.
/// - Ends in a photo's extension, which planning replaces by that of the output's format.
/// - At most 255 bytes of UTF-8, cut between characters before the extension.
public enum OutputName {
    /// Most file systems' limit for one name.
    static let maxByteCount = 255
    /// Bytes reserved for the extension of any format, such as `.jpeg`.
    static var extensionByteCount: Int { 1 + PhotoFormat.longestExtensionByteCount }

    /// The name for an entry. A local file without a name in the list keeps its own.
    public static func make(for entry: ListEntry) -> String {
        switch entry.location {
        case .file(let path): make(entry.name ?? path.lastPathComponent, like: path.lastPathComponent)
        case .url(let url):
            make(
                entry.name ?? url.path(percentEncoded: true).lastPathComponent.percentDecoded, like: url.path)
        }
    }

    /// - Parameter like: a name or path whose extension gives the format if `name` has none.
    static func make(_ name: String, like other: @autoclosure () -> String) -> String {
        let short = shortened(name)
        let plain = isPlain(short) ? short : replaceUnsafe(short.precomposedStringWithCanonicalMapping)
        let own = FileName(plain)
        let (stem, fileExtension): (String, String)
        if let ownExtension = own.fileExtension, own.looksLikePhoto {
            (stem, fileExtension) = (own.stem, ownExtension)
        } else {
            // The text after the dot is not an extension, as in 'St. Mary'.
            let file = FileName(other().lastPathComponent)
            (stem, fileExtension) = (plain, (file.format ?? .usual).fileExtension)
        }
        return "\(cut(stem, to: maxByteCount - extensionByteCount)).\(fileExtension)"
    }

    /// Whether a name is a plain one already, as most are.
    private static func isPlain(_ name: String) -> Bool {
        let bytes = name.utf8, blank = UInt8(ascii: " ")
        return bytes.allSatisfy { blank..<0x7F ~= $0 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "\\") }
            && bytes.first.map { $0 != blank && $0 != UInt8(ascii: ".") } ?? false && bytes.last != blank
    }

    /// Far more than what is left after normalising, which makes three scalars one at most.
    private static let longestByteCount = 16 * maxByteCount

    /// The beginning and the extension of a name that is cut later. Normalising a very long one would take milliseconds.
    private static func shortened(_ name: String) -> String {
        guard name.utf8.count > longestByteCount else { return name }
        let isBlank = { (scalar: Unicode.Scalar) in scalar.properties.generalCategory == .spaceSeparator }
        var scalars = name.unicodeScalars.drop(while: isBlank)
        while let last = scalars.last, isBlank(last) { scalars.removeLast() }
        let file = FileName(String(scalars))
        var beginning = String.UnicodeScalarView()
        beginning.append(contentsOf: scalars.prefix(longestByteCount / 4))
        return String(beginning) + (file.looksLikePhoto ? file.fileExtension.map { ".\($0)" } ?? "" : "")
    }

    private static func replaceUnsafe(_ name: String) -> String {
        var text = String(String.UnicodeScalarView(name.unicodeScalars.map { isUnsafe($0) ? "_" : $0 }))
        text = text.trimmingCharacters(in: .whitespaces)
        // Not characters: a dot followed by a combining accent is one.
        let dots = text.unicodeScalars.prefix { $0 == "." }.count
        text = String(repeating: "_", count: dots) + String(text.unicodeScalars.dropFirst(dots))
        return text.isEmpty ? "photo" : text
    }

    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "/" || scalar == "\\" { return true }
        // Several scripts and emoji need zero-width joiners.
        if scalar == "\u{200C}" || scalar == "\u{200D}" { return false }
        return switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
            true
        default: false
        }
    }

    static func cut(_ text: String, to byteCount: Int) -> String {
        guard text.utf8.count > byteCount else { return text }
        var kept = 0
        var end = text.startIndex
        for index in text.indices {
            let next = text.index(after: index)
            let size = text.utf8.distance(from: index, to: next)
            guard kept + size <= byteCount else { break }
            kept += size
            end = next
        }
        // A single character exceeds the limit: cut between its scalars.
        if end == text.startIndex {
            var scalars = String.UnicodeScalarView()
            var size = 0
            for scalar in text.unicodeScalars {
                size += UTF8.width(scalar)
                guard size <= byteCount else { break }
                scalars.append(scalar)
            }
            return String(scalars)
        }
        return String(text[..<end])
    }
}

extension String {
    /// With `%41` turned into `A`; bytes that are not UTF-8 stay as they are written.
    fileprivate var percentDecoded: String { removingPercentEscapes ?? self }
}
