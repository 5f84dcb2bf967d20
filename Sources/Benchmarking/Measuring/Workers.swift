import Foundation
import TintypeLocking

/// Runs the same work on several threads at once.
package enum Workers {
    /// Calls `body` with 0, 1, ..., each on its own thread, and waits for all.
    ///
    /// These are not Dispatch's threads, because Dispatch runs no more at once than there are cores.
    /// - Returns: seconds from the start of the first thread to the end of the last one.
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
