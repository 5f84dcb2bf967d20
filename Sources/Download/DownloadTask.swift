/// A download that was started, to cancel it.
package final class DownloadTask: Sendable {
    private let id: UInt64
    private let link: EngineLink

    init(id: UInt64, link: EngineLink) {
        self.id = id
        self.link = link
    }

    /// Ends this download with `DownloadError.cancelled`; a finished one stays as it is.
    ///
    /// Returns at once, from any thread. Where nobody else waits for the same URL, the transfer's socket is
    /// closed before the completion handler hears of it.
    package func cancel() {
        link.send(.cancel(id))
    }
}

/// Someone who is told of a download.
struct Waiter: Sendable {
    typealias Progress = @Sendable (DownloadProgress) -> Void
    typealias Completion = @Sendable (Result<Downloaded, DownloadError>) -> Void

    let id: UInt64
    let onProgress: Progress?
    let completion: Completion
}
