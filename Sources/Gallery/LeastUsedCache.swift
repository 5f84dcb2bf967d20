import TintypeLocking

/// Values in memory, up to a number of bytes. Those that were not asked for the longest are dropped.
final class LeastUsedCache<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    fileprivate struct State {
        var entries: [Key: (value: Value, byteCount: Int, lastUse: Int)] = [:]
        var useCount = 0
        var byteCount = 0
    }

    let byteLimit: Int
    private let sizeOf: @Sendable (Value) -> Int
    private let state = Locked(State())

    /// - Parameter sizeOf: the bytes of a value.
    init(byteLimit: Int, sizeOf: @escaping @Sendable (Value) -> Int) {
        self.byteLimit = byteLimit
        self.sizeOf = sizeOf
    }

    var byteCount: Int { state.withLock { $0.byteCount } }

    func removeAll() { state.withLock { $0 = State() } }

    /// The value, which counts as used now.
    subscript(key: Key) -> Value? {
        get {
            state.withLock { state in
                state.useCount += 1
                state.entries[key]?.lastUse = state.useCount
                return state.entries[key]?.value
            }
        }
        set {
            state.withLock { state in
                state.useCount += 1
                state.byteCount -= state.entries.removeValue(forKey: key)?.byteCount ?? 0
                guard let newValue else { return }
                let byteCount = sizeOf(newValue)
                state.byteCount += byteCount
                state.entries[key] = (newValue, byteCount, state.useCount)
                state.trim(to: byteLimit)
            }
        }
    }
}

extension LeastUsedCache.State {
    /// Drops a quarter at once beyond the limit: sorting for each new value would take longer than making it.
    fileprivate mutating func trim(to byteLimit: Int) {
        guard byteCount > byteLimit else { return }
        for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[key] = nil
            byteCount -= entry.byteCount
            if byteCount <= byteLimit / 4 * 3 { break }
        }
    }
}
