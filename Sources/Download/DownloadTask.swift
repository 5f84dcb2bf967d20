/// Handle of a started download, for cancelling it.
package final class DownloadTask: Sendable {
    private let id: UInt64
    private let link: EngineLink

    init(id: UInt64, link: EngineLink) {
        self.id = id
        self.link = link
    }

    /// Ends the download with `DownloadError.cancelled`. Has no effect on a finished download.
    ///
    /// Returns at once, on any thread. Unless another request shares the transfer, its socket is closed
    /// before the completion handler is called.
    package func cancel() {
        link.send(.cancel(id))
    }
}

/// The handlers of one request; several requests may share a transfer.
struct Waiter: Sendable {
    typealias Progress = @Sendable (DownloadProgress) -> Void
    typealias Completion = @Sendable (Result<Downloaded, DownloadError>) -> Void

    let id: UInt64
    let onProgress: Progress?
    let completion: Completion
}
