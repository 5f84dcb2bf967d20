/// How long a thread has waited, in rounds. Time for which the machine sleeps, or this process is stopped, by a container's
/// freezer for example, does not count.
package struct WaitedTime {
    /// Longer than a round of a wait takes by itself.
    private static let longestRound = Duration.seconds(1)

    package private(set) var duration = Duration.zero
    private var last: SuspendingClock.Instant

    package init(since start: SuspendingClock.Instant = .now) { last = start }

    /// Adds the round that ends now.
    package mutating func add(until now: SuspendingClock.Instant = .now) {
        duration += min(last.duration(to: now), Self.longestRound)
        last = now
    }
}
