import Foundation
import SystemPackage

/// A temporary folder for images that wait, so that they need no open files.
///
/// It is removed with its last file. Folders of killed processes, whose locks the kernel has released, are
/// removed when the next one is made.
package final class ParkingFolder: Sendable {
    private static let prefix = "tintype-parked-"

    package let path: String
    /// The open folder, which holds the lock.
    private let folder: OpenFile

    package init(in parent: String = NSTemporaryDirectory()) throws(Errno) {
        let parent = parent.trimmingTrailingSlashes
        Self.removeAbandoned(in: parent)
        // Another process may remove the folder as abandoned before it is locked.
        for _ in 1...3 {
            var template = Array("\(parent)/\(Self.prefix)XXXXXX".utf8CString)
            guard mkdtemp(&template) != nil else { throw .last }
            let path = String(
                decoding: template.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            guard let folder = try? OpenFile(reading: path), try folder.tryLockWhole(),
                FileIdentity(path: path) != nil
            else { continue }
            self.path = path
            self.folder = folder
            return
        }
        throw .wouldBlock
    }

    deinit { rmdir(path) }

    /// Copies `source`, from its position on, into a new file.
    package func park(_ source: borrowing OpenFile) throws(Errno) -> ParkedFile {
        let path = "\(path)/\(UInt64.random(in: 0 ... .max))"
        let file = try OpenFile(creating: path)
        // From here on, any failure removes the file.
        let byteCount = try source.status().byteCount
        let parked = ParkedFile(path: path, byteCount: byteCount, in: self)
        try source.copy(to: file)
        return parked
    }

    private static func removeAbandoned(in parent: String) {
        for name in (try? FileManager.default.contentsOfDirectory(atPath: parent)) ?? []
        where name.hasPrefix(prefix) {
            let path = "\(parent)/\(name)"
            guard let folder = try? OpenFile(path, .readOnly, [.directory, .noFollow, .nonBlocking]),
                folder.isOnlyOurs, (try? folder.tryLockWhole()) == true
            else { continue }
            // By the open folder, whatever has its name meanwhile. It has files only.
            for entry in (try? FolderEntry.list("/proc/self/fd/\(folder.number)")) ?? [] {
                unlinkat(folder.number, entry.name, 0)
            }
            rmdir(path)
        }
    }
}

extension OpenFile {
    /// Whether it belongs to this user, and nobody else may write to it.
    fileprivate var isOnlyOurs: Bool {
        var status = stat()
        return fstat(number, &status) == 0 && status.st_uid == geteuid() && status.st_mode & 0o022 == 0
    }
}

/// A file that is removed with its last reference.
package final class ParkedFile: Sendable {
    package let path: String
    package let byteCount: Int
    private let folder: ParkingFolder

    fileprivate init(path: String, byteCount: Int, in folder: ParkingFolder) {
        self.path = path
        self.byteCount = byteCount
        self.folder = folder
    }

    deinit { unlink(path) }
}
