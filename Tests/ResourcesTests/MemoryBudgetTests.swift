import Dispatch
import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeResources

struct MemoryBudgetTests {
    let budget = MemoryBudget(byteCount: 100)

    /// Borrows on a thread of its own, and keeps it until `release` is signalled.
    private final class Borrower: Sendable {
        let release = DispatchSemaphore(value: 0)
        let isCancelled = Locked(false)
        private let begun = DispatchSemaphore(value: 0)
        private let ended = DispatchSemaphore(value: 0)
        private let failure = Locked<(any Error)?>(nil)

        init(_ byteCount: Int, of budget: MemoryBudget) {
            Thread { [self] in
                do {
                    try budget.lend(byteCount, isCancelled: { isCancelled.withLock { $0 } }) {
                        begun.signal()
                        release.wait()
                    }
                } catch {
                    failure.withLock { $0 = error }
                }
                ended.signal()
            }.start()
        }

        func hasBegun(within seconds: Double = 120) -> Bool {
            begun.wait(timeout: .now() + seconds) == .success
        }

        /// The error that ended it; nil if it got the memory.
        func end() -> (any Error)? {
            release.signal()
            guard ended.wait(timeout: .now() + 120) == .success else {
                return PhotoError.other("it never ended")
            }
            return failure.withLock { $0 }
        }
    }

    private func waitForWaiters(_ count: Int) {
        #expect(eventually { budget.waiterCount == count })
    }

    @Test func photosThatFitTogetherAreAtWorkTogether() {
        let first = Borrower(60, of: budget), second = Borrower(40, of: budget)
        #expect(first.hasBegun() && second.hasBegun())
        #expect(first.end() == nil && second.end() == nil)
    }

    @Test func aPhotoWaitsUntilThereIsMemory() {
        let first = Borrower(60, of: budget)
        #expect(first.hasBegun())
        let second = Borrower(41, of: budget)
        waitForWaiters(1)
        #expect(!second.hasBegun(within: 0.1))
        #expect(first.end() == nil)
        #expect(second.hasBegun())
        #expect(second.end() == nil)
    }

    @Test func memoryLentAtOnceIsNotWaitedFor() throws {
        #expect(budget.lendAtOnce(60) && !budget.lendAtOnce(41) && budget.lentByteCount == 60)
        let waiting = Borrower(41, of: budget)
        waitForWaiters(1)
        // Not before the photo that waits.
        #expect(!budget.lendAtOnce(1))
        budget.giveBack(60)
        #expect(waiting.hasBegun() && budget.lendAtOnce(59))
        #expect(waiting.end() == nil)
    }

    @Test func smallPhotosDoNotOvertakeALargeOne() {
        let first = Borrower(60, of: budget)
        #expect(first.hasBegun())
        let large = Borrower(100, of: budget)
        waitForWaiters(1)
        let small = Borrower(1, of: budget)
        waitForWaiters(2)
        #expect(first.end() == nil)
        #expect(large.hasBegun() && !small.hasBegun(within: 0.1))
        #expect(large.end() == nil)
        #expect(small.hasBegun())
        #expect(small.end() == nil)
    }

    @Test func aCancelledPhotoStopsWaitingAndLetsTheNextOneThrough() {
        let first = Borrower(60, of: budget)
        #expect(first.hasBegun())
        let large = Borrower(100, of: budget)
        waitForWaiters(1)
        let small = Borrower(40, of: budget)
        waitForWaiters(2)
        large.isCancelled.withLock { $0 = true }
        #expect(large.end() is CancellationError)
        #expect(small.hasBegun())
        #expect(small.end() == nil && first.end() == nil)
    }

    @Test func memoryIsGivenBackWhereAPhotoFails() throws {
        for _ in 1...3 {
            #expect(throws: PhotoError.noImage) {
                try budget.lend(100, isCancelled: { false }) { throw PhotoError.noImage }
            }
        }
    }
}
