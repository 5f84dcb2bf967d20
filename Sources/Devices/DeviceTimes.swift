/// How long photos have taken on a device in this run, while how many others were there.
struct DeviceTimes {
    /// So many of the last photos count. Of their times the median: one that compiled a program, or that the CPU checked, says
    /// nothing of the next.
    private static let kept = 8
    /// A device without a photo is tried again after so many times the time that a photo took there at best, to see whether it has
    /// become faster. So that costs a worker one percent.
    private static let pause = 100.0
    /// Each try that does not help doubles the pause, up to so many seconds.
    private static let longestPause = 30.0

    private var last: [(seconds: Double, atWork: Int)] = []
    private var fastest = Double.infinity
    /// When the first photo was done.
    private var firstEnd: Double?
    private var lastUse = 0.0
    /// Tries since it last got a photo for its speed.
    private var tries = 0

    /// Seconds that a photo would take with so many at work: as long as until now, unless there are more than ever by two or more.
    /// A device that is busy already makes each wait for the others. Nil before the first photo that counts.
    private func expected(atWork count: Int) -> Double? {
        guard !last.isEmpty else { return nil }
        let seconds = last.map(\.seconds).sorted()[last.count / 2]
        let atWork = Double(last.reduce(0) { $0 + $1.atWork }) / Double(last.count)
        return seconds * max(1, Double(count) / (atWork + 1))
    }

    private func isForgotten(_ now: Double) -> Bool {
        let usual = Self.pause * fastest, doubled = usual * Double(1 << min(tries, 20))
        return now - lastUse >= min(doubled, max(usual, Self.longestPause))
    }

    /// Notes that a photo begins.
    ///
    /// - Parameter isTry: as `Choice` has it.
    mutating func begin(_ now: Double, isTry: Bool) {
        lastUse = now
        tries = isTry ? tries + 1 : 0
    }

    /// Adds a photo that was done.
    ///
    /// - Parameters:
    ///   - begin, end: in seconds of the run.
    ///   - count: photos at work when it began, itself included.
    ///   - isTry: whether it stands for all that was known before.
    mutating func add(from begin: Double, to end: Double, atWork count: Int, isTry: Bool = false) {
        lastUse = end
        // Those that began before the first one was done have waited for compilers and memory, too.
        guard let firstEnd, begin >= firstEnd else {
            firstEnd = firstEnd ?? end
            return
        }
        if isTry || last.count == Self.kept { last.removeFirst(isTry ? last.count : 1) }
        last.append((end - begin, count))
        fastest = min(fastest, end - begin)
    }

    /// A device that may get the next photo.
    struct Candidate {
        let times: DeviceTimes
        /// Photos at work there, and photos so far.
        let atWork, taken: Int
    }

    /// The device that gets the next photo.
    struct Choice: Equatable {
        let index: Int
        /// Whether it gets the photo to see how fast it is now.
        let isTry: Bool
    }

    /// Chooses the device on which the next photo will be done first. Among equals, and those of which that is not known, the one
    /// with the fewest photos at work, and then with the fewest so far.
    ///
    /// - Parameter now: in seconds of the run.
    /// - Returns: nil without candidates.
    static func choice(of candidates: [Candidate], now: Double) -> Choice? {
        let expected = candidates.map { $0.times.expected(atWork: $0.atWork + 1) }
        let known = candidates.indices.filter { expected[$0] != nil }
        let forgotten = known.filter { candidates[$0].atWork == 0 && candidates[$0].times.isForgotten(now) }
        // After a pause of the whole run, all are.
        let isTry = !forgotten.isEmpty && forgotten.count < known.count
        let least = expected.compactMap(\.self).min() ?? .infinity
        let best = candidates.indices.filter { index in expected[index].map { $0 <= least } ?? true }
        func load(_ index: Int) -> (Int, Int) { (candidates[index].atWork, candidates[index].taken) }
        let index = (isTry ? forgotten : best).min { load($0) < load($1) }
        return index.map { Choice(index: $0, isTry: isTry) }
    }
}
