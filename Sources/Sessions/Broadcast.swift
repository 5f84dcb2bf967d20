import TintypeLocking
import TintypeOperations

/// Passes values on to any number of streams.
package final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
        var nextID = 0
    }

    private let state = Locked(State())

    package init() {}

    deinit { finish() }

    /// A new stream of all later values. It ends with `finish`, or when the broadcast is released.
    package func makeStream(
        _ bufferingPolicy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: Element.self, bufferingPolicy: bufferingPolicy)
        let id = state.withLock { state in
            state.nextID += 1
            state.continuations[state.nextID] = continuation
            return state.nextID
        }
        continuation.onTermination = { [weak self] _ in
            self?.state.withLock { _ = $0.continuations.removeValue(forKey: id) }
        }
        return stream
    }

    package func yield(_ value: Element) {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.yield(value) }
    }

    /// Ends all streams.
    package func finish() {
        for continuation in state.withLock({ Array($0.continuations.values) }) { continuation.finish() }
    }
}
