import Foundation

/// One download with all of its waiters. Used on the download thread only.
final class Transfer {
    /// Requests with equal keys share one transfer.
    struct Key: Hashable {
        let address: WebAddress
        let byteLimit: Int
        let partialsDirectory: URL?
    }

    let key: Key
    /// Order of arrival.
    let sequence: UInt64
    private(set) var priority: DownloadRequest.Priority
    private(set) var waiters: [Waiter] = []

    var attempts = 0
    /// Attempts that failed with a transient error. Starting over because the content changed does not count.
    var failures = 0
    /// When the first attempt began.
    var began: ContinuousClock.Instant?
    var spool: Spool?
    /// The running attempt.
    var attempt: Attempt?
    private var lastProgress: ContinuousClock.Instant?

    init(_ key: Key, priority: DownloadRequest.Priority, sequence: UInt64) {
        self.key = key
        self.priority = priority
        self.sequence = sequence
    }

    var origin: String { key.address.origin }
    var redactedURL: String { key.address.redacted }

    func goesBefore(_ other: Transfer) -> Bool {
        (other.priority, sequence) < (priority, other.sequence)
    }

    /// Adds a waiter; the transfer gets the highest priority of its waiters.
    func add(_ waiter: Waiter, priority: DownloadRequest.Priority) {
        waiters.append(waiter)
        self.priority = max(self.priority, priority)
    }

    func removeWaiter(_ id: UInt64) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index)
    }

    /// The progress to report, at most ten times a second; always when the body is complete.
    func progressToReport(isLast: Bool = false) -> DownloadProgress? {
        guard let spool else { return nil }
        let now = ContinuousClock.now
        if !isLast, let lastProgress, now - lastProgress < .milliseconds(100) { return nil }
        lastProgress = now
        let expected = isLast ? spool.byteCount : spool.totalByteCount
        return DownloadProgress(receivedByteCount: spool.byteCount, expectedByteCount: expected)
    }
}
