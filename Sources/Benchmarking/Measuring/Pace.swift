/// How much of a benchmark's rounds is done.
struct Pace {
    private let start = ContinuousClock.now
    private let rounds: Double
    private let secondsLimit: Double
    private let pixelsOfRound: Double

    /// - Parameter pixels: the pixels that one round measures.
    init(_ settings: BenchmarkSettings, pixels: Double) {
        rounds = Double(settings.rounds)
        secondsLimit = settings.secondsLimit
        pixelsOfRound = max(pixels, 1e-9)
    }

    var isTimeUp: Bool { seconds > secondsLimit }

    /// The share that is done, 0...1; 0 while it cannot be estimated.
    ///
    /// - Parameters:
    ///   - rounds: number of completed rounds.
    ///   - pixels: pixels measured in this round.
    func share(rounds: Int, pixels: Double) -> Double {
        Self.share(
            seconds: seconds, roundsDone: Double(rounds) + pixels / pixelsOfRound, rounds: self.rounds,
            secondsLimit: secondsLimit)
    }

    /// The run ends after all rounds or at the time limit, but not before the first round is complete.
    static func share(seconds: Double, roundsDone: Double, rounds: Double, secondsLimit: Double) -> Double {
        guard roundsDone > 0.02 else { return 0 }
        let secondsOfRound = seconds / roundsDone
        let expected = min(rounds * secondsOfRound, max(secondsOfRound, secondsLimit))
        return min(seconds / max(expected, 1e-9), 1)
    }

    private var seconds: Double { start.duration(to: .now) / .seconds(1) }
}
