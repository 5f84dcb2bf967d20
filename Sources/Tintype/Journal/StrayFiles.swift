import Foundation

/// Removes temporary files whose runs are dead: they have our names, and nobody holds their locks.
package enum StrayFiles {
    /// Removes those that lie in `folder` itself. A folder that cannot be read has none that we could remove.
    ///
    /// - Returns: how many were removed.
    @discardableResult
    package static func remove(in folder: String) -> Int {
        guard let stream = opendir(folder) else { return 0 }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if OutputFile.isTemporaryName(name) { names.append(name) }
        }
        return names.filter { removeIfUnowned(folder.appendingPathComponent($0)) }.count
    }

    @discardableResult
    package static func removeIfUnowned(_ path: String) -> Bool {
        guard OutputFile.isTemporaryName(path.lastPathComponent) else { return false }
        let number = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
        guard number >= 0 else { return false }
        // Its closing lets go of the lock: an owner that comes too late then finds that its file has no name.
        let descriptor = Descriptor(owning: number)
        return FileLock.take(descriptor.number, at: 0, waits: false) && unlink(path) == 0
    }
}
