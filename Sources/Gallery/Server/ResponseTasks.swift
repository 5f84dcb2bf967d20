import TintypeLocking

/// The tasks that make responses.
final class ResponseTasks: Sendable {
    private struct State {
        var count = 0
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    private let state = Locked(State())

    var isRunning: Bool { state.withLock { $0.count > 0 } }

    func start(_ body: @escaping @Sendable () async -> Void) -> Task<Void, Never> {
        state.withLock { $0.count += 1 }
        return Task {
            await body()
            end()
        }
    }

    private func end() {
        let waiters = state.withLock { state in
            state.count -= 1
            guard state.count == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Returns once no response is being made.
    func waitForEnd() async {
        await withCheckedContinuation { continuation in
            let isDone = state.withLock { state in
                if state.count > 0 { state.waiters.append(continuation) }
                return state.count == 0
            }
            if isDone { continuation.resume() }
        }
    }
}
