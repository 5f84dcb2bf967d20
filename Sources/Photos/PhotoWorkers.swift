import Dispatch
import Locking
import Synchronization

/// The threads of a run's filters, and how many of them are between a decoder and an encoder at once.
///
/// There are a few more threads than that: while a disk takes one photo's output, the next one is filtered.
/// They are their own: Dispatch gives operation queues no more threads than there are cores, and those that
/// wait for a disk, or for a GPU, count.
package final class PhotoWorkers: Sendable {
    /// Photos, besides those at work, whose outputs a disk may be taking.
    private static let publishingCount = 2

    package let threadCount: Int
    private let slots = DispatchSemaphore(value: 0)
    /// Threads that are about to take a slot, or wait for one.
    private let takers = Atomic<Int>(0)
    // Each has a thread of its own while it has something to do.
    private let freeQueues = Locked<[DispatchQueue]>([])

    /// - Parameter count: photos that are filtered at once, at least 1.
    package init(_ count: Int) {
        precondition(count > 0, "somebody has to work")
        threadCount = count + Self.publishingCount
        // Not where it begins: a semaphore that goes away may not be below that.
        for _ in 0..<count { slots.signal() }
    }

    /// Runs `body` on a thread. The caller begins no more at once than `threadCount`.
    package func run(_ body: @escaping @Sendable () -> Void) {
        let queue = freeQueues.withLock { $0.popLast() } ?? DispatchQueue(label: "tintype.worker")
        queue.async { [self] in
            body()
            freeQueues.withLock { $0.append(queue) }
        }
    }

    /// Waits until fewer photos are filtered than may be.
    package func takeSlot() -> Slot {
        takers.wrappingAdd(1, ordering: .relaxed)
        slots.wait()
        takers.wrappingSubtract(1, ordering: .relaxed)
        return Slot(slots)
    }

    /// Whether a photo waits for a slot.
    package var isSlotWanted: Bool { takers.load(ordering: .relaxed) > 0 }

    /// A slot that no photo has use for at the moment; nil where there is none.
    package func takeIdleSlot() -> Slot? {
        slots.wait(timeout: .now()) == .success ? Slot(slots) : nil
    }

    /// Free again once it is given back, or gone.
    package final class Slot: Sendable {
        private let slots: DispatchSemaphore
        private let isTaken = Locked(true)

        fileprivate init(_ slots: DispatchSemaphore) { self.slots = slots }

        deinit { giveBack() }

        package func giveBack() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { slots.signal() }
        }
    }
}
