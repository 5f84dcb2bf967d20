import Dispatch
import TintypeLocking

/// A memory budget shared by the photos of a run: each photo borrows its estimated need before it begins.
///
/// Requests are served in order, so small photos cannot delay a large one forever. A photo borrows only once,
/// so photos cannot deadlock.
public final class MemoryBudget: Sendable {
    /// The smallest useful budget in bytes: photos of usual sizes may fail with less. Chosen by eye.
    public static let leastByteCount = 16 << 20

    /// The whole budget in bytes.
    public let byteCount: Int
    private let state: Locked<State>
    /// How often a waiting photo checks whether it was cancelled.
    private static let patience = DispatchTimeInterval.milliseconds(50)

    private struct State {
        var free: Int
        /// In the order of their requests.
        var waiters: [Waiter] = []

        /// Serves waiters from the front while their requests fit.
        mutating func serve() {
            while let first = waiters.first, first.byteCount <= free {
                free -= first.byteCount
                waiters.removeFirst()
                first.isServed.signal()
            }
        }
    }

    private final class Waiter: Sendable {
        let byteCount: Int
        let isServed = DispatchSemaphore(value: 0)

        init(_ byteCount: Int) { self.byteCount = byteCount }
    }

    /// A budget of this many bytes, of which all are free. Less than `leastByteCount` is of little use.
    public init(byteCount: Int) {
        self.byteCount = byteCount
        state = Locked(State(free: byteCount))
    }

    /// Waits until `byteCount` bytes are free, and reserves them while `body` runs.
    ///
    /// - Parameter isCancelled: polled while waiting.
    /// - Throws: `CancellationError`, and what `body` throws.
    /// - Precondition: `byteCount` is at most the whole budget.
    package func lend<Result>(
        _ byteCount: Int, isCancelled: () -> Bool, to body: () throws -> Result
    ) throws -> Result {
        precondition(byteCount <= self.byteCount, "the request must not exceed the whole budget")
        let waiter = Waiter(byteCount)
        state.withLock { state in
            state.waiters.append(waiter)
            state.serve()
        }
        while waiter.isServed.wait(timeout: .now() + Self.patience) == .timedOut {
            if isCancelled(), leave(waiter) { throw CancellationError() }
        }
        defer { giveBack(byteCount) }
        return try body()
    }

    /// Reserves `byteCount` bytes until they are given back. False, and nothing is reserved, if they are not free or a photo waits.
    package func lendAtOnce(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard state.waiters.isEmpty, byteCount <= state.free else { return false }
            state.free -= byteCount
            return true
        }
    }

    /// The bytes that are lent now.
    package var lentByteCount: Int { state.withLock { byteCount - $0.free } }

    /// Number of photos that wait for memory.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// Removes a waiter; false if it has been served meanwhile.
    private func leave(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return false }
            state.waiters.remove(at: index)
            // Smaller requests behind it may fit now.
            state.serve()
            return true
        }
    }

    package func giveBack(_ byteCount: Int) {
        state.withLock { state in
            state.free += byteCount
            state.serve()
        }
    }
}
