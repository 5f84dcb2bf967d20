/// Work before the first round, until the speed has settled: processors and GPUs raise their clocks when they get work, and
/// lower them when they are hot.
struct Warmup {
    /// The speeds of so many pieces of work must agree.
    static let window = 4
    var secondsLimit = 5.0
    /// Speeds that differ by less have settled.
    var tolerance = 0.03

    /// - Parameter piece: does a piece of work and returns its speed.
    /// - Returns: seconds, and the share by which the last speeds differed.
    func run(_ piece: () throws -> Double) rethrows -> (seconds: Double, change: Double) {
        let start = ContinuousClock.now
        var speeds: [Double] = []
        while true {
            speeds.append(try piece())
            let seconds = start.duration(to: .now) / .seconds(1)
            let change = Self.change(speeds.suffix(Self.window))
            let isSettled = speeds.count >= Self.window && change <= tolerance
            if isSettled || (seconds > secondsLimit && speeds.count > 1) { return (seconds, change) }
        }
    }

    /// The difference of the largest and the smallest speed, as a share of the largest.
    static func change(_ speeds: ArraySlice<Double>) -> Double {
        guard let most = speeds.max(), let least = speeds.min(), most > 0 else { return 1 }
        return (most - least) / most
    }
}
