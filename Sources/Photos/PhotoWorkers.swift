import Dispatch
import Synchronization
import TintypeCodecs
import TintypeFiles
import TintypeLocking

/// A run's filter threads, with a limit (slots) on how many photos are decoded, filtered and encoded at once.
///
/// There are a few more threads than slots, so that the next photo is filtered while one output is written to
/// disk. Dispatch's own threads do not serve: it runs no more operations than there are cores, and counts
/// threads that wait for a disk or a GPU.
package final class PhotoWorkers: Sendable {
    package let threadCount: Int
    private let slots = DispatchSemaphore(value: 0)
    private let freeSlotCount: Atomic<Int>
    /// Threads that are about to take a slot, or wait for one.
    private let takers = Atomic<Int>(0)
    // A serial queue has a thread of its own while it runs a block.
    private let freeQueues = Locked<[DispatchQueue]>([])

    /// - Parameters:
    ///   - count: photos filtered at once, at least 1.
    ///   - publishingCount: photos whose outputs may be written to disk in addition.
    package init(_ count: Int, publishing publishingCount: Int = DiskSync.each.waitingCount) {
        precondition(count > 0, "the number of workers must be at least 1")
        threadCount = count + publishingCount
        freeSlotCount = Atomic(count)
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
        return takenSlot()
    }

    /// Whether a photo waits for a slot.
    package var isSlotWanted: Bool { takers.load(ordering: .relaxed) > 0 }

    /// Takes a slot if one is free now; nil otherwise.
    package func takeIdleSlot() -> Slot? {
        slots.wait(timeout: .now()) == .success ? takenSlot() : nil
    }

    private func takenSlot() -> Slot {
        freeSlotCount.wrappingSubtract(1, ordering: .relaxed)
        return Slot(self)
    }

    private func giveBackSlot() {
        freeSlotCount.wrappingAdd(1, ordering: .relaxed)
        slots.signal()
    }

    /// A taken slot; `giveBack` or `deinit` frees it.
    package final class Slot: Sendable {
        private let workers: PhotoWorkers
        private let isTaken = Locked(true)

        fileprivate init(_ workers: PhotoWorkers) { self.workers = workers }

        deinit { giveBack() }

        package func giveBack() {
            let wasTaken = isTaken.withLock { isTaken in
                defer { isTaken = false }
                return isTaken
            }
            if wasTaken { workers.giveBackSlot() }
        }
    }
}

extension PhotoWorkers: CodecHelpers {
    /// Free slots, with the decoding thread's own.
    package var freeThreadCount: Int { 1 + max(0, freeSlotCount.load(ordering: .relaxed)) }

    /// Takes the slots that are free now, unless a photo waits for one, and gives them back at the end.
    package func perform(_ count: Int, _ body: @Sendable (Int) -> Void) {
        var slots: [Slot] = []
        while slots.count + 1 < count, !isSlotWanted, let slot = takeIdleSlot() { slots.append(slot) }
        let next = Atomic(0)
        @Sendable func work() {
            while true {
                let index = next.wrappingAdd(1, ordering: .relaxed).oldValue
                guard index < count else { return }
                body(index)
            }
        }
        if slots.isEmpty {
            work()
        } else {
            DispatchQueue.concurrentPerform(iterations: slots.count + 1) { _ in work() }
        }
        slots.forEach { $0.giveBack() }
    }
}
