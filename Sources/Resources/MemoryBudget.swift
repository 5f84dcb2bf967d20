import Dispatch
import Locking

/// Memory that the photos of a run share: each borrows what it needs before it begins.
///
/// Requests are served in the order in which they came, so a large photo is not kept waiting by small ones for
/// ever. A photo borrows once, and waits for nothing else meanwhile, so no two wait for each other.
public final class MemoryBudget: Sendable {
    /// With less, not even photos of usual size are sure to be done. Chosen by eye.
    public static let leastByteCount = 16 << 20

    /// What there is, all in all.
    public let byteCount: Int
    private let state: Locked<State>
    /// Between two looks at whether a photo that waits was cancelled.
    private static let patience = DispatchTimeInterval.milliseconds(50)

    private struct State {
        var free: Int
        /// In the order in which they came.
        var waiters: [Waiter] = []

        /// Gives those in front what they wait for, as far as it goes.
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

    public init(byteCount: Int) {
        self.byteCount = byteCount
        state = Locked(State(free: byteCount))
    }

    /// Waits until so much is free, and lends it to `body`.
    ///
    /// - Parameter isCancelled: asked while waiting.
    /// - Throws: `CancellationError`, and what `body` throws.
    /// - Precondition: `byteCount` is no more than the whole budget.
    package func lend<Result>(
        _ byteCount: Int, isCancelled: () -> Bool, to body: () throws -> Result
    ) throws -> Result {
        precondition(byteCount <= self.byteCount, "nobody can lend more than there is")
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

    /// Photos that wait for memory.
    var waiterCount: Int { state.withLock { $0.waiters.count } }

    /// False where the waiter has been served meanwhile.
    private func leave(_ waiter: Waiter) -> Bool {
        state.withLock { state in
            guard let index = state.waiters.firstIndex(where: { $0 === waiter }) else { return false }
            state.waiters.remove(at: index)
            // It may have been in the way of smaller ones.
            state.serve()
            return true
        }
    }

    private func giveBack(_ byteCount: Int) {
        state.withLock { state in
            state.free += byteCount
            state.serve()
        }
    }
}
