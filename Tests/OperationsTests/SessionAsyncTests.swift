import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// A session that Swift tasks run and watch, and what may change while it runs.
struct SessionAsyncTests {
    @Test func runReturnsWhenTheSessionRests() async throws {
        let test = TestSession(
            TestSession.records(8), filter: { item, _ in if item == 3 { throw Refusal() } })
        let events = test.session.events
        let summary = try await test.session.run()
        #expect(summary == SessionSummary(filtered: 7, failed: 1, notDone: 0))
        var filtered: Set<String> = []
        var failed: [String] = []
        for await event in events {
            switch event {
            case .filtered(let record, _): filtered.insert(record.name)
            case .failed(let record, _, _): failed.append(record.name)
            case .changed, .networkActivity: continue
            case .rested(let summary):
                #expect(summary.filtered == 7)
            }
            if case .rested = event { break }
        }
        #expect(filtered == ["0", "1", "2", "4", "5", "6", "7"] && failed == ["3"])
    }

    @Test func cancellingTheTaskCancelsTheSession() async throws {
        let gate = Gate()
        let test = TestSession(TestSession.records(4), download: { _, step in gate.wait(step) })
        let task = Task { try await test.session.run() }
        #expect(await eventually { gate.waiting > 0 })
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        #expect(await test.rested() == SessionSummary(filtered: 0, failed: 0, notDone: 4))
        #expect(gate.waiting == 0)
    }

    @Test func aStreamEndsWithItsSession() async {
        var session: TestSession? = TestSession(TestSession.records(0))
        let events = session?.session.events
        session = nil
        var count = 0
        if let events { for await _ in events { count += 1 } }
        #expect(count == 0)
    }

