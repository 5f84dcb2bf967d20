/// What a session still has to begin: items that were asked for one by one, then a sweep over all of them.
struct Agenda {
    /// Which records a sweep begins.
    enum Sweep {
        /// Each is downloaded and filtered in one go.
        case everything
        case downloads
        /// Between the two: everything is reloaded.
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
    /// Requests before this one are done; moving it costs less than moving the array.
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

    /// Whether `next` has no more, until something is requested or another sweep begins.
    func isExhausted(itemCount: Int) -> Bool {
        nextRequest == requests.count && (sweep == nil || sweep == .barrier || nextOfSweep >= itemCount)
    }

    /// The next item to begin, and whether the sweep came upon it.
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
