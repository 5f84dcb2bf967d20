import Dispatch
import TintypeLocking

/// An event between threads. Each `fire` ends one wait, an earlier or a later one.
final class Signal: Sendable {
    private struct State {
        var surplus = 0
        var lastID = 0
        var waiting: [(id: Int, resume: @Sendable (Bool) -> Void)] = []
    }

    /// Only a failing test waits this long.
    private static let patience = DispatchTimeInterval.seconds(300)

    private let state = Locked(State())

    func fire() {
        let resume = state.withLock { state -> (@Sendable (Bool) -> Void)? in
            if state.waiting.isEmpty {
                state.surplus += 1
                return nil
            }
            return state.waiting.removeFirst().resume
        }
        resume?(true)
    }

    /// Waits, on a thread that may block: a server's, never the test runner's.
    ///
    /// - Returns: false if the wait timed out.
    func wait() -> Bool {
        let (semaphore, hasFired) = (DispatchSemaphore(value: 0), Shared(false))
        whenFired { fired in
            hasFired.change { $0 = fired }
            semaphore.signal()
        }
        semaphore.wait()
        return hasFired.value
    }

    /// As `wait`, without holding a thread: the test runner has only as many as there are cores.
    func fired() async -> Bool {
        await withCheckedContinuation { continuation in
            whenFired { continuation.resume(returning: $0) }
        }
    }

    private func whenFired(_ resume: @escaping @Sendable (Bool) -> Void) {
        let id = state.withLock { state -> Int? in
            if state.surplus > 0 {
                state.surplus -= 1
                return nil
            }
            state.lastID += 1
            state.waiting.append((state.lastID, resume))
            return state.lastID
        }
        guard let id else { return resume(true) }
        DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { self.expire(id) }
    }

    private func expire(_ id: Int) {
        let resume = state.withLock { state -> (@Sendable (Bool) -> Void)? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return nil }
            return state.waiting.remove(at: index).resume
        }
        resume?(false)
    }
}
