import Foundation

/// What tells one file from another, whatever names and links lead to it.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }

    /// The identity of what `path` leads to, through symbolic links; nil where there is nothing.
    package init?(path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        self.init(status)
    }
}

extension stat {
    package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
    package var isRegularFile: Bool { st_mode & S_IFMT == S_IFREG }
}
