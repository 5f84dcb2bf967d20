import Foundation
import SystemPackage

/// Identifies a file independently of its names and links.
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

    /// The identity of the file at `path`, following symbolic links; nil if there is none.
    package init?(path: String) {
        guard let status = try? Stat(path) else { return nil }
        self.init(status)
    }

    /// Whether a symbolic link makes a folder one of those that its path leads through. A search that follows links would
    /// run in circles there.
    package static func leadsBack(_ path: String) -> Bool {
        guard let own = FileIdentity(path: path) else { return false }
        var folder = path
        while folder.lastPathComponent != "..", folder.parentFolder != folder {
            folder = folder.parentFolder
            if FileIdentity(path: folder) == own { return true }
        }
        return false
    }
}

extension Stat {
    /// The status of `link` itself; symbolic links are not followed.
    package init(link: String) throws(Errno) { try self.init(link, followTargetSymlink: false) }

    package var isFolder: Bool { type == .directory }
    package var isRegularFile: Bool { type == .regular }

    package var byteCount: Int { Int(size) }

    /// Modification time (`st_mtim`), in nanoseconds since 1970.
    package var modified: Int64 { st_mtim.nanoseconds }

    /// Status change time (`st_ctim`), in nanoseconds since 1970.
    package var changed: Int64 { st_ctim.nanoseconds }
}

extension timespec {
    /// Wraps around in the year 2262. Times are only compared for equality.
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
