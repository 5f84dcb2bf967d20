import Files
import Foundation
import SystemPackage

/// A photo's file while it is read: whether it stays as it is, and what its output takes over from it.
package struct WatchedFile {
    private let descriptor: FileDescriptor
    private let before: Stat

    /// - Parameter file: must stay open for as long as this value is used.
    init(_ file: borrowing OpenFile) throws(Errno) {
        descriptor = file.descriptor
        before = try file.status()
    }

    /// Who may read, write and execute it; without what gives a program its owner's rights.
    var permissions: FilePermissions { FilePermissions(rawValue: before.permissions.rawValue & 0o777) }

    var modified: timespec { before.st_mtim }

    /// - Throws: `PhotoError.inputChanged` where it was written, replaced or removed since it was opened. What
    ///   was read may then be of two states.
    func checkUnchanged() throws {
        let now = try descriptor.stat()
        // A writer may set the time of the content back, and not that of the file's own data.
        guard now.size == before.size, now.modified == before.modified, now.changed == before.changed
        else { throw PhotoError.inputChanged }
    }
}
