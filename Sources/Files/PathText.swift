import Foundation

// Paths stay text, so that messages show them as users wrote them. swift-system's `FilePath` would remove a
// repeated slash.
extension String {
    /// The text after the last slash; trailing slashes do not count.
    package var lastPathComponent: String {
        let trimmed = trimmingTrailingSlashes.utf8
        // By bytes, because a slash followed by a combining accent is one character.
        guard let slash = trimmed.lastIndex(of: UInt8(ascii: "/")) else { return String(trimmed) }
        return String(Substring(trimmed[trimmed.index(after: slash)...]))
    }

    package func appendingPathComponent(_ name: String) -> String {
        if isEmpty { return name }
        return hasSuffix("/") ? self + name : "\(self)/\(name)"
    }

    package var trimmingTrailingSlashes: String {
        var text = self[...]
        while text.count > 1, text.hasSuffix("/") { text.removeLast() }
        return String(text)
    }

    /// The path, below the current folder unless it is absolute. Nothing in it is resolved.
    package var absolutePath: String {
        hasPrefix("/") ? self : FileManager.default.currentDirectoryPath.appendingPathComponent(self)
    }

    /// The folder of the path's last component: `.` if the path has no other.
    package var parentFolder: String {
        let parent = dropLast(lastPathComponent.count)
        return parent.isEmpty ? "." : String(parent).trimmingTrailingSlashes
    }
}
