/// The downloads that wait for a slot, and the slots in use.
///
/// Higher priorities come first; equal priorities in the order of arrival. A host whose slots are all taken,
/// or that has sent `Retry-After`, does not block the others.
struct TransferQueue {
    typealias Instant = ContinuousClock.Instant

    private struct Host {
        var waiting: [Transfer] = []
        var running = 0
        /// Set by a server's `Retry-After`.
        var pausedUntil: Instant?
    }

    private let maximumTransfers: Int
    private let maximumTransfersPerHost: Int
    private var hosts: [String: Host] = [:]
    /// Failed transfers that wait for their retry.
    private var delayed: [(until: Instant, transfer: Transfer)] = []
    private(set) var runningCount = 0

    init(maximumTransfers: Int, maximumTransfersPerHost: Int) {
        precondition(maximumTransfers > 0, "maximumTransfers must be positive")
        precondition(maximumTransfersPerHost > 0, "maximumTransfersPerHost must be positive")
        self.maximumTransfers = maximumTransfers
        self.maximumTransfersPerHost = maximumTransfersPerHost
    }

    mutating func add(_ transfer: Transfer) {
        var host = hosts[transfer.origin, default: Host()]
        let index = host.waiting.firstIndex { transfer.goesBefore($0) } ?? host.waiting.endIndex
        host.waiting.insert(transfer, at: index)
        hosts[transfer.origin] = host
    }

    mutating func add(_ transfer: Transfer, notBefore instant: Instant) {
        delayed.append((instant, transfer))
    }

    /// Pauses all transfers to a host, because it would refuse them too.
    mutating func pause(_ origin: String, until instant: Instant) {
        let known = hosts[origin]?.pausedUntil ?? instant
        hosts[origin, default: Host()].pausedUntil = max(known, instant)
    }

    mutating func remove(_ transfer: Transfer) {
        delayed.removeAll { $0.transfer === transfer }
        _ = removeWaiting(transfer)
    }

    /// Removes a transfer that waits for a slot, but not one that waits for its retry.
    ///
    /// - Returns: whether there was one.
    mutating func removeWaiting(_ transfer: Transfer) -> Bool {
        guard var host = hosts[transfer.origin],
            let index = host.waiting.firstIndex(where: { $0 === transfer })
        else { return false }
        host.waiting.remove(at: index)
        keep(host, as: transfer.origin)
        return true
    }

    /// The next transfer, which takes a slot until `release`; nil if none may start.
    mutating func next(now: Instant) -> Transfer? {
        wakeUp(now: now)
        guard runningCount < maximumTransfers else { return nil }
        var best: Transfer?
        for host in hosts.values where host.running < maximumTransfersPerHost && host.pausedUntil == nil {
            guard let first = host.waiting.first else { continue }
            if best.map({ first.goesBefore($0) }) ?? true { best = first }
        }
        guard let best, var host = hosts[best.origin] else { return nil }
        host.waiting.removeFirst()
        host.running += 1
        hosts[best.origin] = host
        runningCount += 1
        return best
    }

    mutating func release(_ origin: String) {
        guard var host = hosts[origin] else { return }
        host.running -= 1
        runningCount -= 1
        keep(host, as: origin)
    }

    /// When `next` may return another transfer, even if nothing else happens.
    var nextWakeUp: Instant? {
        let delays = delayed.lazy.map(\.until).min()
        let pauses = hosts.values.lazy.compactMap(\.pausedUntil).min()
        guard let delays, let pauses else { return delays ?? pauses }
        return min(delays, pauses)
    }

    private mutating func wakeUp(now: Instant) {
        for (until, transfer) in delayed where until <= now { add(transfer) }
        delayed.removeAll { $0.until <= now }
        for (origin, var host) in hosts {
            guard let until = host.pausedUntil, until <= now else { continue }
            host.pausedUntil = nil
            keep(host, as: origin)
        }
    }

    /// Stores a host's state, or removes an idle host: a long run meets many hosts.
    private mutating func keep(_ host: Host, as origin: String) {
        let isIdle = host.waiting.isEmpty && host.running == 0 && host.pausedUntil == nil
        hosts[origin] = isIdle ? nil : host
    }
}
