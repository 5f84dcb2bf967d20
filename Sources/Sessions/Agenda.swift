import TintypeOperations

/// What a session still has to begin: single requests first, then a sweep over all items.
struct Agenda {
    /// A pass over all items.
    enum Sweep {
        /// Each item is downloaded and then filtered.
        case everything
        case downloads
        /// Between `downloads` and `filtrations`: everything is reloaded.
        case barrier
        /// Items that are new, because their image was released, are downloaded again.
        case filtrations

        func takes(_ state: PhotoRecord.State) -> Bool {
            switch self {
            case .everything, .filtrations: state == .new || state == .downloaded
            case .downloads: state == .new
            case .barrier: false
            }
        }
    }

    private var requests = Line()
    private(set) var sweep: Sweep?
    private var nextOfSweep = 0
    /// Items that the sweep has passed, and takes again.
    private var returned = Line()

    mutating func request(_ item: Int) { requests.append(item) }

    mutating func begin(_ sweep: Sweep?) {
        self.sweep = sweep
        nextOfSweep = 0
        returned = Line()
    }

    mutating func clear() { self = Agenda() }

    mutating func clearRequests() { requests = Line() }

    /// Makes the sweep take an item again that was cancelled.
    mutating func takeBack(_ item: Int) {
        if sweep != nil, item < nextOfSweep { returned.append(item) }
    }

    /// Whether `next` returns nil until an item is requested or another sweep begins.
    func isExhausted(itemCount: Int) -> Bool {
        requests.isEmpty
            && (sweep == nil || sweep == .barrier || returned.isEmpty && nextOfSweep >= itemCount)
    }

    /// The next item to begin, and whether it comes from the sweep.
    ///
    /// - Parameter sweeps: false returns requests only.
    mutating func next(itemCount: Int, sweeps: Bool) -> (item: Int, isOfSweep: Bool)? {
        if let item = requests.removeFirst() { return (item, false) }
        guard sweeps, let sweep, sweep != .barrier else { return nil }
        if let item = returned.removeFirst() { return (item, true) }
        guard nextOfSweep < itemCount else { return nil }
        nextOfSweep += 1
        return (nextOfSweep - 1, true)
    }
}

/// Items that wait, each once, first come first served.
private struct Line {
    private var items: [Int] = []
    /// Index of the first one; cheaper than removing items from the front of the array.
    private var first = 0
    private var members: Set<Int> = []

    var isEmpty: Bool { first == items.count }

    mutating func append(_ item: Int) {
        if members.insert(item).inserted { items.append(item) }
    }

    mutating func removeFirst() -> Int? {
        guard first < items.count else { return nil }
        let item = items[first]
        members.remove(item)
        first += 1
        if first == items.count { (items, first) = ([], 0) }
        return item
    }
}
