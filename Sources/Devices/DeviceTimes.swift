/// How long photos have taken on a device in this run, while how many others were there.
struct DeviceTimes {
    /// Means follow about so many of the last photos.
    private static let memory = 8.0
    /// A photo counts as at most so many: one that compiled a program, or that the CPU checked, says little of the next.
    private static let most = 4.0
    /// A device without a photo gets one again after so many times a photo's time there, to see whether it has become faster. So
    /// that costs a worker one percent.
    private static let pause = 100.0

    /// Mean seconds of a photo, and how many were at work with it, itself included; nil before the first that counts.
    private var mean: (seconds: Double, atWork: Double)?
    /// When the first photo was done.
    private var firstEnd: Double?
    private var lastUse = 0.0

    /// Seconds that a photo would take with so many at work: as long as until now, unless there are more than ever by two or more.
    /// A device that is busy already makes each wait for the others.
    private func expected(atWork count: Int) -> Double? {
        mean.map { $0.seconds * max(1, Double(count) / ($0.atWork + 1)) }
    }

    /// Adds a photo that was done.
    ///
    /// - Parameters:
    ///   - begin, end: in seconds of the run.
    ///   - count: photos at work when it began, itself included.
    mutating func add(from begin: Double, to end: Double, atWork count: Int) {
        lastUse = end
        // Those that began before the first one was done have waited for compilers and memory, too.
        guard let firstEnd, begin >= firstEnd else {
            firstEnd = firstEnd ?? end
            return
        }
        guard let known = mean else {
            mean = (end - begin, Double(count))
            return
        }
        let seconds = min(end - begin, Self.most * known.seconds)
        mean = (
            known.seconds + (seconds - known.seconds) / Self.memory,
            known.atWork + (Double(count) - known.atWork) / Self.memory
        )
    }

    mutating func noteUse(_ now: Double) { lastUse = now }

    /// A device that may get the next photo.
    struct Candidate {
        let times: DeviceTimes
        /// Photos at work there, and photos so far.
        let atWork, taken: Int
    }

    /// The device to which the next photo goes: where it will be done first. Among equals, and those of which that is not known, the
    /// one with the fewest photos at work, and then with the fewest so far.
    ///
    /// - Parameters:
    ///   - candidates: at least one.
    ///   - now: in seconds of the run.
    static func choice(of candidates: [Candidate], now: Double) -> Int? {
        let expected = candidates.map { $0.times.expected(atWork: $0.atWork + 1) }
        let forgotten = candidates.indices.filter { index in
            guard let seconds = expected[index], candidates[index].atWork == 0 else { return false }
            return now - candidates[index].times.lastUse >= pause * seconds
        }
        let least = expected.compactMap(\.self).min() ?? .infinity
        let best = candidates.indices.filter { index in
            expected[index].map { $0 <= least } ?? true
        }
        func load(_ index: Int) -> (Int, Int) { (candidates[index].atWork, candidates[index].taken) }
        return (forgotten.isEmpty ? best : forgotten).min { load($0) < load($1) }
    }
}
