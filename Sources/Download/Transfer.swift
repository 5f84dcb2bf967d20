import Foundation

/// One download on its way, for everyone who waits for it. Used on the download thread only.
final class Transfer {
    /// Requests that agree in all of this share one transfer.
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
    /// Attempts that failed in a way that may pass; starting over because the content changed is none.
    var failures = 0
    /// When the first attempt began.
    var began: ContinuousClock.Instant?
    var spool: Spool?
    /// The one that runs.
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

    /// As urgent as the most urgent of those who wait.
    func add(_ waiter: Waiter, priority: DownloadRequest.Priority) {
        waiters.append(waiter)
        self.priority = max(self.priority, priority)
    }

    func removeWaiter(_ id: UInt64) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else { return nil }
        return waiters.remove(at: index)
    }

    /// Ten times a second at most; the last word, as the body is complete, always.
    func progressToReport(isLast: Bool = false) -> DownloadProgress? {
        guard let spool else { return nil }
        let now = ContinuousClock.now
        if !isLast, let lastProgress, now - lastProgress < .milliseconds(100) { return nil }
        lastProgress = now
        let expected = isLast ? spool.byteCount : spool.totalByteCount
        return DownloadProgress(receivedByteCount: spool.byteCount, expectedByteCount: expected)
    }
}
