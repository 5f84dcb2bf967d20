import Foundation
import SystemPackage
import TintypeFiles

/// Detects changes of a photo's file while it is read, and holds what the output takes over from it.
package struct WatchedFile {
    private let descriptor: FileDescriptor
    private let before: Stat

    /// - Parameter file: must stay open for as long as this value is used.
    init(_ file: borrowing OpenFile) throws(Errno) {
        descriptor = file.descriptor
        before = try file.status()
    }

    /// Read, write and execute permissions, without the set-user-ID, set-group-ID and sticky bits.
    var permissions: FilePermissions { FilePermissions(rawValue: before.permissions.rawValue & 0o777) }

    var accessed: timespec { before.st_atim }
    var modified: timespec { before.st_mtim }

    /// - Throws: `PhotoError.inputChanged` if the file was written, replaced or removed since it was opened.
    ///   The bytes read may then mix both states.
    func checkUnchanged() throws {
        let now = try descriptor.stat()
        // A writer can reset the modification time, but not the status change time.
        guard now.size == before.size, now.modified == before.modified, now.changed == before.changed
        else { throw PhotoError.inputChanged }
    }
}
