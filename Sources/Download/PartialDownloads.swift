import Foundation
import SystemPackage
import TintypeFiles

/// A folder of unfinished bodies, kept for later runs: see `DownloadRequest.partialsDirectory`.
package enum PartialDownloads {
    /// Removes old bodies, then the oldest ones until the rest fits the limit.
    ///
    /// Bodies that a download of any process is using stay, and so do files of other names. A folder that becomes
    /// empty is removed. Does nothing if the folder cannot be read, or is a symbolic link.
    ///
    /// - Parameters:
    ///   - maximumAge: seconds since bytes were last added. The default, a week, is chosen by eye.
    ///   - byteLimit: limit of all bodies together. The default is chosen by eye.
    package static func clean(
        _ directory: URL, maximumAge: TimeInterval = 7 * 86_400, byteLimit: Int = 1 << 30, now: Date = Date()
    ) {
        guard (try? Stat(link: directory.path).isFolder) == true,
            let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path)
        else { return }
        var bodies: [(path: String, modified: Date, byteCount: Int)] = []
        for name in names {
            let path = directory.appendingPathComponent(name).path
            guard let (modified, byteCount) = facts(of: path) else { continue }
            if PartialFile.isBody(path) {
                bodies.append((path, modified, byteCount))
            } else if PartialFile.isRecord(path), now.timeIntervalSince(modified) > maximumAge {
                unlink(path)  // A record without its body, or a partial record.
            }
        }
        var byteCount = bodies.reduce(0) { $0 + $1.byteCount }
        for body in bodies.sorted(by: { $0.modified < $1.modified }) {
            let isOld = now.timeIntervalSince(body.modified) > maximumAge
            guard isOld || byteCount > byteLimit else { break }
            if PartialFile.removeIfUnowned(body.path) { byteCount -= body.byteCount }
        }
        rmdir(directory.path)
    }

    /// Modification time and size of a regular file; nil for anything else.
    private static func facts(of path: String) -> (modified: Date, byteCount: Int)? {
        guard let status = try? Stat(link: path), status.isRegularFile else { return nil }
        let modified = Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec))
        return (modified, status.byteCount)
    }
}
