import TintypeLocking
import TintypeSessions

/// The changes of a gallery's photos, numbered, so that a page that reconnects learns what it has missed.
///
/// It keeps the newest changes only. A page that has missed more reads everything again.
final class ChangeLog: Sendable {
    /// Changes kept for pages that reconnect. A page that is away for longer reads its cells again, about a hundred.
    static let capacity = 4096

    /// What has changed since a point in the log.
    struct News {
        /// The point up to which this tells.
        var cursor: Int
        /// Photos, each once; nil if everything may have changed.
        var items: [Int]?
        var hasNewStatus: Bool
    }

    private struct State {
        /// The number of the newest change.
        var newest = 0
        /// The item of change `n` is at `n % capacity`.
        var items = [Int](repeating: 0, count: ChangeLog.capacity)
        /// Everything may have changed at this change.
        var lastReset = 0
        var lastStatus = 0
    }

    private let state = Locked(State())
    private let listeners = Broadcast<Void>()

    /// The number of the newest change.
    var cursor: Int { state.withLock { $0.newest } }

    func add(item: Int) {
        announce { state in
            state.newest += 1
            state.items[state.newest % Self.capacity] = item
        }
    }

    func addReset() {
        announce { state in
            state.newest += 1
            state.lastReset = state.newest
        }
    }

    /// The gallery's status has changed.
    func addStatus() {
        announce { state in
            state.newest += 1
            state.items[state.newest % Self.capacity] = -1
            state.lastStatus = state.newest
        }
    }

    /// Wakes all listeners, so that their connections stay open.
    func tick() { listeners.yield(()) }

    /// Ends all listeners' streams.
    func end() { listeners.finish() }

    /// What has changed after `cursor`.
    func news(after cursor: Int) -> News {
        state.withLock { state in
            var news = News(cursor: state.newest, items: [], hasNewStatus: state.lastStatus > cursor)
            guard cursor >= state.lastReset, cursor >= state.newest - Self.capacity, cursor <= state.newest
            else {
                news.items = nil
                return news
            }
            var seen: Set<Int> = [-1]
            news.items = (cursor..<state.newest).map { state.items[($0 + 1) % Self.capacity] }
                .filter { seen.insert($0).inserted }
            return news
        }
    }

    /// Yields after changes and ticks. Several that come together count as one.
    func wakeUps() -> AsyncStream<Void> { listeners.makeStream(.bufferingNewest(1)) }

    private func announce(_ change: (inout State) -> Void) {
        state.withLock { change(&$0) }
        listeners.yield(())
    }
}
