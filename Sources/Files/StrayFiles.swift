import Foundation
import SystemPackage

/// Removes temporary files whose runs are dead: they have our names, and nobody holds their locks.
package enum StrayFiles {
    /// Removes those that lie in `folder` itself. A folder that cannot be read has none that we could remove.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    package static func remove(in folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { removeIfUnowned(folder.appendingPathComponent($0)) }.count
    }

    @discardableResult
    package static func removeIfUnowned(_ path: String) -> Bool {
        guard OutputFile.isTemporaryName(path.lastPathComponent) else { return false }
        // An output has its photo's permissions from its first byte on, which may not let it be written.
        if let isRemoved = try? remove(path, .writeOnly) { return isRemoved }
        return (try? remove(path, .readOnly)) ?? false
    }

    private static func remove(_ path: String, _ mode: FileDescriptor.AccessMode) throws(Errno) -> Bool {
        let file = try OpenFile(path, mode, [.noFollow, .nonBlocking])
        // Held until the name is gone: an owner that comes too late then finds that its file has no name. A file
        // that is open for reading can only be locked together with others.
        let isUnowned = try mode == .readOnly ? file.tryShareLock(0) : file.tryLock(0)
        return isUnowned && unlink(path) == 0
    }
}
