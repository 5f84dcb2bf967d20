import Foundation
import SystemPackage

/// Removes temporary files that dead runs have left: files with our temporary names that are not locked. Those of shards
/// are left to the next run of the shard.
package enum StrayFiles {
    /// Removes those directly in `folder`. Does nothing if the folder cannot be read.
    ///
    /// - Returns: the number of files removed.
    @discardableResult
    package static func remove(in folder: String) -> Int {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { removeIfUnowned(folder.appendingPathComponent($0)) }.count
    }

    @discardableResult
    package static func removeIfUnowned(_ path: String) -> Bool {
        let name = path.lastPathComponent
        guard OutputFile.isTemporaryName(name),
            !OutputFile.isTemporaryName(name, marked: TemporaryFiles.shardPrefix)
        else { return false }
        // A temporary file has its photo's permissions, which may forbid writing.
        if let isRemoved = try? remove(path, .writeOnly) { return isRemoved }
        return (try? remove(path, .readOnly)) ?? false
    }

    private static func remove(_ path: String, _ mode: FileDescriptor.AccessMode) throws(Errno) -> Bool {
        let file = try OpenFile(path, mode, [.noFollow, .nonBlocking])
        // The lock is held until the name is removed, so a creator that locks the file later finds it
        // unlinked. A file that is open for reading only allows shared locks.
        let isUnowned = try mode == .readOnly ? file.tryShareLock(0) : file.tryLock(0)
        return isUnowned && unlink(path) == 0
    }
}
