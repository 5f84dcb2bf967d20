import Foundation
import SystemPackage
import TintypeFiles

/// Opens the file of a `file` URL, without copying it.
enum LocalFile {
    /// - Throws: `DownloadError.unreadableFile`, `DownloadError.tooLarge`.
    static func open(
        _ url: URL, address: WebAddress, byteLimit: Int
    ) throws(DownloadError) -> DownloadedBody {
        guard url.host(percentEncoded: false).map({ ["", "localhost"].contains($0) }) ?? true else {
            throw .unreadableFile(url: address.redacted, reason: "it is on another machine")
        }
        let opened: (file: SharedFile, status: Stat)
        do throws(Errno) {
            // Non-blocking, because opening a named pipe would block all transfers.
            let file = try OpenFile(
                url.path(percentEncoded: false), .readOnly, [.nonBlocking, .init(rawValue: O_NOCTTY)])
            let status = try file.status()
            opened = (SharedFile(file), status)
        } catch {
            throw .unreadableFile(url: address.redacted, reason: error.description)
        }
        guard opened.status.isRegularFile else {
            throw .unreadableFile(url: address.redacted, reason: "it is not a regular file")
        }
        guard opened.status.byteCount <= byteLimit else {
            throw .tooLarge(url: address.redacted, byteLimit: byteLimit)
        }
        return DownloadedBody(opened.file, byteCount: opened.status.byteCount)
    }
}
