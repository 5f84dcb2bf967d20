import TintypeLocking

/// The stars that photos are shown with, as far as they are known: a byte for each photo.
final class Stars: Sendable {
    /// The most that a photo can have.
    static let most = 5

    private static let unknown = UInt8.max

    private struct State {
        /// By photo, up to the last one that is known.
        var values: [UInt8] = []
        /// Photos whose stars are to be read, the last ones first.
        var wanted: [Int] = []
        var isReading = false

        subscript(item: Int) -> Int? {
            get {
                guard values.indices.contains(item), values[item] != Stars.unknown else { return nil }
                return Int(values[item])
            }
            set {
                if item >= values.count {
                    values += Array(repeating: Stars.unknown, count: item + 1 - values.count)
                }
                values[item] = newValue.map { UInt8($0) } ?? Stars.unknown
            }
        }
    }

    private let state = Locked(State())

    /// Nil as long as they are not known.
    subscript(item: Int) -> Int? { state.withLock { $0[item] } }

    /// Those of these photos whose stars are not known.
    func unknown(among items: [Int]) -> [Int] {
        state.withLock { state in items.filter { state[$0] == nil } }
    }

    /// Takes stars that a user has given.
    func set(_ stars: Int, of items: some Sequence<Int>) {
        state.withLock { state in
            for item in items { state[item] = stars }
        }
    }

    /// Takes stars that were read, unless the user has given others meanwhile.
    func take(_ stars: Int, of item: Int) {
        state.withLock { if $0[item] == nil { $0[item] = stars } }
    }

    /// All are to be read again.
    func forget() { state.withLock { $0.values = [] } }

    // MARK: Reading in passing

    /// Photos of which the page has asked, and may have scrolled away from.
    private static let wantedLimit = 1000

    /// Notes that the page shows a photo.
    ///
    /// - Returns: whether to begin to read.
    func want(_ item: Int) -> Bool {
        state.withLock { state in
            guard state[item] == nil else { return false }
            if state.wanted.count >= Self.wantedLimit { state.wanted.removeFirst(Self.wantedLimit / 2) }
            if let known = state.wanted.lastIndex(of: item) { state.wanted.remove(at: known) }
            state.wanted.append(item)
            defer { state.isReading = true }
            return !state.isReading
        }
    }

    /// Some photos to be read; empty at the end.
    func nextWanted() -> [Int] {
        state.withLock { state in
            let next = Array(state.wanted.suffix(16).reversed())
            state.wanted.removeLast(next.count)
            state.isReading = !next.isEmpty
            return next
        }
    }
}
