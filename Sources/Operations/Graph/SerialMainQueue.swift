import Foundation

/// The serial queue on which views and events are updated.
///
/// In a program this is `SerialMainQueue.main`, which is the main actor's. It needs no run loop: in a program with
/// an async `main`, or `await` at its top level, it runs whenever `main` awaits; in others while the main thread
/// runs its run loop or `dispatchMain()`. A program that blocks its main thread can use a private serial queue, and
/// so can libraries and tests. The code never suspends or empties the queue, because Foundation's main queue
/// supports neither.
public struct SerialMainQueue: Sendable {
    /// The underlying queue, which runs one operation at a time.
    public let queue: OperationQueue

    /// The main actor's queue.
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

    /// Whether the calling code runs on this queue. On the main actor, it runs on `main`, in an operation or not.
    public var isCurrent: Bool {
        OperationQueue.current === queue || queue === OperationQueue.main && Self.isOnMainActor
    }

    /// The main actor's jobs run on Dispatch's main queue, whose thread need not be the main one: on Linux, an async
    /// `main` gives the main thread up when it first awaits.
    private static var isOnMainActor: Bool {
        Thread.isMainThread || DispatchQueue.getSpecific(key: mainMark) != nil
    }

    private static let mainMark = {
        let key = DispatchSpecificKey<Void>()
        DispatchQueue.main.setSpecific(key: key, value: ())
        return key
    }()

    package func add(_ operation: Operation) { queue.addOperation(operation) }

    package func add(_ block: @escaping @Sendable () -> Void) { queue.addOperation(block) }
}
