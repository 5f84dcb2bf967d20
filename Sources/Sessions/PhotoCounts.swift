import TintypeOperations

/// Numbers of photos by state. Each photo counts once.
public struct PhotoCounts: Hashable, Sendable {
    /// Photos that are not downloaded.
    public internal(set) var new = 0
    /// Photos that are there and not filtered.
    public internal(set) var downloaded = 0
    /// Photos that were filtered.
    public internal(set) var filtered = 0
    /// Photos that were filtered, and whose images were released since: see `PhotoRecord.isReleased`.
    public internal(set) var released = 0
    /// Photos whose download or filter has failed.
    public internal(set) var failed = 0

    init() {}

    init(_ records: some Sequence<PhotoRecord>) {
        for record in records { self[record.kind] += 1 }
    }

    /// What a photo counts as.
    enum Kind {
        case new, downloaded, filtered, released, failed

        init(_ state: PhotoRecord.State) {
            self =
                switch state {
                case .new: .new
                case .downloaded: .downloaded
                case .filtered: .filtered
                case .failed: .failed
                }
        }
    }

    subscript(kind: Kind) -> Int {
        get {
            switch kind {
            case .new: new
            case .downloaded: downloaded
            case .filtered: filtered
            case .released: released
            case .failed: failed
            }
        }
        set {
            switch kind {
            case .new: new = newValue
            case .downloaded: downloaded = newValue
            case .filtered: filtered = newValue
            case .released: released = newValue
            case .failed: failed = newValue
            }
        }
    }

    /// Counts a photo that has changed.
    mutating func move(from old: Kind, to new: Kind) {
        self[old] -= 1
        self[new] += 1
    }
}
