import TintypeOperations

/// The items whose images a session keeps, in the order in which they are released.
///
/// Items that were never in view come first, oldest first. Then follow the others, beginning with the one
/// that was in view the longest ago.
struct RecentImages {
    private let countLimit: Int
    private let byteLimit: Int
    private var byteCounts: [Int: Int] = [:]
    private var byteCount = 0
    private var unseen = LinkedItems()
    /// Also items that are at work and have no image yet: their places count when it comes.
    private var seen = LinkedItems()

    /// - Parameters:
    ///   - countLimit: the most images.
    ///   - byteLimit: the most bytes of all images.
    init(countLimit: Int, byteLimit: Int) {
        self.countLimit = countLimit
        self.byteLimit = byteLimit
    }

    /// Sets the size of an item's image.
    ///
    /// - Parameters:
    ///   - byteCount: nil if the item has no image that can be released.
    ///   - isSeen: whether the item is in view now.
    mutating func set(_ item: Int, byteCount: Int?, isSeen: Bool) {
        guard isLimited else { return }
        self.byteCount += (byteCount ?? 0) - (byteCounts[item] ?? 0)
        if byteCount == nil {
            unseen.remove(item)
            seen.remove(item)
        } else if isSeen {
            unseen.remove(item)
            seen.append(item)
        } else if byteCounts[item] == nil, !seen.contains(item) {
            unseen.append(item)
        }
        byteCounts[item] = byteCount
    }

    /// Notes that items are in view, or were until now.
    ///
    /// - Parameter isAtWork: items whose images may come later; `set` is called for each in any case.
    mutating func see(_ items: some Sequence<Int>, isAtWork: (Int) -> Bool) {
        guard isLimited else { return }
        for item in items where byteCounts[item] != nil || isAtWork(item) {
            unseen.remove(item)
            seen.append(item)
        }
    }

    private var isLimited: Bool { countLimit < .max || byteLimit < .max }

    mutating func removeAll() { self = RecentImages(countLimit: countLimit, byteLimit: byteLimit) }

    /// The item whose image is to be released next; nil within the limits.
    ///
    /// - Parameter isInUse: items whose images must stay.
    func excess(_ isInUse: (Int) -> Bool) -> Int? {
        guard byteCounts.count > countLimit || byteCount > byteLimit else { return nil }
        return unseen.first { !isInUse($0) } ?? seen.first { byteCounts[$0] != nil && !isInUse($0) }
    }
}

/// A list of items, each at most once. Appending and removing take constant time.
private struct LinkedItems: Sequence {
    private var links: [Int: (previous: Int?, next: Int?)] = [:]
    private var head: Int?
    private var tail: Int?

    /// Puts an item at the end, wherever it was.
    mutating func append(_ item: Int) {
        remove(item)
        if let tail { links[tail]?.next = item } else { head = item }
        links[item] = (tail, nil)
        tail = item
    }

    func contains(_ item: Int) -> Bool { links[item] != nil }

    mutating func remove(_ item: Int) {
        guard let (previous, next) = links.removeValue(forKey: item) else { return }
        if let previous { links[previous]?.next = next } else { head = next }
        if let next { links[next]?.previous = previous } else { tail = previous }
    }

    func makeIterator() -> some IteratorProtocol<Int> {
        sequence(state: head) { item in
            guard let current = item else { return nil }
            item = links[current]?.next
            return current
        }
    }
}
