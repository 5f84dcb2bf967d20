import Foundation
import TintypeFiles

/// Selects the files of an input folder: `--include` and `--exclude`.
///
/// Patterns are those of fnmatch(3). A pattern without a slash is matched against names. A pattern with a
/// slash is matched against the path relative to the input folder; its `*` and `?` also match slashes. A
/// pattern that matches a folder selects everything in it.
public struct PathGlobs: Hashable, Sendable {
    /// Patterns of files to include; empty includes everything.
    public var includes: [String]
    /// Patterns of files to exclude. They take precedence over `includes`.
    public var excludes: [String]

    /// Without patterns, all files are selected.
    public init(includes: [String] = [], excludes: [String] = []) {
        self.includes = includes
        self.excludes = excludes
    }

    /// - Parameter path: path of a file or folder, relative to the input folder.
    func excludes(_ path: String) -> Bool { excludes.contains { Self.matches($0, path) } }

    /// Whether a pattern matches the file or folder itself; folders above it are not checked.
    func includes(_ path: String) -> Bool {
        includes.isEmpty || includes.contains { Self.matches($0, path) }
    }

    private static func matches(_ pattern: String, _ path: String) -> Bool {
        fnmatch(pattern, pattern.utf8.contains(UInt8(ascii: "/")) ? path : path.lastPathComponent, 0) == 0
    }
}
