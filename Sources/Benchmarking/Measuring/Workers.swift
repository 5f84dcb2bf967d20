import Foundation
import Locking

/// Does a piece of work on several threads at once.
package enum Workers {
    /// Calls `body` with 0, 1, ... on a thread each, and waits for all.
    ///
    /// Threads of their own: Dispatch runs no more at once than there are cores.
    /// - Returns: seconds from the first one's start to the last one's end.
    /// - Throws: the first error that `body` threw.
    @discardableResult
    package static func run(_ count: Int, _ body: @escaping @Sendable (Int) throws -> Void) throws -> Double {
        let firstError = FirstError(), group = DispatchGroup()
        let time = ContinuousClock().measure {
            for index in 0..<count {
                group.enter()
                Thread.detachNewThread {
                    defer { group.leave() }
                    firstError.catching { try body(index) }
                }
            }
            group.wait()
        }
        try firstError.rethrow()
        return time / .seconds(1)
    }
}

/// The first error of several threads.
package final class FirstError: Sendable {
    private let error = Locked<(any Error)?>(nil)

    package init() {}

    package func catching(_ body: () throws -> Void) {
        do { try body() } catch let caught { error.withLock { $0 = $0 ?? caught } }
    }

    package func rethrow() throws {
        if let error = error.withLock({ $0 }) { throw error }
    }
}
