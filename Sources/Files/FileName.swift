import TintypeImaging

/// A file's name, split at its last dot.
package struct FileName: Hashable, Sendable {
    package let stem: String
    /// The text after the last dot; nil if there is none. A leading dot starts no extension.
    package let fileExtension: String?

    package init(_ name: String) {
        // By bytes, because a dot followed by a combining accent is one character.
        let bytes = name.utf8
        if let dot = bytes.lastIndex(of: UInt8(ascii: ".")), dot != bytes.startIndex,
            bytes.index(after: dot) != bytes.endIndex
        {
            stem = String(Substring(bytes[..<dot]))
            fileExtension = String(Substring(bytes[bytes.index(after: dot)...]))
        } else {
            stem = name
            fileExtension = nil
        }
    }

    /// The path for the decodable part of a damaged photo whose output would have been at `path`.
    package static func damaged(_ path: String) -> String {
        let name = FileName(path.lastPathComponent)
        let fileExtension = name.fileExtension.map { ".\($0)" } ?? ""
        let folder = String(Substring(path.utf8.dropLast(path.lastPathComponent.utf8.count)))
        return folder + "\(name.stem)-damaged\(fileExtension)"
    }

    package var looksLikePhoto: Bool { format != nil }

    /// Whether programs give such a name to a file that they have not finished, and rename it afterwards: browsers, FTP and
    /// synchronisation programs, editors.
    package var isUnfinished: Bool {
        guard let fileExtension else { return stem.hasSuffix("~") }
        return fileExtension.hasSuffix("~") || Self.unfinished.contains(fileExtension.lowercased())
    }

    private static let unfinished: Set = [
        "aria2", "crdownload", "download", "filepart", "opdownload", "part", "partial", "temp", "tmp",
    ]

    /// The format that the extension names; nil for other extensions.
    package var format: PhotoFormat? {
        fileExtension.flatMap(PhotoFormat.named(byExtension:))
    }

    /// The same, if outputs may have it.
    package var outputFormat: PhotoFormat? {
        format.flatMap { $0.kind.isWritten ? $0 : nil }
    }

    /// The extension for a photo of this name written as `format`: its own if that fits.
    package func fileExtension(for format: PhotoFormat) -> String {
        guard let fileExtension, self.format == format else { return format.fileExtension }
        return fileExtension
    }
}
