/// How often driver processes may end under one device before it is given up.
struct CrashBudget {
    /// Restarts after a crash.
    private static let restarts = 1
    /// After as many renders, earlier crashes no longer count: a run may take days.
    static let rendersToForget = 1000

    private var crashCount = 0
    /// Since the last crash.
    private var renderCount = 0

    var isSpent: Bool { crashCount > Self.restarts }

    mutating func processEnded() {
        crashCount += 1
        renderCount = 0
    }

    mutating func renderSucceeded() {
        renderCount += 1
        if renderCount == Self.rendersToForget { crashCount = 0 }
    }
}
