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
        let flags = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK
        var number = open(path, O_WRONLY | flags)
        // An output has its photo's permissions from its first byte on, which may not let it be written.
        let isReadOnly = number < 0 && errno == EACCES
        if isReadOnly { number = open(path, O_RDONLY | flags) }
        guard number >= 0 else { return false }
        // Its closing lets go of the lock: an owner that comes too late then finds that its file has no name.
        let descriptor = Descriptor(owning: number)
        let isUnowned =
            isReadOnly
            ? FileLock.share(descriptor.number, at: 0)
            : FileLock.take(descriptor.number, at: 0, waits: false)
        return isUnowned && unlink(path) == 0
    }
}
