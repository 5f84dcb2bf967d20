import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos

struct AsyncOperationTests {
    /// Ends when the test tells it to.
    private final class Held: AsyncOperation, @unchecked Sendable {
        let cancelled = Shared(0)

        override func main() {}

        override func cancelWork() {
            cancelled.change { $0 += 1 }
            finish()
        }
    }

    private func step(_ name: String) -> TestStep { TestStep(name, logger: LogRecorder().logger) }

    @Test func itIsFinishedWhenItsWorkSaysSoAndNotWhenMainReturns() async {
        let log = LogRecorder()
        let operation = Held(name: "a.jpg", logger: log.logger)
        #expect(operation.state == .ready && operation.isReady && operation.isAsynchronous)
        let follower = step("follower")
        follower.addDependency(operation)
        let queue = OperationQueue()
        queue.addOperation(follower)
        queue.addOperation(operation)
        #expect(await eventually { operation.isExecuting })
        #expect(!operation.isFinished && !follower.isExecuting && !follower.isFinished)
        operation.finish()
        operation.finish()
        #expect(await eventually { follower.isFinished })
        #expect(operation.state == .finished && !operation.isExecuting)
        #expect(log.lines == ["<Held a.jpg> Start", "<Held a.jpg> Done"])
    }

    @Test func cancelEndsWhatIsAtWorkOnce() async {
        let log = LogRecorder()
        let operation = Held(name: "a.jpg", logger: log.logger)
        OperationQueue().addOperation(operation)
        #expect(await eventually { operation.isExecuting })
        operation.cancel()
        operation.cancel()
        #expect(await eventually { operation.isFinished })
        #expect(operation.cancelled.value == 1)
        #expect(log.lines == ["<Held a.jpg> Start", "<Held a.jpg> Cancel", "<Held a.jpg> Cancelled"])
    }

    @Test func cancelledWhileWaitingADownloadNeverBegins() async {
        let log = LogRecorder()
        let blocker = Held(name: "blocker")
        let operation = TestStep("a.jpg", logger: log.logger) { _ in Issue.record("it ran") }
        operation.addDependency(blocker)
        let queue = OperationQueue()
        queue.addOperation(operation)
        operation.cancel()
        #expect(await eventually { operation.isFinished })
        #expect(log.lines == ["<TestStep a.jpg> Cancel", "<TestStep a.jpg> Cancelled"])
        #expect(operation.imageResult == nil)
        blocker.cancel()
        queue.addOperation(blocker)
        #expect(await eventually { blocker.isFinished })
    }

    @Test func aRemovedDependencyIsNotWaitedForEvenWhereItNeverEnds() async {
        let (never, other, late) = (Held(name: "never"), Held(name: "other"), Held(name: "late"))
        let operation = step("a.jpg")
        operation.addDependency(never)
        operation.addDependency(other)
        let queue = OperationQueue()
        for waiting in [operation, never, other, late] { queue.addOperation(waiting) }
        #expect(await eventually { [never, other, late].allSatisfy { $0.isExecuting } })
        operation.removeDependency(never)
        operation.addDependency(late)
        #expect(operation.dependencies == [other, late])
        other.finish()
        #expect(!operation.isFinished)
        late.finish()
        #expect(await eventually { operation.isFinished })
        never.finish()
    }

    @Test func blockOperationsWaitForItAndItForThem() async {
        let order = Shared<[String]>([])
        let first = BlockOperation { order.change { $0.append("first") } }
        let middle = TestStep("middle", logger: LogRecorder().logger) { _ in
            order.change { $0.append("middle") }
        }
        let last = BlockOperation { order.change { $0.append("last") } }
        middle.addDependency(first)
        last.addDependency(middle)
        #expect(await run([last, middle, first]))
        #expect(order.value == ["first", "middle", "last"])
    }

    @Test func aQueueWithOnePlaceTakesTheMoreUrgentFirst() async {
        let order = Shared<[String]>([])
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        queue.isSuspended = true
        for (name, priority) in [
            ("low", Operation.QueuePriority.low), ("normal", .normal), ("high", .veryHigh),
        ] {
            let operation = TestStep(name, logger: LogRecorder().logger) { _ in
                order.change { $0.append(name) }
            }
            operation.queuePriority = priority
            queue.addOperation(operation)
        }
        queue.isSuspended = false
        #expect(await eventually { order.value.count == 3 })
        #expect(order.value == ["high", "normal", "low"])
    }

    @Test func longChainsRunAndAreReleased() async {
        weak var first: TestStep?
        do {
            var chain = [step("0")]
            first = chain[0]
            for number in 1..<500 {
                let next = step("\(number)")
                next.addDependency(chain[number - 1])
                chain.append(next)
            }
            #expect(await run(chain))
            #expect(chain.allSatisfy { $0.dependencies.isEmpty })
        }
        #expect(await eventually { first == nil })
    }
}
