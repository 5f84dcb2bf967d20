import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

struct PhotoSessionTests {
    private struct Refusal: Error {}

    @Test func behindABarrierEverythingIsDownloadedThenReloadedOnceThenFiltered() async throws {
        let test = TestSession(TestSession.records(20)) { $0.order = .barrier }
        test.session.start()
        #expect(await test.rested() == SessionSummary(filtered: 20, failed: 0, notDone: 0))
        let happened = test.happened.all
        #expect(Set(happened.prefix(20)) == Set((0..<20).map { "download \($0)" }))
        #expect(happened[20] == "reload all")
        let rest = happened.dropFirst(21)
        #expect(rest.count == 40)
        for item in 0..<20 {
            let filter = try #require(rest.firstIndex(of: "filter \(item)"))
            let reload = try #require(rest.firstIndex(of: "reload \(item)"))
            #expect(filter < reload)
        }
    }

    @Test func perPhotoEachStepIsFollowedByItsReload() async throws {
        let test = TestSession(TestSession.records(20))
        test.session.start()
        #expect(await test.rested() == SessionSummary(filtered: 20, failed: 0, notDone: 0))
        for item in 0..<20 {
            let ofItem = test.happened.all.filter { $0.hasSuffix(" \(item)") }
            #expect(ofItem == ["download \(item)", "reload \(item)", "filter \(item)", "reload \(item)"])
        }
    }

    @Test func nothingIsDoneTwice() async throws {
        let test = TestSession(TestSession.records(30))
        for _ in 1...3 {
            test.session.start()
            for item in 0..<30 { test.session.startOperations(for: item) }
            test.session.show(visible: Set(0..<30))
        }
        _ = await test.rested()
        #expect(await eventually { test.session.records.allSatisfy { $0.state == .filtered } })
        for item in 0..<30 {
            #expect(test.happened.all.filter { $0 == "download \(item)" }.count == 1)
            #expect(test.happened.all.filter { $0 == "filter \(item)" }.count == 1)
        }
    }

    @Test func aPhotoThatFailsIsReportedOnceAndStopsNoOther() async throws {
        let test = TestSession(
            TestSession.records(12), download: { item, _ in if item % 4 == 0 { throw Refusal() } },
            filter: { item, _ in if item % 4 == 1 { throw Refusal() } })
        test.session.start()
        #expect(await test.rested() == SessionSummary(filtered: 6, failed: 6, notDone: 0))
        for item in 0..<12 {
            let isBad = item % 4 < 2
            #expect(test.happened.all.count { $0 == "failed \(item)" } == (isBad ? 1 : 0))
            #expect((test.session.records[item].error != nil) == isBad)
            #expect(test.session.records[item].image.format == .png)
        }
        #expect(!test.happened.all.contains("filter 0"), "what was not downloaded cannot be filtered")
    }

    @Test func theWindowBoundsWhatIsInFlightHoweverManyRecordsThereAre() async throws {
        let inFlight = Shared((now: Set<Int>(), most: 0))
        let test = TestSession(
            TestSession.records(20_000), { $0.keepsFilteredImages = false },
            download: { item, _ in
                inFlight.change {
                    $0.now.insert(item)
                    $0.most = max($0.most, $0.now.count)
                }
            },
            filter: { item, _ in inFlight.change { _ = $0.now.remove(item) } })
        test.session.start()
        #expect(await eventually { test.restCount == 1 })
        #expect(await test.rested() == SessionSummary(filtered: 20_000, failed: 0, notDone: 0))
        let most = inFlight.value.most
        #expect(most <= PhotoSession.windowLimit)
        #expect(most > 1)
    }

    @Test func onlyWhatIsVisibleIsWorkedOn() async throws {
        let gate = Gate()
        let test = TestSession(TestSession.records(10), download: { _, step in gate.wait(step) })
        test.session.show(visible: [1, 2, 3])
        #expect(await eventually { gate.waiting == 3 })
        test.session.show(visible: [3, 4])
        #expect(await eventually { gate.waiting == 2 })
        gate.open()
        #expect(await test.rested() == SessionSummary(filtered: 2, failed: 0, notDone: 8))
        #expect(test.session.records[3].state == .filtered && test.session.records[4].state == .filtered)
        #expect(test.log.lastEvents["<TestStep download 1>"] == "Cancelled")
    }

    @Test func photosThatReturnToTheViewAreDone() async throws {
        let gate = Gate()
        let test = TestSession(TestSession.records(4), download: { _, step in gate.wait(step) })
        test.session.show(visible: [0, 1])
        #expect(await eventually { gate.waiting == 2 })
        test.session.show(visible: [])
        test.session.show(visible: [0])
        gate.open()
        #expect(await eventually { test.session.records[0].state == .filtered })
        #expect(test.session.records[1].state == .new)
    }

    @Test func suspendedNothingBeginsUntilItIsResumed() async throws {
        let test = TestSession(TestSession.records(5))
        test.session.suspend()
        test.session.start()
        #expect(await eventually { test.session.queues.operationCount == 5 })
        #expect(test.happened.all.isEmpty && test.restCount == 0)
        test.session.resume()
        #expect(await test.rested() == SessionSummary(filtered: 5, failed: 0, notDone: 0))
    }

    @Test func aSuspendedSessionCanBeCancelled() async throws {
        let test = TestSession(TestSession.records(5))
        test.session.suspend()
        test.session.start()
        test.session.cancel()
        #expect(await test.rested() == SessionSummary(filtered: 0, failed: 0, notDone: 5))
        #expect(await eventually { test.session.queues.operationCount == 0 })
    }

