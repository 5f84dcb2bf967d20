import Foundation
import Locking

/// A session's background queues, each made when it is first needed.
public final class BackgroundQueues: Sendable {
    private struct State {
        var downloads: OperationQueue?
        var filtrations: OperationQueue?
        var isSuspended = false
        var concurrentDownloads: Int
        var concurrentFiltrations: Int
    }

    private let state: Locked<State>

    /// - Precondition: both are at least 1.
    init(concurrentDownloads: Int, concurrentFiltrations: Int) {
        precondition(concurrentDownloads > 0 && concurrentFiltrations > 0, "concurrency must be at least 1")
        state = Locked(
            State(concurrentDownloads: concurrentDownloads, concurrentFiltrations: concurrentFiltrations))
    }

    /// Downloads at once, at least 1. It may change while the session runs; running downloads go on.
    public var concurrentDownloads: Int {
        get { state.withLock { $0.concurrentDownloads } }
        set {
            precondition(newValue > 0, "concurrency must be at least 1")
            state.withLock { state in
                state.concurrentDownloads = newValue
                state.downloads?.maxConcurrentOperationCount = newValue
            }
        }
    }

    /// Filters at once, at least 1. It may change while the session runs; running filters go on.
    public var concurrentFiltrations: Int {
        get { state.withLock { $0.concurrentFiltrations } }
        set {
            precondition(newValue > 0, "concurrency must be at least 1")
            state.withLock { state in
                state.concurrentFiltrations = newValue
                state.filtrations?.maxConcurrentOperationCount = newValue
            }
        }
    }

    /// The queue of downloads, named "Download queue".
    public var downloads: OperationQueue {
        state.withLock { state in
            let queue =
                state.downloads ?? Self.make("Download queue", state.concurrentDownloads, state.isSuspended)
            state.downloads = queue
            return queue
        }
    }

    /// The queue of filters, named "Image Filtration queue".
    public var filtrations: OperationQueue {
        state.withLock { state in
            let queue =
                state.filtrations
                ?? Self.make(
                    "Image Filtration queue", state.concurrentFiltrations, state.isSuspended)
            state.filtrations = queue
            return queue
        }
    }

    /// Whether operations that have not begun are held back. Running operations go on.
    public var isSuspended: Bool { state.withLock { $0.isSuspended } }

    func suspend(_ isSuspended: Bool) {
        let queues = state.withLock { state in
            state.isSuspended = isSuspended
            return [state.downloads, state.filtrations]
        }
        for case let queue? in queues { queue.isSuspended = isSuspended }
    }

    /// Number of operations on both queues.
    public var operationCount: Int {
        let queues = state.withLock { [$0.downloads, $0.filtrations] }
        return queues.reduce(0) { $0 + ($1?.operationCount ?? 0) }
    }

    private static func make(_ name: String, _ limit: Int, _ isSuspended: Bool) -> OperationQueue {
        let queue = OperationQueue()
        queue.name = name
        queue.maxConcurrentOperationCount = limit
        queue.isSuspended = isSuspended
        return queue
    }
}
