import Locking

extension Downloader {
    /// Downloads and waits for the result without holding a thread. Cancelling the Swift task cancels the
    /// download.
    ///
    /// - Throws: `DownloadError`.
    package func download(
        _ request: DownloadRequest, onProgress: (@Sendable (DownloadProgress) -> Void)? = nil
    ) async throws(DownloadError) -> Downloaded {
        let task = PendingTask()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                task.started(start(request, onProgress: onProgress) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            task.cancel()
        }
        return try result.get()
    }
}

/// Bridges the moment in which a Swift task may be cancelled before its download has started.
private final class PendingTask: Sendable {
    private struct State {
        var task: DownloadTask?
        var isCancelled = false
    }

    private let state = Locked(State())

    func started(_ task: DownloadTask) {
        let isCancelled = state.withLock { state in
            state.task = task
            return state.isCancelled
        }
        if isCancelled { task.cancel() }
    }

    func cancel() {
        let task = state.withLock { state in
            state.isCancelled = true
            return state.task
        }
        task?.cancel()
    }
}
