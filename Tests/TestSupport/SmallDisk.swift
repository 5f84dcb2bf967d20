import Foundation

/// A small file system in memory (tmpfs), mounted over a folder. Mounting takes root.
package final class SmallDisk {
    package struct MountError: Error, CustomStringConvertible {
        let call: String
        let code: Int32

        package var description: String {
            "\(call): \(String(cString: strerror(code))). This test mounts a file system, which takes root."
        }
    }

    package let path: String

    /// - Parameter options: tmpfs(5)'s, such as `size=400k`.
    package init(at path: String, _ options: String) throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        try Self.mount(path, 0, options)
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// Gives the file system other options. Its files stay.
    package func remount(_ options: String) throws { try Self.mount(path, UInt(MS_REMOUNT), options) }

    /// Makes it read-only.
    ///
    /// - Returns: whether it is; false while a file in it is open for writing.
    package func makeReadOnly() -> Bool {
        Glibc.mount("tmpfs", path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0
    }

    package func makeWritable() throws { try Self.mount(path, UInt(MS_REMOUNT), "") }

    private static func mount(_ path: String, _ flags: UInt, _ options: String) throws {
        guard Glibc.mount("tmpfs", path, "tmpfs", flags, options) == 0 else {
            throw MountError(call: "mount \(path) \(options)", code: errno)
        }
    }
}
