import TintypeLocking

extension Downloader {
    /// Downloads and waits for the result without holding a thread. Cancelling the Swift task cancels the
    /// download.
    ///
    /// - Throws: `DownloadError`.
    package func download(
        _ request: DownloadRequest, onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws(DownloadError) -> Downloaded {
        let download = PendingDownload()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let task = start(request, onProgress: onProgress) { result in
                    download.finish(result)
                    continuation.resume()
                }
                download.started(task)
            }
        } onCancel: {
            download.cancel()
        }
        return try download.result().get()
    }
}

/// State shared by a Swift task and the handlers' queue: a cancellation, perhaps before the start, and the
/// result.
private final class PendingDownload: Sendable {
    private struct State {
        var task: DownloadTask?
        var isCancelled = false
        var result: Result<Downloaded, DownloadError>?
    }

    private let state = Locked(State())

    func started(_ task: DownloadTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    /// The result is passed under the lock, not with the continuation: the thread sanitizer does not see the
    /// synchronisation of a continuation that is resumed before its task waits.
    func finish(_ result: Result<Downloaded, DownloadError>) { state.withLock { $0.result = result } }

    /// - Precondition: the download has finished.
    func result() -> Result<Downloaded, DownloadError> {
        guard let result = state.withLock({ $0.result }) else {
            preconditionFailure("asked for a result before there is one")
        }
        return result
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
