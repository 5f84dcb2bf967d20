import Imaging

/// A file's name, taken apart at its last dot.
package struct FileName: Hashable, Sendable {
    package let stem: String
    /// What follows the last dot, as it is written; nil without one. A leading dot is no extension's.
    package let fileExtension: String?

    package init(_ name: String) {
        if let dot = name.lastIndex(of: "."), dot != name.startIndex, name.index(after: dot) != name.endIndex
        {
            stem = String(name[..<dot])
            fileExtension = String(name[name.index(after: dot)...])
        } else {
            stem = name
            fileExtension = nil
        }
    }

    /// Where what is left of a damaged photo goes whose output would have been at `path`.
    package static func damaged(_ path: String) -> String {
        let name = FileName(path.lastPathComponent)
        let fileExtension = name.fileExtension.map { ".\($0)" } ?? ""
        return path.dropLast(path.lastPathComponent.count) + "\(name.stem)-damaged\(fileExtension)"
    }

    package var looksLikePhoto: Bool { format != nil }

    /// The format that the extension promises.
    package var format: PhotoFormat? {
        switch fileExtension?.lowercased() {
        case "jpg", "jpeg", "jpe", "jfif": .jpeg
        case "png": .png
        default: nil
        }
    }

    /// The extension for a photo of this name written as `format`: its own where that is right.
    package func fileExtension(for format: PhotoFormat) -> String {
        guard let fileExtension, self.format == format else { return format.fileExtension }
        return fileExtension
    }
}
