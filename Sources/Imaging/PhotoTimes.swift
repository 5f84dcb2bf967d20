/// How long the threads that worked on photos were in each phase, one thread a photo.
///
/// A thread is in one phase at a time, so a photo's phases add up to its time. Threads that help with a photo do not count.
public struct PhotoTimes: Hashable, Sendable {
    private var nanoseconds = Array(repeating: 0, count: PhotoPhase.allCases.count)

    /// No time.
    public init() {}

    public subscript(phase: PhotoPhase) -> Duration { .nanoseconds(nanoseconds[phase.rawValue]) }

    /// The whole time.
    public var total: Duration { .nanoseconds(nanoseconds.reduce(0, +)) }

    /// Seconds of each phase, by its name.
    package var seconds: [String: Double] {
        Dictionary(uniqueKeysWithValues: PhotoPhase.allCases.map { ($0.name, self[$0] / .seconds(1)) })
    }

    /// Adds the times of other photos.
    public static func += (times: inout Self, others: Self) {
        for phase in PhotoPhase.allCases { times.add(others.nanoseconds[phase.rawValue], to: phase) }
    }

    package mutating func add(_ count: Int, to phase: PhotoPhase) { nanoseconds[phase.rawValue] += count }
}
