/// What a session still has to begin: single requests first, then a sweep over all items.
struct Agenda {
    /// A pass over all items.
    enum Sweep {
        /// Each item is downloaded and then filtered.
        case everything
        case downloads
        /// Between `downloads` and `filtrations`: everything is reloaded.
        case barrier
        case filtrations

        func takes(_ state: PhotoRecord.State) -> Bool {
            switch self {
            case .everything: state == .new || state == .downloaded
            case .downloads: state == .new
            case .barrier: false
            case .filtrations: state == .downloaded
            }
        }
    }

    private var requests: [Int] = []
    /// Index of the next request; cheaper than removing requests from the front of the array.
    private var nextRequest = 0
    private var isRequested: Set<Int> = []
    private(set) var sweep: Sweep?
    private var nextOfSweep = 0

    mutating func request(_ item: Int) {
        guard isRequested.insert(item).inserted else { return }
        requests.append(item)
    }

    mutating func begin(_ sweep: Sweep?) {
        self.sweep = sweep
        nextOfSweep = 0
    }

    mutating func clear() { self = Agenda() }

    /// Whether `next` returns nil until an item is requested or another sweep begins.
    func isExhausted(itemCount: Int) -> Bool {
        nextRequest == requests.count && (sweep == nil || sweep == .barrier || nextOfSweep >= itemCount)
    }

    /// The next item to begin, and whether it comes from the sweep.
    mutating func next(itemCount: Int) -> (item: Int, isOfSweep: Bool)? {
        if nextRequest < requests.count {
            let item = requests[nextRequest]
            nextRequest += 1
            isRequested.remove(item)
            if nextRequest == requests.count { (requests, nextRequest) = ([], 0) }
            return (item, false)
        }
        guard let sweep, sweep != .barrier, nextOfSweep < itemCount else { return nil }
        nextOfSweep += 1
        return (nextOfSweep - 1, true)
    }
}
