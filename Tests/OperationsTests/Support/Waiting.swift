import Foundation
import TestSupport
import Tintype
import TintypeLocking

@testable import TintypeOperations
@testable import TintypeSessions

/// A value that several threads change.
final class Shared<Value: Sendable>: Sendable {
    private let storage: Locked<Value>

    init(_ value: Value) { storage = Locked(value) }

    var value: Value { storage.withLock { $0 } }

    func change(_ body: (inout sending Value) -> Void) { storage.withLock { body(&$0) } }
}

extension PhotoSession {
    /// Waits until the serial main queue has done everything that was asked of it before.
    func settled() async {
        await withCheckedContinuation { continuation in
            mainQueue.add { continuation.resume() }
        }
    }
}

/// Runs operations to their ends on a queue of their own.
func run(_ operations: [Operation], atOnce: Int = 4) async -> Bool {
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = atOnce
    for operation in operations { queue.addOperation(operation) }
    return await eventually { operations.allSatisfy(\.isFinished) }
}

/// Lets operations wait inside their work until a test opens it, or they are cancelled.
///
/// Each holds a thread of the pool that Swift's tasks run on, to which Dispatch adds but one a second.
final class Gate: Sendable {
    private struct State {
        var isOpen = false
        var waiting = 0
    }

    private let state = Locked(State())

    /// Operations that wait now.
    var waiting: Int { state.withLock { $0.waiting } }

    func open() { state.withLock { $0.isOpen = true } }

    func wait(_ operation: Operation) {
        state.withLock { $0.waiting += 1 }
        while !operation.isCancelled, !state.withLock({ $0.isOpen }) { usleep(1000) }
        state.withLock { $0.waiting -= 1 }
    }
}
