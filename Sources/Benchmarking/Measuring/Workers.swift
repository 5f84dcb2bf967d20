import Foundation
import Synchronization

/// Does a piece of work on several threads at once.
enum Workers {
    /// Calls `body` with 0, 1, ... on a thread each, and waits for all.
    ///
    /// Threads of their own: Dispatch runs no more at once than there are cores.
    /// - Returns: seconds from the first one's start to the last one's end.
    /// - Throws: the first error that `body` threw.
    static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws -> Double {
        let outcome = Outcome(), group = DispatchGroup(), stopwatch = Stopwatch()
        stopwatch.measure {
            for index in 0..<count {
                group.enter()
                let thread = Thread {
                    defer { group.leave() }
                    do { try body(index) } catch { outcome.set(error) }
                }
                thread.start()
            }
            group.wait()
        }
        if let error = outcome.error { throw error }
        return stopwatch.total / .seconds(1)
    }

    /// The first error of several threads.
    private final class Outcome: Sendable {
        private let first = Mutex<(any Error)?>(nil)

        var error: (any Error)? { first.withLock { $0 } }

        func set(_ error: any Error) { first.withLock { $0 = $0 ?? error } }
    }
}
