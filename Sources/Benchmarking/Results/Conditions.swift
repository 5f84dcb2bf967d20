import Foundation

/// What else the machine did during a benchmark, and how exact its clock is.
package struct Conditions: Codable, Equatable, Sendable {
    /// The smallest step of the clock that was seen.
    package var timerSeconds: Double
    /// The share of the time of the processors that the benchmark may run on that other processes took, 0...1; nil if the system
    /// does not tell.
    package var shareOfOthers: Double?
    /// How long the machine worked before the first round.
    package var warmupSeconds: Double?
    /// By how much its speed changed at the end of that, 0...1.
    package var warmupChange: Double?

    /// Shares from which figures are not to be trusted, chosen by eye.
    static let busyShare = 0.05, unsettledChange = 0.05

    /// For the list of the report's facts.
    var facts: [(name: String, text: String)] {
        let clock = ("Clock", "clock in steps of \(Figures.short(timerSeconds * 1e9)) ns")
        let warmup = warmupSeconds.map { ("Warm-up", "warmed up for \(Figures.short($0)) s") }
        return [clock] + [warmup].compactMap(\.self)
    }

    /// Sentences for the user.
    package var warnings: [String] {
        var warnings: [String] = []
        if let share = shareOfOthers, share > Self.busyShare {
            warnings.append(
                "Other processes took \(Figures.percent(share)) of the processors' time: the figures are not those of an idle machine."
            )
        }
        if let change = warmupChange, change > Self.unsettledChange {
            warnings.append(
                "After \(Figures.short(warmupSeconds ?? 0)) s of warm-up, the speed still changed by \(Figures.percent(change)): clocks or other processes vary."
            )
        }
        return warnings
    }
}
