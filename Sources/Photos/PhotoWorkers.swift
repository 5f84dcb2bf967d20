import Dispatch
import Locking
import Synchronization

/// A run's filter threads, with a limit (slots) on how many photos are decoded, filtered and encoded at once.
///
/// There are a few more threads than slots, so that the next photo is filtered while one output is written to
/// disk. Dispatch's own threads do not serve: it runs no more operations than there are cores, and counts
/// threads that wait for a disk or a GPU.
package final class PhotoWorkers: Sendable {
    /// Photos whose outputs may be written to disk in addition to those being filtered.
    private static let publishingCount = 2

    package let threadCount: Int
    private let slots = DispatchSemaphore(value: 0)
    /// Threads that are about to take a slot, or wait for one.
    private let takers = Atomic<Int>(0)
    // A serial queue has a thread of its own while it runs a block.
    private let freeQueues = Locked<[DispatchQueue]>([])

    /// - Parameter count: photos filtered at once, at least 1.
    package init(_ count: Int) {
        precondition(count > 0, "the number of workers must be at least 1")
        threadCount = count + Self.publishingCount
        // Not as initial value: Dispatch traps when a semaphore is released below its initial value.
        for _ in 0..<count { slots.signal() }
    }

    /// Runs `body` on a worker thread. The caller must keep at most `threadCount` running at once.
    package func run(_ body: @escaping @Sendable () -> Void) {
        let queue = freeQueues.withLock { $0.popLast() } ?? DispatchQueue(label: "tintype.worker")
        queue.async { [self] in
            body()
            freeQueues.withLock { $0.append(queue) }
        }
    }

    /// Waits for a free slot and takes it.
    package func takeSlot() -> Slot {
        takers.wrappingAdd(1, ordering: .relaxed)
        slots.wait()
        takers.wrappingSubtract(1, ordering: .relaxed)
        return Slot(slots)
    }

    /// Whether a photo waits for a slot.
    package var isSlotWanted: Bool { takers.load(ordering: .relaxed) > 0 }

    /// Takes a slot if one is free now; nil otherwise.
    package func takeIdleSlot() -> Slot? {
        slots.wait(timeout: .now()) == .success ? Slot(slots) : nil
    }

    /// A taken slot; `giveBack` or `deinit` frees it.
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
