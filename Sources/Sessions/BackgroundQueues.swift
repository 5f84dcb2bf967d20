import Foundation
import TintypeLocking
import TintypeOperations

/// A session's background queues, each made when it is first needed.
public final class BackgroundQueues: Sendable {
    /// A queue that is made when it is first needed.
    private struct LazyQueue {
        let name: String
        private(set) var limit: Int
        private(set) var queue: OperationQueue?

        init(_ name: String, limit: Int) {
            self.name = name
            self.limit = max(1, limit)
        }

        mutating func change(limit: Int) {
            self.limit = max(1, limit)
            queue?.maxConcurrentOperationCount = self.limit
        }

        mutating func get(isSuspended: Bool) -> OperationQueue {
            if let queue { return queue }
            let queue = OperationQueue()
            queue.name = name
            queue.maxConcurrentOperationCount = limit
            queue.isSuspended = isSuspended
            self.queue = queue
            return queue
        }
    }

    private struct State {
        var downloads, filtrations: LazyQueue
        var isSuspended = false
    }

    private let state: Locked<State>

    init(concurrentDownloads: Int, concurrentFiltrations: Int) {
        state = Locked(
            State(
                downloads: LazyQueue("Download queue", limit: concurrentDownloads),
                filtrations: LazyQueue("Image Filtration queue", limit: concurrentFiltrations)))
    }

    /// Downloads at once; less than 1 counts as 1. It may change while the session runs; running downloads go on.
    public var concurrentDownloads: Int {
        get { state.withLock { $0.downloads.limit } }
        set { state.withLock { $0.downloads.change(limit: newValue) } }
    }

    /// Filters at once; less than 1 counts as 1. It may change while the session runs; running filters go on.
    public var concurrentFiltrations: Int {
        get { state.withLock { $0.filtrations.limit } }
        set { state.withLock { $0.filtrations.change(limit: newValue) } }
    }

    /// The queue of downloads, named "Download queue".
    public var downloads: OperationQueue {
        state.withLock { $0.downloads.get(isSuspended: $0.isSuspended) }
    }

    /// The queue of filters, named "Image Filtration queue".
    public var filtrations: OperationQueue {
        state.withLock { $0.filtrations.get(isSuspended: $0.isSuspended) }
    }

    /// Whether operations that have not begun are held back. Running operations go on.
    public var isSuspended: Bool { state.withLock { $0.isSuspended } }

    func suspend(_ isSuspended: Bool) {
        let queues = state.withLock { state in
            state.isSuspended = isSuspended
            return [state.downloads.queue, state.filtrations.queue]
        }
        for case let queue? in queues { queue.isSuspended = isSuspended }
    }

    /// Number of operations on both queues.
    public var operationCount: Int {
        let queues = state.withLock { [$0.downloads.queue, $0.filtrations.queue] }
        return queues.reduce(0) { $0 + ($1?.operationCount ?? 0) }
    }
}
