import Dispatch
import Testing
import Tintype
import TintypeLocking

@testable import TintypePhotos

struct WorkersTests {
    @Test func writingToDiskBlocksNoOtherPhoto() async {
        let workers = PhotoWorkers(1)
        let (nextIsDone, firstIsDone) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        let answer = Locked<DispatchTimeoutResult?>(nil)
        workers.run {
            let slot = workers.takeSlot()
            slot.giveBack()
            // Stands for a write to the disk that lasts until the other photo is done.
            let result = nextIsDone.wait(timeout: .now() + 60)
            answer.withLock { $0 = result }
            firstIsDone.signal()
        }
        workers.run {
            let slot = workers.takeSlot()
            nextIsDone.signal()
            slot.giveBack()
        }
        await withCheckedContinuation { continuation in
            DispatchQueue(label: "waits").async {
                firstIsDone.wait()
                continuation.resume()
            }
        }
        #expect(answer.withLock { $0 } == .success)
    }

    @Test(arguments: [1, 2, 4])
    func freeSlotsHelp(slotCount: Int) {
        let workers = PhotoWorkers(slotCount)
        let slot = workers.takeSlot()
        #expect(workers.freeThreadCount == slotCount)
        let calls = Locked([Int](repeating: 0, count: 100))
        workers.perform(100) { index in calls.withLock { $0[index] += 1 } }
        #expect(calls.withLock { $0 } == [Int](repeating: 1, count: 100))
        #expect(workers.freeThreadCount == slotCount)
        slot.giveBack()
    }

    @Test func aSlotIsGivenBackOnce() {
        let workers = PhotoWorkers(1)
        let first = workers.takeSlot()
        first.giveBack()
        first.giveBack()
        let second = workers.takeSlot()
        let third = Locked(false)
        let isTaken = DispatchSemaphore(value: 0)
        workers.run {
            _ = workers.takeSlot()
            third.withLock { $0 = true }
            isTaken.signal()
        }
        #expect(isTaken.wait(timeout: .now() + .milliseconds(50)) == .timedOut)
        #expect(!third.withLock { $0 })
        second.giveBack()
        #expect(isTaken.wait(timeout: .now() + 60) == .success)
    }

    @Test func aSlotThatIsForgottenIsFreeAgain() {
        let workers = PhotoWorkers(2)
        for _ in 1...5 { _ = workers.takeSlot() }
        #expect(workers.threadCount == 4)
    }
}