    @Test func photosMayArriveWhileTheSessionRuns() async throws {
        let gate = Gate()
        let test = TestSession(TestSession.records(2), download: { _, step in gate.wait(step) })
        test.session.start()
        #expect(await eventually { gate.waiting == 2 })
        test.session.append((2..<5).map { PhotoRecord(url: URL(string: "http://127.0.0.1:9/\($0)")!) })
        #expect(
            await eventually { test.session.records.count == 5 && test.happened.count("reload all") == 1 })
        gate.open()
        #expect(await test.rested() == SessionSummary(filtered: 5, failed: 0, notDone: 0))
    }

    @Test func aListMayArriveAfterTheTable() async throws {
        let test = TestSession(TestSession.records(0))
        test.session.append(TestSession.records(3))
        #expect(await test.rested() == SessionSummary(filtered: 0, failed: 0, notDone: 3))
        #expect(test.happened.all == ["reload all"])
        #expect(try await test.session.run().filtered == 3)
    }

    @Test func onlyPhotosInViewAreReloaded() async throws {
        let test = TestSession(TestSession.records(10))
        test.session.show(visible: [4, 5])
        _ = await test.rested()
        let summary = try await test.session.run()
        #expect(summary.filtered == 10)
        let reloads = test.happened.all.filter { $0.hasPrefix("reload") }
        #expect(Set(reloads) == ["reload 4", "reload 5"] && reloads.count == 4)
    }

    @Test func limitsMayChangeDuringARun() async throws {
        let gate = Gate()
        let test = TestSession(
            TestSession.records(6), { $0.concurrentDownloads = 1 }, download: { _, step in gate.wait(step) })
        test.session.start()
        #expect(await eventually { gate.waiting == 1 })
        test.session.queues.concurrentDownloads = 4
        #expect(test.session.queues.concurrentDownloads == 4)
        #expect(await eventually { gate.waiting == 4 })
        gate.open()
        #expect(await test.rested()?.filtered == 6)
    }

    @Test func urgentPhotosComeFirst() async throws {
        let gate = Gate()
        let test = TestSession(
            TestSession.records(5), { $0.concurrentDownloads = 1 },
            download: { item, step in if item == 0 { gate.wait(step) } })
        for item in 0..<5 { test.session.startOperations(for: item) }
        #expect(await eventually { gate.waiting == 1 })
        test.session.startOperations(for: 3, priority: .veryHigh)
        #expect(
            await eventually {
                test.session.queues.downloads.operations.contains { $0.queuePriority == .veryHigh }
            })
        gate.open()
        #expect(await test.rested()?.filtered == 5)
        let downloads = test.happened.all.filter { $0.hasPrefix("download") }
        #expect(downloads.prefix(2) == ["download 0", "download 3"])
    }

    @Test func aFinishedPhotosPriorityIsForgotten() async throws {
        let priorities = Shared<[Operation.QueuePriority]>([])
        let test = TestSession(
            TestSession.records(1),
            download: { _, step in
                priorities.change { [priority = step.queuePriority] in $0.append(priority) }
            })
        _ = try await test.session.run()
        test.session.startOperations(for: 0, priority: .veryHigh)
        #expect(await test.rested(2)?.filtered == 1)
        test.session.reset()
        _ = try await test.session.run()
        #expect(priorities.value == [.normal, .normal])
    }

    @Test func aPhotoThatBeginsAgainKeepsItsNewPriority() async throws {
        let gate = Gate()
        let priorities = Shared<[Operation.QueuePriority]>([])
        let test = TestSession(
            TestSession.records(2),
            download: { item, step in
                guard item == 0 else { return }
                priorities.change { [priority = step.queuePriority] in $0.append(priority) }
                gate.wait(Operation())  // also if it is cancelled
            })
        test.session.startOperations(for: 0)
        #expect(await eventually { gate.waiting == 1 })
        test.session.show(visible: [])
        test.session.startOperations(for: 0, priority: .veryHigh)
        test.session.startOperations(for: 1)
        #expect(await eventually { test.happened.count("download 1") == 1 })
        gate.open()
        #expect(await eventually { test.session.records[0].state == .filtered })
        #expect(priorities.value == [.normal, .veryHigh])
    }

    @Test func theNetworksActivityRisesAndEndsAtZero() async throws {
        let gate = Gate()
        let test = TestSession(TestSession.records(3), download: { _, step in gate.wait(step) })
        let events = test.session.events
        let counts = Task {
            var counts: [Int] = []
            for await event in events {
                if case .networkActivity(let count) = event { counts.append(count) }
                if case .rested = event { break }
            }
            return counts
        }
        test.session.start()
        #expect(await eventually { gate.waiting == 3 })
        gate.open()
        #expect(await counts.value == [1, 2, 3, 2, 1, 0])
    }

    @Test func suspendedTheViewMayMoveAndOnlyWhatItShowsBeginsAfterwards() async throws {
        let test = TestSession(TestSession.records(20))
        test.session.suspend()
        test.session.show(visible: [1, 2])
        test.session.show(visible: [7, 8])
        #expect(test.happened.all.isEmpty)
        test.session.resume()
        #expect(await eventually { [7, 8].allSatisfy { test.session.records[$0].state == .filtered } })
        #expect(test.happened.count("download") == 2)
    }

    @Test func aPhotoThatReturnsToTheViewDownloadedIsOnlyFiltered() async throws {
        let gate = Gate()
        let test = TestSession(
            TestSession.records(4), filter: { item, step in if item == 0 { gate.wait(step) } })
        test.session.show(visible: [0])
        #expect(await eventually { gate.waiting == 1 })
        test.session.show(visible: [2])
        #expect(await eventually { test.session.records[2].state == .filtered && gate.waiting == 0 })
        #expect(test.session.records[0].state == .downloaded)
        gate.open()
        test.session.show(visible: [0])
        #expect(await eventually { test.session.records[0].state == .filtered })
        #expect(test.happened.all.filter { $0 == "download 0" }.count == 1)
    }

    @Test func theBarriersOrderIsInTheLog() async throws {
        let test = TestSession(TestSession.records(6)) { $0.order = .barrier }
        _ = try await test.session.run()
        let done = test.log.lines.filter { $0.hasSuffix(" Done") }
        let all = try #require(done.firstIndex { $0.contains("ReloadOperation all") })
        #expect(done[..<all].count { $0.contains("download") } == 6)
        #expect(!done[..<all].contains { $0.contains("filter") })
        #expect(done[all...].count { $0.contains("<TestStep filter") } == 6)
    }

    private struct Refusal: Error {}
}
