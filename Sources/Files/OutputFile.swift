import Foundation
import SystemPackage

/// A file that is written under a hidden temporary name, and gets its own name only when it is whole.
///
/// Unless it was published, it is removed when the value's life ends. A lock on it, which the kernel takes
/// back when the process dies, tells the temporary files of the living from those that were left behind: see
/// `StrayFiles`.
package struct OutputFile: ~Copyable {
    package let path: String
    package let file: OpenFile
    /// Where the file is until it is published.
    package let temporaryPath: String

    private let folder: String
    private let temporaries: TemporaryFiles

    /// Creates the file, and the folders above it.
    ///
    /// - Parameter permissions: the file's from its first byte on; nil is what the user's umask leaves.
    package init(
        at path: String, permissions: FilePermissions? = nil, temporaries: TemporaryFiles
    ) throws(Errno) {
        let folder = path.parentFolder
        var temporaryPath = ""
        file = try Self.create(&temporaryPath, permissions, in: folder, temporaries)
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
        futimens(file.number, times)
    }

    /// Makes the file's bytes durable, then gives it its name.
    ///
    /// - Parameter overwrites: whether a file of that name is replaced; if not, one that has appeared
    ///   meanwhile stays.
    /// - Throws: `Errno.fileExists` where one has.
    package func publish(overwrites: Bool) throws(Errno) {
        try file.sync()
        // NFS may report an error although the name was given: the answer was lost, and the second try failed.
        do throws(Errno) {
            try overwrites ? replace() : claim()
        } catch  where isPublished {
        }
        // The name lives in the folder's own data. Some file systems cannot sync a folder; then there is no
        // more to do.
        try? OpenFile(reading: folder).sync()
    }

    /// Whether the output's name leads to this very file.
    private var isPublished: Bool {
        guard let status = try? file.status() else { return false }
        return FileIdentity(path: path) == FileIdentity(status)
    }

    private func replace() throws(Errno) {
        guard rename(temporaryPath, path) == 0 else { throw .last }
    }

    /// Takes the name, unless there is a file of that name.
    private func claim() throws(Errno) {
        if link(temporaryPath, path) == 0 { return }
        let refusal = Errno.last
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(refusal.rawValue) else { throw refusal }
        // A file system without hard links, such as FAT: an empty file reserves the name until the whole one
        // replaces it.
        _ = try OpenFile(creating: path)
        do throws(Errno) {
            try replace()
        } catch {
            if isPublished { return }
            unlink(path)
            throw error
        }
    }

    private static func create(
        _ temporaryPath: inout String, _ permissions: FilePermissions?, in folder: String,
        _ temporaries: TemporaryFiles
    ) throws(Errno) -> OpenFile {
        while true {
            temporaryPath = unusedName(in: folder)
            // Known before it exists: a signal in between must not leave it behind.
            temporaries.add(temporaryPath)
            do throws(Errno) {
                try createFolders(folder)
                let file = try OpenFile(creating: temporaryPath, permissions: permissions)
                if try hold(file) { return file }
                // Another run took it for a dead one's before it was locked, and removes it.
                temporaries.forget(temporaryPath)
            } catch {
                temporaries.forget(temporaryPath)
                throw error
            }
        }
    }

    /// Locks a new file; false where somebody who sweeps up was faster.
    private static func hold(_ file: borrowing OpenFile) throws(Errno) -> Bool {
        // Where there are no locks, nobody can sweep up either.
        if (try? file.tryLock(0)) == false { return false }
        return try file.status().linkCount > 0
    }

    /// Makes a folder and those above it, where they are missing.
    package static func createFolders(_ folder: String) throws(Errno) {
        if mkdir(folder, 0o777) == 0 { return }
        let refusal = Errno.last
        switch refusal {
        case .fileExists: return
        case .noSuchFileOrDirectory where folder.parentFolder != folder && folder.contains("/"):
            try createFolders(folder.parentFolder)
            // Another worker may have been faster.
            guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw .last }
        default:
            // Of a folder that exists, some file systems say that they are read-only first.
            guard (try? Stat(folder).isFolder) == true else { throw refusal }
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
    package static func isTemporaryName(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name.hasSuffix(suffix)
    }
}
