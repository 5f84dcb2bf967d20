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
        return utf8.last == UInt8(ascii: "/") ? self + name : "\(self)/\(name)"
    }

    package var trimmingTrailingSlashes: String {
        var text = utf8[...]
        while text.count > 1, text.last == UInt8(ascii: "/") { text.removeLast() }
        return String(Substring(text))
    }

    /// The parts between slashes. By bytes, because a slash followed by a combining accent is one character.
    package func pathParts(omittingEmpty: Bool = true) -> [String] {
        utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: omittingEmpty)
            .map { String(Substring($0)) }
    }

    /// The text without a prefix of equal bytes; nil if it begins otherwise.
    package func removingPrefix(_ prefix: String) -> String? {
        guard utf8.starts(with: prefix.utf8) else { return nil }
        return String(Substring(utf8.dropFirst(prefix.utf8.count)))
    }

    /// The path, below the current folder unless it is absolute. Nothing in it is resolved.
    package var absolutePath: String {
        utf8.first == UInt8(ascii: "/")
            ? self : FileManager.default.currentDirectoryPath.appendingPathComponent(self)
    }

    /// The folder of the path's last component: `.` if the path has no other.
    package var parentFolder: String {
        let parent = String(Substring(utf8.dropLast(lastPathComponent.utf8.count)))
        return parent.isEmpty ? "." : parent.trimmingTrailingSlashes
    }
}