    @Test(arguments: [PhotoSession.Order.perPhoto, .barrier])
    func cancelledInTheMiddleEveryOperationEndsAndTheSessionCanGoOn(order: PhotoSession.Order) async throws {
        let gate = Gate()
        let test = TestSession(
            TestSession.records(60), { $0.order = order },
            filter: { item, step in if item >= 20 { gate.wait(step) } })
        test.session.start()
        #expect(await eventually { gate.waiting > 0 })
        test.session.cancel()
        let summary = try #require(await test.rested())
        #expect(summary.failed == 0 && summary.filtered < 60)
        #expect(await eventually { test.session.queues.operationCount == 0 })
        #expect(await eventually { test.session.mainQueue.queue.operationCount == 0 })
        for (operation, event) in test.log.lastEvents {
            #expect(["Done", "Cancelled"].contains(event), "\(operation)")
        }
        #expect(test.log.lastEvents.values.contains("Cancelled"))
        gate.open()
        test.session.start()
        #expect(await test.rested(2) == SessionSummary(filtered: 60, failed: 0, notDone: 0))
    }

    @Test func resetPutsEveryRecordBackWhateverIsStillAtWork() async throws {
        let gate = Gate()
        // A place for each photo: others may be downloaded before the first four, and wait at the gate.
        let test = TestSession(
            TestSession.records(8), { $0.concurrentFiltrations = 8 },
            filter: { item, step in if item > 3 { gate.wait(step) } })
        test.session.start()
        #expect(
            await eventually {
                test.session.records[..<4].allSatisfy { $0.state == .filtered } && gate.waiting > 0
            })
        test.session.reset()
        #expect(await test.rested() == SessionSummary(filtered: 0, failed: 0, notDone: 8))
        #expect(test.session.records.allSatisfy { $0.state == .new })
        #expect(test.happened.all.last == "reload all")
        gate.open()
        test.session.start()
        #expect(await test.rested(2) == SessionSummary(filtered: 8, failed: 0, notDone: 0))
    }

    /// Acts like an operation that makes its image just before it is cancelled.
    private final class LateSuccess: Operation, ImageDataProvider, @unchecked Sendable {
        let gate = Gate()
        var imageResult: Result<EncodedImage, PhotoError>? { .success(.placeholder) }

        override func main() { gate.wait(Operation()) }
        override func cancel() { gate.open() }
    }

    @Test func aResultThatCrossesACancelIsLeftAlone() async throws {
        let steps = Shared<[LateSuccess]>([])
        let rests = Shared<[SessionSummary]>([])
        var events = SessionEvents()
        events.rested = { summary in rests.change { $0.append(summary) } }
        let make: @Sendable (PhotoRecord) -> any ImageDataProvider = { _ in
            let step = LateSuccess()
            steps.change { $0.append(step) }
            return step
        }
        let session = PhotoSession(
            TestSession.records(1), steps: PhotoSteps(download: make, filter: make), on: .makePrivate(),
            events: events)
        session.start()
        #expect(await eventually { steps.value.first?.gate.waiting == 1 })
        session.reset()
        #expect(await eventually { rests.value == [SessionSummary(filtered: 0, failed: 0, notDone: 1)] })
        #expect(session.records[0].state == .new && steps.value.count == 1)
    }

    /// Acts like an operation that gives up its photo.
    private final class NoResult: Operation, ImageDataProvider, @unchecked Sendable {
        var imageResult: Result<EncodedImage, PhotoError>? { nil }
    }

    @Test func anOperationWithoutAResultCountsAsCancelled() async throws {
        let make: @Sendable (PhotoRecord) -> any ImageDataProvider = { _ in NoResult() }
        let session = PhotoSession(
            TestSession.records(1), steps: PhotoSteps(download: make, filter: make), on: .makePrivate())
        #expect(try await session.run() == SessionSummary(filtered: 0, failed: 0, notDone: 1))
    }

    @Test func localFilesBeginAsDownloadedAndReturnThereOnReset() async throws {
        let folder = try TemporaryFolder()
        let records = [try PhotoRecord(path: folder.write(FirstBytes.png, to: "a.png"), name: "0")]
        let test = TestSession(records)
        test.session.start()
        #expect(await test.rested() == SessionSummary(filtered: 1, failed: 0, notDone: 0))
        #expect(test.happened.all == ["filter 0", "reload 0"])
        test.session.reset()
        _ = await test.rested(2)
        #expect(records[0].state == .downloaded)
    }

    @Test func aSessionWithoutRecordsComesToRest() async {
        for order in [PhotoSession.Order.perPhoto, .barrier] {
            let test = TestSession([]) { $0.order = order }
            test.session.start()
            #expect(await test.rested() == SessionSummary(filtered: 0, failed: 0, notDone: 0))
        }
    }

    @Test func queuesAreMadeWithTheirNamesAndLimits() {
        let queues = BackgroundQueues(concurrentDownloads: 7, concurrentFiltrations: 3)
        #expect(queues.operationCount == 0)
        #expect(queues.downloads.name == "Download queue" && queues.downloads === queues.downloads)
        #expect(queues.filtrations.name == "Image Filtration queue")
        #expect(queues.downloads.maxConcurrentOperationCount == 7)
        #expect(queues.filtrations.maxConcurrentOperationCount == 3)
    }
}
