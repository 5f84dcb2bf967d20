import Foundation
import SystemPackage
import TintypeImaging

/// A file that is written under a hidden temporary name, and gets its own name only when it is complete.
///
/// It is removed when the value is destroyed, unless it was published. The file is locked while it is
/// written. The kernel releases the lock when the process dies, so `StrayFiles` recognises abandoned
/// temporary files.
package struct OutputFile: ~Copyable {
    package let path: String
    package let file: OpenFile
    /// The file's path until it is published.
    package let temporaryPath: String

    private let folder: String
    private let temporaries: TemporaryFiles

    /// Creates the file, and the folders above it.
    ///
    /// - Parameters:
    ///   - permissions: set before the first byte is written; nil applies the umask to the default.
    ///   - root: a folder that the file must lie in. Links that lead out of it may be planted at any moment, so this is asked
    ///     of the new file itself; nil does not ask.
    /// - Throws: `Errno`; `.tooManySymbolicLinkLevels` if the file lies elsewhere.
    package init(
        at path: String, inside root: String? = nil, permissions: FilePermissions? = nil,
        temporaries: TemporaryFiles
    ) throws(Errno) {
        let folder = path.parentFolder
        var temporaryPath = ""
        let file = try Self.create(&temporaryPath, permissions, in: folder, temporaries)
        if let root, !file.lies(at: temporaryPath, in: root) {
            unlink(temporaryPath)
            temporaries.forget(temporaryPath)
            throw .tooManySymbolicLinkLevels
        }
        self.file = file
        self.path = path
        self.folder = folder
        self.temporaryPath = temporaryPath
        self.temporaries = temporaries
    }

    deinit {
        // After `publish` no file has this name.
        unlink(temporaryPath)
        temporaries.forget(temporaryPath)
    }

    /// Sets both times, as precisely as the file system stores them. Call it after the last write.
    ///
    /// Some file systems store no times, so a failure is ignored.
    package func setTimes(accessed: timespec, modified: timespec) {
        futimens(file.number, [accessed, modified])
    }

    /// Makes the file's bytes durable, then gives it its name.
    ///
    /// - Parameters:
    ///   - overwrites: whether an existing file of that name is replaced.
    ///   - sync: whether the bytes must survive a crash of the machine.
    /// - Throws: `Errno`; `.fileExists` if there is a file of that name and `overwrites` is false.
    package func publish(overwrites: Bool, sync: DiskSync = .each) throws(Errno) {
        try PhotoPhase.sync.measure { () throws(Errno) in try sync.syncFile(file) }
        // NFS may report an error although it succeeded: the reply was lost, and the retry failed.
        do throws(Errno) {
            try overwrites ? replace() : claim()
        } catch  where isPublished {
        }
        // The name is part of the folder's data.
        PhotoPhase.sync.measure { sync.syncName(in: folder) }
    }

    /// Whether another file has the output's name and the same bytes.
    package var hasContentOfItsName: Bool {
        // A link to this file is no other one.
        guard (try? Stat(link: path).isRegularFile) == true else { return false }
        return ContentDigest(.blake3, ofFile: path)?.isOfFile(temporaryPath) ?? false
    }

    /// Whether the output's name refers to this file.
    private var isPublished: Bool {
        guard let status = try? file.status(), let named = try? Stat(link: path) else { return false }
        return FileIdentity(named) == FileIdentity(status)
    }

    private func replace() throws(Errno) {
        guard rename(temporaryPath, path) == 0 else { throw .last }
    }

    /// Gives the file its name, unless another file has it.
    private func claim() throws(Errno) {
        if link(temporaryPath, path) == 0 { return }
        let refusal = Errno.last
        guard [EPERM, EOPNOTSUPP, ENOSYS, EMLINK].contains(refusal.rawValue) else { throw refusal }
        // On a file system without hard links, such as FAT, an empty file reserves the name until the
        // complete file replaces it.
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
            temporaryPath = unusedName(in: folder, temporaries.mark ?? "")
            // Registered before it is created, so that a signal in between does not leave it behind.
            temporaries.add(temporaryPath)
            do throws(Errno) {
                try createFolders(folder)
                let file = try OpenFile(creating: temporaryPath, permissions: permissions)
                if try hold(file) { return file }
                // Another run found the file before it was locked, and removes it as abandoned.
                temporaries.forget(temporaryPath)
            } catch {
                temporaries.forget(temporaryPath)
                throw error
            }
        }
    }

    /// Locks a new file; false if another run has locked or removed it as abandoned.
    private static func hold(_ file: borrowing OpenFile) throws(Errno) -> Bool {
        // An error means that the file system has no locks; then no other run can remove the file either.
        if (try? file.tryLock(0)) == false { return false }
        return try file.status().linkCount > 0
    }

    /// Creates a folder and missing folders above it.
    package static func createFolders(_ folder: String) throws(Errno) {
        if mkdir(folder, 0o777) == 0 { return }
        let refusal = Errno.last
        switch refusal {
        case .fileExists: return
        case .noSuchFileOrDirectory
        where folder.parentFolder != folder && folder.utf8.contains(UInt8(ascii: "/")):
            try createFolders(folder.parentFolder)
            // Another worker may have created it meanwhile.
            guard mkdir(folder, 0o777) == 0 || errno == EEXIST else { throw .last }
        default:
            // For an existing folder, some file systems report that they are read-only instead.
            guard (try? Stat(folder).isFolder) == true else { throw refusal }
        }
    }

    /// A hidden name, short enough for any file system.
    private static func unusedName(in folder: String, _ mark: String) -> String {
        let unique = String(UInt64.random(in: .min ... .max), radix: 36)
        return folder.appendingPathComponent("\(prefix)\(mark)\(getpid())-\(unique)\(suffix)")
    }

    private static let prefix = ".tintype-"
    private static let suffix = ".tmp"

    /// Whether a name has the form of the temporary names.
    ///
    /// - Parameter mark: of the run that has made the file.
    package static func isTemporaryName(_ name: String, marked mark: String = "") -> Bool {
        name.hasPrefix(prefix + mark) && name.hasSuffix(suffix)
    }
}

extension OpenFile {
    /// Whether the file lies in a folder, or in one below, at any depth. True where the system does not tell.
    ///
    /// - Parameter path: its path, of which nothing is trusted.
    fileprivate func lies(at path: String, in root: String) -> Bool {
        guard let own = FileIdentity(path: root), let file = try? FileIdentity(status()) else { return true }
        // O_PATH, which Swift does not see: folders may be closed to reading.
        let flags = 0o10_000_000 | O_DIRECTORY | O_CLOEXEC
        var folder = OpenFile(owning: open(path.parentFolder, flags))
        // The folder has not been exchanged since.
        guard
            let status = try? Stat(
                path.lastPathComponent, relativeTo: folder.descriptor, flags: .symlinkNoFollow),
            FileIdentity(status) == file
        else { return false }
        // Names are not compared: some file systems have several for a folder, and some names are no text.
        while let identity = try? FileIdentity(folder.status()) {
            if identity == own { return true }
            let above = OpenFile(owning: openat(folder.number, "..", flags))
            if (try? FileIdentity(above.status())) == identity { return false }
            folder = above
        }
        return true
    }
}
