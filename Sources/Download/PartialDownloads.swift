import Files
import Foundation
import SystemPackage

/// A folder of unfinished bodies, kept for later runs: see `DownloadRequest.partialsDirectory`.
package enum PartialDownloads {
    /// Removes what nobody has asked for in a while, and of the rest the oldest, as far as there is too much.
    ///
    /// A body that a download is at work on, in any process, stays. A folder that is left empty goes too; one
    /// that cannot be read has nothing that we could remove.
    ///
    /// - Parameters:
    ///   - maximumAge: in seconds since something was last added. Chosen by eye: a week of restarts.
    ///   - byteLimit: of all bodies together. Chosen by eye.
    package static func clean(
        _ directory: URL, maximumAge: TimeInterval = 7 * 86_400, byteLimit: Int = 1 << 30, now: Date = Date()
    ) {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: directory.path) else { return }
        var bodies: [(path: String, modified: Date, byteCount: Int)] = []
        for name in names {
            let path = directory.appendingPathComponent(name).path
            guard let (modified, byteCount) = facts(of: path) else { continue }
            if PartialFile.isBody(path) {
                bodies.append((path, modified, byteCount))
            } else if now.timeIntervalSince(modified) > maximumAge {
                unlink(path)  // A record without its body, or a half of one.
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

    /// Of a regular file.
    private static func facts(of path: String) -> (modified: Date, byteCount: Int)? {
        guard let status = try? Stat(link: path), status.isRegularFile else { return nil }
        let modified = Date(timeIntervalSince1970: TimeInterval(status.st_mtim.tv_sec))
        return (modified, status.byteCount)
    }
}
