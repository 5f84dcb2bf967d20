import Foundation

/// The one queue on which everything that a user sees happens, one thing at a time.
///
/// In a program that is `SerialMainQueue.main`, which runs only while the main thread runs its run loop; in a
/// library or a test, which own no main thread, a private serial queue does as well. Foundation's main queue
/// can be neither suspended nor emptied, so nobody relies on that here.
public struct SerialMainQueue: Sendable {
    public let queue: OperationQueue

    public static let main = SerialMainQueue(.main)

    /// A serial queue of its own.
    public static func makePrivate(name: String = "Serial main queue") -> SerialMainQueue {
        let queue = OperationQueue()
        queue.name = name
        queue.maxConcurrentOperationCount = 1
        return SerialMainQueue(queue)
    }

    /// - Precondition: `queue` is serial.
    public init(_ queue: OperationQueue) {
        precondition(queue.maxConcurrentOperationCount == 1, "the main queue must be serial")
        self.queue = queue
    }

    /// Whether the code that asks runs on this queue.
    public var isCurrent: Bool { OperationQueue.current === queue }

    package func add(_ operation: Operation) { queue.addOperation(operation) }

    package func add(_ block: @escaping @Sendable () -> Void) { queue.addOperation(block) }
}
