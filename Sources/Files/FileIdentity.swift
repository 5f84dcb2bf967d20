import Foundation
import SystemPackage

/// What tells one file from another, whatever names and links lead to it.
package struct FileIdentity: Hashable, Sendable {
    package let device: UInt64
    package let inode: UInt64

    package init(device: UInt64, inode: UInt64) {
        self.device = device
        self.inode = inode
    }

    package init(_ status: Stat) {
        self.init(device: UInt64(status.deviceID.rawValue), inode: UInt64(status.inode.rawValue))
    }

    /// The identity of what `path` leads to, through symbolic links; nil where there is nothing.
    package init?(path: String) {
        guard let status = try? Stat(path) else { return nil }
        self.init(status)
    }
}

extension Stat {
    /// - Parameter link: the status of a name itself, not of what a symbolic link leads to.
    package init(link: String) throws(Errno) { try self.init(link, followTargetSymlink: false) }

    package var isFolder: Bool { type == .directory }
    package var isRegularFile: Bool { type == .regular }

    package var byteCount: Int { Int(size) }

    /// When the content changed, in nanoseconds since 1970.
    package var modified: Int64 { st_mtim.nanoseconds }

    /// When the content, or what the file system says of the file, changed. In nanoseconds since 1970.
    package var changed: Int64 { st_ctim.nanoseconds }
}

extension timespec {
    /// Wraps around in the year 2262: times are only compared.
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
