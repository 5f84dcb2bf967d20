import Foundation

/// A photo's file while it is read: whether it stays as it is, and what its output takes over from it.
package struct WatchedFile {
    private let number: Int32
    private let before: stat

    /// - Parameter descriptor: must stay open for as long as this value is used.
    init(_ descriptor: borrowing Descriptor) throws(SystemError) {
        number = descriptor.number
        before = try descriptor.status()
    }

    /// Who may read, write and execute it; without what gives a program its owner's rights.
    var permissions: mode_t { before.st_mode & 0o777 }

    var modified: timespec { before.st_mtim }

    /// - Throws: `PhotoError.inputChanged` where it was written, replaced or removed since it was opened. What
    ///   was read may then be of two states.
    func checkUnchanged() throws {
        var now = stat()
        guard fstat(number, &now) == 0 else { throw SystemError(call: "fstat") }
        // A writer may set the time of the content back, and not that of the file's own data.
        guard now.st_size == before.st_size, now.modified == before.modified, now.changed == before.changed
        else { throw PhotoError.inputChanged }
    }
}

extension stat {
    /// When the content changed, in nanoseconds since 1970.
    var modified: Int64 { st_mtim.nanoseconds }
    /// When the content, or what the file system says of the file, changed.
    fileprivate var changed: Int64 { st_ctim.nanoseconds }
}

extension timespec {
    /// Wraps around in the year 2262: times are only compared.
    fileprivate var nanoseconds: Int64 { Int64(tv_sec) &* 1_000_000_000 &+ Int64(tv_nsec) }
}
