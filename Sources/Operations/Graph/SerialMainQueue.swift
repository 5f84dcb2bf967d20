import Foundation

/// The serial queue on which views and events are updated.
///
/// In a program this is `SerialMainQueue.main`, which needs a main thread that runs its run loop. Libraries
/// and tests can use a private serial queue. The code never suspends or empties it, because Foundation's main
/// queue supports neither.
public struct SerialMainQueue: Sendable {
    /// The underlying queue, which runs one operation at a time.
    public let queue: OperationQueue

    /// The queue of the main thread, which must run its run loop.
    public static let main = SerialMainQueue(.main)

    /// A new private serial queue.
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

    /// Whether the calling code runs on this queue.
    public var isCurrent: Bool { OperationQueue.current === queue }

    package func add(_ operation: Operation) { queue.addOperation(operation) }

    package func add(_ block: @escaping @Sendable () -> Void) { queue.addOperation(block) }
}
