/// Numbers of photos by state.
public struct PhotoCounts: Hashable, Sendable {
    /// Photos that are not downloaded.
    public internal(set) var new = 0
    /// Photos that are there and not filtered.
    public internal(set) var downloaded = 0
    /// Photos that were filtered.
    public internal(set) var filtered = 0
    /// Photos whose download or filter has failed.
    public internal(set) var failed = 0

    init() {}

    init(_ states: some Sequence<PhotoRecord.State>) {
        for state in states { self[state] += 1 }
    }

    subscript(state: PhotoRecord.State) -> Int {
        get {
            switch state {
            case .new: new
            case .downloaded: downloaded
            case .filtered: filtered
            case .failed: failed
            }
        }
        set {
            switch state {
            case .new: new = newValue
            case .downloaded: downloaded = newValue
            case .filtered: filtered = newValue
            case .failed: failed = newValue
            }
        }
    }

    /// Counts a photo that has changed its state.
    mutating func move(from old: PhotoRecord.State, to new: PhotoRecord.State) {
        self[old] -= 1
        self[new] += 1
    }
}
