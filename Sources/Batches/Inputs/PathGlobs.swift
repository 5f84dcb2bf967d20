import Files
import Foundation

/// Which of the files in a folder that was named are taken: `--include` and `--exclude`.
///
/// Patterns are those of fnmatch(3). One without a slash is compared with names, one with a slash with the path
/// below the folder that was named; there, `*` and `?` stand for slashes too. One that fits a folder stands for
/// everything in it.
public struct PathGlobs: Hashable, Sendable {
    /// Empty takes everything.
    public var includes: [String]
    /// Win over `includes`.
    public var excludes: [String]

    public init(includes: [String] = [], excludes: [String] = []) {
        self.includes = includes
        self.excludes = excludes
    }

    /// - Parameter path: of a file or a folder, below the folder that was named.
    func excludes(_ path: String) -> Bool { excludes.contains { Self.matches($0, path) } }

    /// Whether a file or a folder is asked for by its own name or path: that of a folder above it is not
    /// looked at.
    func includes(_ path: String) -> Bool {
        includes.isEmpty || includes.contains { Self.matches($0, path) }
    }

    private static func matches(_ pattern: String, _ path: String) -> Bool {
        fnmatch(pattern, pattern.contains("/") ? path : path.lastPathComponent, 0) == 0
    }
}
