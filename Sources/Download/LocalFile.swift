import Foundation

/// Opens what a `file` URL names. Nothing is copied.
enum LocalFile {
    /// - Throws: `DownloadError.unreadableFile`, `DownloadError.tooLarge`.
    static func open(
        _ url: URL, address: WebAddress, byteLimit: Int
    ) throws(DownloadError) -> DownloadedBody {
        guard url.host(percentEncoded: false).map({ ["", "localhost"].contains($0) }) ?? true else {
            throw .unreadableFile(url: address.redacted, reason: "it is on another machine")
        }
        // Non-blocking: a named pipe would hold up all transfers.
        let file: OpenFile
        do throws(DownloadError) {
            file = try OpenFile.open(url.path(percentEncoded: false), O_RDONLY | O_NONBLOCK | O_NOCTTY)
        } catch {
            throw .unreadableFile(url: address.redacted, reason: errorText())
        }
        guard let status = file.status, status.isRegularFile else {
            throw .unreadableFile(url: address.redacted, reason: "it is not a regular file")
        }
        guard status.st_size <= byteLimit else {
            throw .tooLarge(url: address.redacted, byteLimit: byteLimit)
        }
        return DownloadedBody(file, byteCount: Int(status.st_size))
    }
}
