import Glibc
import SystemPackage

extension OpenFile {
    /// Replaces the file at `path` atomically: an interruption leaves the old file or the new one.
    ///
    /// Only one process at a time may replace a file.
    ///
    /// - Parameter permissions: set regardless of the umask; nil applies the umask to the default.
    package static func replace(
        _ path: String, permissions: FilePermissions? = nil,
        writing write: (borrowing OpenFile) throws(Errno) -> Void
    ) throws(Errno) {
        let newPath = path + ".new"
        // What a killed process has left, or a link that would lead to another file.
        unlink(newPath)
        let file = try OpenFile(creating: newPath, permissions: permissions)
        do throws(Errno) {
            try write(file)
            try file.sync()
            guard rename(newPath, path) == 0 else { throw .last }
        } catch {
            unlink(newPath)
            throw error
        }
        // The name is part of the folder's data. Some file systems cannot sync a folder.
        try? OpenFile(reading: path.parentFolder).sync()
    }
}
