import Foundation
import SystemPackage

/// A folder that only this user can write, so that programs in it may be run.
package struct PrivateFolder: Sendable {
    package let path: String

    /// Makes the folder, with those above it, where it is missing.
    ///
    /// Nil if it cannot be made, or if another user owns it or may write in it.
    package init?(_ path: String) {
        self.path = path
        let attributes: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(
            atPath: path, withIntermediateDirectories: true, attributes: attributes)
        var status = stat()
        guard stat(path, &status) == 0, status.isPrivate else { return nil }
    }

    /// The cache folder: `$XDG_CACHE_HOME/tintype` or `~/.cache/tintype`.
    ///
    /// Nil if the environment names neither, or the folder is not this user's own.
    package static func cache(_ environment: [String: String]) -> PrivateFolder? {
        if let cache = environment["XDG_CACHE_HOME"], cache.hasPrefix("/") {
            return PrivateFolder(cache.appendingPathComponent("tintype"))
        }
        guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
        return PrivateFolder(home.appendingPathComponent(".cache/tintype"))
    }

    package func path(of name: String) -> String { path.appendingPathComponent(name) }

    /// Whether the folder has a regular file of this name that only this user can write.
    package func hasPrivateFile(_ name: String) -> Bool {
        var status = stat()
        return lstat(path(of: name), &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.isPrivate
    }
}

extension stat {
    /// Whether only this user can write it.
    fileprivate var isPrivate: Bool { st_uid == getuid() && st_mode & 0o022 == 0 }
}
