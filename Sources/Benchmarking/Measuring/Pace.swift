/// How much of a benchmark's rounds is done.
struct Pace {
    private let start = ContinuousClock.now
    private let rounds: Double
    private let secondsLimit: Double
    private let pixelsOfRound: Double

    /// - Parameter pixels: that a round measures.
    init(_ settings: BenchmarkSettings, pixels: Double) {
        rounds = Double(settings.rounds)
        secondsLimit = settings.secondsLimit
        pixelsOfRound = max(pixels, 1e-9)
    }

    var isTimeUp: Bool { seconds > secondsLimit }

    /// How much is done, 0...1; 0 while that is not known.
    ///
    /// - Parameters:
    ///   - rounds: number of completed rounds.
    ///   - pixels: pixels measured in this round.
    func share(rounds: Int, pixels: Double) -> Double {
        Self.share(
            seconds: seconds, roundsDone: Double(rounds) + pixels / pixelsOfRound, rounds: self.rounds,
            secondsLimit: secondsLimit)
    }

    /// The first round is completed, and then time or rounds run out, whichever is first.
    static func share(seconds: Double, roundsDone: Double, rounds: Double, secondsLimit: Double) -> Double {
        guard roundsDone > 0.02 else { return 0 }
        let secondsOfRound = seconds / roundsDone
        let expected = min(rounds * secondsOfRound, max(secondsOfRound, secondsLimit))
        return min(seconds / max(expected, 1e-9), 1)
    }

    private var seconds: Double { start.duration(to: .now) / .seconds(1) }
}
