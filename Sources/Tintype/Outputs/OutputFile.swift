import Foundation

/// A file that is written under a hidden temporary name, and gets its own name only when it is whole.
///
/// Unless it was published, it is removed when the value's life ends. A lock on it, which the kernel takes
/// back when the process dies, tells the temporary files of the living from those that were left behind: see
/// `StrayFiles`.
package struct OutputFile: ~Copyable {
    package let path: String
    package let descriptor: Descriptor
    /// Where the file is until it is published.
    package let temporaryPath: String

    private let folder: String
    private let temporaries: TemporaryFiles

    /// Creates the file, and the folders above it.
    ///
    /// - Parameter permissions: the file's from its first byte on; nil is what the user's umask leaves.
    /// - Throws: `PhotoError.cannotWrite` or `.resourceLimit`.
    package init(
        at path: String, permissions: mode_t? = nil, temporaries: TemporaryFiles
    ) throws(PhotoError) {
        let parent = path.dropLast(path.lastPathComponent.count)
        let folder = parent.isEmpty ? "." : String(parent).trimmingTrailingSlashes
        var temporaryPath = ""
        descriptor = try Self.create(&temporaryPath, permissions, in: folder, for: path, temporaries)
        self.path = path
        self.folder = folder
        self.temporaryPath = temporaryPath
        self.temporaries = temporaries
    }

    deinit {
        // After `publish` there is nothing under this name any more.
        unlink(temporaryPath)
        temporaries.forget(temporaryPath)
    }

    /// Sets when the content changed, as far as the file system keeps that. Call it after the last write.
    package func setModified(_ time: timespec) {
        // UTIME_OMIT, which Swift does not import: the time of the last access stays.
        let times = [timespec(tv_sec: 0, tv_nsec: 1 << 30 - 2), time]
        futimens(descriptor.number, times)
    }

    /// Makes the file's bytes durable, then gives it its name.
    ///
    /// - Parameter overwrites: whether a file of that name is replaced; if not, one that has appeared
    ///   meanwhile stays.
    /// - Throws: `PhotoError.outputExists` where one has.
    package func publish(overwrites: Bool) throws(PhotoError) {
        guard fsync(descriptor.number) == 0 else { throw .writing(path, SystemError(call: "fsync")) }
        // NFS may report an error although the name was given: the answer was lost, and the second try failed.
        if let failure = overwrites ? replace() : claim(), !isPublished {
            if !overwrites, failure.code == EEXIST { throw .outputExists(path: path) }
            throw .writing(path, failure)
        }
        // The name lives in the folder's own data. Some file systems cannot sync a folder; then there is no
        // more to do.
        if let folder = try? Descriptor(reading: folder) { fsync(folder.number) }
    }

    /// Whether the output's name leads to this very file.
    private var isPublished: Bool {
        guard let status = try? descriptor.status() else { return false }
        return FileIdentity(path: path) == FileIdentity(status)
    }

    private func replace() -> SystemError? {
        rename(temporaryPath, path) == 0 ? nil : SystemError(call: "rename")
    }

    /// Takes the name, unless there is a file of that name.
    private func claim() -> SystemError? {
        if link(temporaryPath, path) == 0 { return nil }
        let refusal = SystemError(call: "link")
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(refusal.code) else { return refusal }
        // A file system without hard links, such as FAT: an empty file reserves the name until the whole one
        // replaces it.
        let reserved = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
        guard reserved >= 0 else { return SystemError(call: "open") }
        close(reserved)
        guard let failure = replace(), !isPublished else { return nil }
        unlink(path)
        return failure
    }

    private static func create(
        _ temporaryPath: inout String, _ permissions: mode_t?, in folder: String, for path: String,
        _ temporaries: TemporaryFiles
    ) throws(PhotoError) -> Descriptor {
        while true {
            temporaryPath = unusedName(in: folder)
            // Known before it exists: a signal in between must not leave it behind.
            temporaries.add(temporaryPath)
            do throws(SystemError) {
                try createFolders(folder)
                let descriptor = try Descriptor(creating: temporaryPath, permissions: permissions)
                if try hold(descriptor) { return descriptor }
                // Another run took it for a dead one's before it was locked, and removes it.
                temporaries.forget(temporaryPath)
            } catch {
                temporaries.forget(temporaryPath)
                throw .writing(path, error)
            }
        }
    }

    /// Locks a new file; false where somebody who sweeps up was faster.
    private static func hold(_ descriptor: borrowing Descriptor) throws(SystemError) -> Bool {
        // Where there are no locks, nobody can sweep up either.
        if !FileLock.take(descriptor.number, at: 0, waits: false), errno == EAGAIN || errno == EACCES {
            return false
        }
        return try descriptor.status().st_nlink > 0
    }

    /// Makes a folder and those above it, where they are missing.
    package static func createFolders(_ folder: String) throws(SystemError) {
        if mkdir(folder, 0o777) == 0 { return }
        if errno == ENOENT, folder.contains("/") {
            let parent = String(folder.dropLast(folder.lastPathComponent.count)).trimmingTrailingSlashes
            if !parent.isEmpty, parent != folder { try createFolders(parent) }
            // Another worker may have been faster.
            guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw SystemError(call: "mkdir") }
        } else if errno != EEXIST {
            let refusal = SystemError(call: "mkdir")
            // Of a folder that exists, some file systems say that they are read-only first.
            var status = stat()
            guard stat(folder, &status) == 0, status.isFolder else { throw refusal }
        }
    }

    /// Hidden, and short, so that it fits wherever the output's own name fits.
    private static func unusedName(in folder: String) -> String {
        let unique = String(UInt64.random(in: .min ... .max), radix: 36)
        return folder.appendingPathComponent("\(prefix)\(getpid())-\(unique)\(suffix)")
    }

    private static let prefix = ".tintype-"
    private static let suffix = ".tmp"

    /// Whether a file of this name can only be one that was not published.
    static func isTemporaryName(_ name: String) -> Bool { name.hasPrefix(prefix) && name.hasSuffix(suffix) }
}
