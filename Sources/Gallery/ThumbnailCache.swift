import TintypeLocking

/// Thumbnails in memory, up to a number of bytes. Those that were not asked for the longest are dropped.
final class ThumbnailCache: Sendable {
    struct Key: Hashable {
        let item: Int
        let version: Int
    }

    /// About 1,000 thumbnails, more than a large screen shows. Browsers keep them as well.
    static let byteLimit = 16 << 20

    fileprivate struct State {
        var entries: [Key: (picture: PictureData, lastUse: Int)] = [:]
        var useCount = 0
        var byteCount = 0
    }

    private let state = Locked(State())

    var byteCount: Int { state.withLock { $0.byteCount } }

    /// The thumbnail, which counts as used now.
    subscript(key: Key) -> PictureData? {
        get {
            state.withLock { state in
                state.useCount += 1
                state.entries[key]?.lastUse = state.useCount
                return state.entries[key]?.picture
            }
        }
        set {
            state.withLock { state in
                state.useCount += 1
                state.byteCount -= state.entries.removeValue(forKey: key)?.picture.byteCount ?? 0
                guard let newValue else { return }
                state.byteCount += newValue.byteCount
                state.entries[key] = (newValue, state.useCount)
                state.trim()
            }
        }
    }
}

extension ThumbnailCache.State {
    /// Drops a quarter at once beyond the limit: sorting for each new thumbnail would take longer than making it.
    fileprivate mutating func trim() {
        guard byteCount > ThumbnailCache.byteLimit else { return }
        for (key, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }) {
            entries[key] = nil
            byteCount -= entry.picture.byteCount
            if byteCount <= ThumbnailCache.byteLimit / 4 * 3 { break }
        }
    }
}
