// Paths are text as users write it, and appear in messages as they wrote it: swift-system's `FilePath` would
// leave out a second slash.
extension String {
    /// What follows the last slash.
    package var lastPathComponent: String {
        let trimmed = trimmingTrailingSlashes.utf8
        // By bytes: a slash and an accent behind it would be one character.
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

    /// The folder that a path's last name lies in: `.` where the path is that name alone.
    package var parentFolder: String {
        let parent = dropLast(lastPathComponent.count)
        return parent.isEmpty ? "." : String(parent).trimmingTrailingSlashes
    }
}
