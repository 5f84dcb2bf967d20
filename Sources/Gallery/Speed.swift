/// Pixels a second over the last two seconds.
struct Speed {
    private var samples: [(time: ContinuousClock.Instant, pixelCount: Int)] = []

    mutating func add(pixelCount: Int) {
        samples.append((.now, pixelCount))
        if samples.count > 8 { samples.removeFirst() }
    }

    var megapixelsPerSecond: Double {
        guard let first = samples.first, let last = samples.last, last.time > first.time else { return 0 }
        let seconds = first.time.duration(to: last.time) / .seconds(1)
        return (Double(max(0, last.pixelCount - first.pixelCount)) / seconds / 1e5).rounded() / 10
    }
}
