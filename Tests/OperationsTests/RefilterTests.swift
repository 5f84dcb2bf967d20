import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// Another filter for a session's photos, and photos that are tried again.
struct RefilterTests {
    private struct Refusal: Error {}

    @Test(arguments: [true, false])
    func filteredPhotosAreFilteredAgainAndDownloadedAgainOnlyIfTheyWereNotKept(keeps: Bool) async {
        let test = ImageSession(8, { $0.keepsDownloadedImages = keeps })
        test.session.start()
        _ = await test.rested()
        test.session.refilter(with: test.steps(mark: 2))
        #expect(await test.rested(2)?.notDone == 8)
        #expect(test.items(keeps ? .downloaded : .new).count == 8)
        #expect(test.session.records.counts == PhotoCounts(test.session.records))
        test.session.start()
        #expect(await test.rested(3)?.filtered == 8)
        #expect(test.session.records.allSatisfy { $0.snapshot.mark == 2 })
        #expect(test.count("download") == (keeps ? 8 : 16) && test.count("filter") == 16)
    }

    @Test func photosInViewAreFilteredFirstAndARunningStartGoesOn() async throws {
        let gate = Gate(), begun = Shared(0)
        // The eleventh filter waits, whichever photo's it is: downloads may end in any order.
        let test = ImageSession(
            30, { ($0.keepsDownloadedImages, $0.concurrentFiltrations) = (true, 1) },
            filter: { _, step in
                begun.change { $0 += 1 }
                if begun.value > 10 { gate.wait(step) }
            })
        test.session.start(priority: .low)
        #expect(await eventually { gate.waiting == 1 && test.items(.filtered).count >= 10 })
        test.session.show(visible: [3, 4])
        // A photo whose image is being moved to a file would come a moment later.
        #expect(
            await eventually {
                [3, 4].allSatisfy { test.session.records[$0].snapshot.original?.isInNamedFile ?? false }
            })
        await test.session.settled()
        let before = test.done.value.count
        test.session.refilter(with: test.steps(mark: 2))
        #expect(await test.rested()?.filtered == 30)
        #expect(test.session.records.allSatisfy { $0.snapshot.mark == 2 })
        let after = test.done.value.dropFirst(before).filter { $0.hasPrefix("filter") }
        #expect(Array(after.prefix(2)) == ["filter 3", "filter 4"])
        #expect(after.count == 30 && test.count("download") == 30)
    }

    /// Refilters at random moments while downloads and filters run. Every change is looked at on the serial
    /// main queue, where the filter changes as well.
    @Test func noResultOfAnEarlierFilterAppears() async throws {
        let current = Shared<UInt8>(1), wrong = Shared<[String]>([])
        let test = ImageSession(
            40, { ($0.keepsDownloadedImages, $0.concurrentFiltrations) = (true, 3) },
            filter: { item, _ in usleep(UInt32(item % 5) * 300) },
            changed: { session, scope in
                guard case .item(let item) = scope else { return }
                let mark = session.records[item].snapshot.mark
                // A later filter's may come before this test has taken note of the filter.
                if let mark, mark < current.value { wrong.change { $0.append("\(item) \(mark)") } }
            })
        test.session.start()
        for mark in UInt8(2)...9 {
            usleep(4000)
            test.session.refilter(
                with: test.steps(mark: mark, filter: { item, _ in usleep(UInt32(item % 5) * 300) }))
            test.session.mainQueue.add { current.change { $0 = mark } }
            test.session.start()
        }
        #expect(await eventually { test.session.records.allSatisfy { $0.state == .filtered } })
        await test.session.settled()
        #expect(wrong.value == [])
        #expect(test.session.records.allSatisfy { $0.snapshot.mark == 9 })
        #expect(test.count("download") == 40)
    }

    @Test func aPhotoWhoseFilterHasFailedGetsTheNextFilterAndOneWithoutDownloadDoesNot() async {
        let test = ImageSession(
            4, { $0.keepsDownloadedImages = true },
            download: { item, _ in if item == 0 { throw Refusal() } },
            filter: { item, _ in if item == 1 { throw Refusal() } })
        test.session.start()
        #expect(await test.rested() == SessionSummary(filtered: 2, failed: 2, notDone: 0))
        test.session.refilter(with: test.steps(mark: 2))
        test.session.start()
        #expect(await eventually { test.items(.filtered) == [1, 2, 3] })
        #expect(test.items(.failed) == [0] && test.count("download 1") == 1)
    }

    @Test func onePhotoIsFilteredAgainAlone() async {
        let test = ImageSession(
            4, { $0.keepsDownloadedImages = true },
            download: { item, _ in if item == 3 { throw Refusal() } },
            filter: { item, _ in if item == 2 { throw Refusal() } })
        test.session.start()
        _ = await test.rested()
        for item in [1, 2, 7] { test.session.refilter(item, with: test.steps(mark: 2)) }
        #expect(await eventually { test.items(.filtered) == [0, 1, 2] })
        await test.session.settled()
        #expect(test.session.records.map { $0.snapshot.mark }.prefix(3) == [1, 2, 2])
        #expect(test.count("filter 0") == 1 && test.count("download 1") == 1 && test.count("download 2") == 1)
        #expect(test.session.records.counts == PhotoCounts(test.session.records))
    }

    @Test func aPhotoThatHasNotBegunIsNotBegun() async {
        let test = ImageSession(2)
        test.session.refilter(1, with: test.steps(mark: 2))
        await test.session.settled()
        #expect(test.items(.new) == [0, 1])
        test.session.start()
        #expect(await test.rested()?.filtered == 2)
        #expect(test.session.records.allSatisfy { $0.snapshot.mark == 2 })
    }

    /// Whatever the photo's operation is at that moment.
    @Test func aPhotoAtWorkEndsWithItsLastFilter() async {
        let slowly: @Sendable (Int, Operation) -> Void = { item, _ in usleep(UInt32(item % 5) * 300) }
        let test = ImageSession(
            40, { ($0.keepsDownloadedImages, $0.concurrentFiltrations) = (true, 3) },
            filter: { item, step in slowly(item, step) })
        test.session.start()
        for mark in UInt8(2)...30 {
            usleep(1000)
            test.session.refilter(
                Int(mark), with: test.steps(mark: mark, filter: { item, step in slowly(item, step) }))
        }
        #expect(await eventually { test.items(.filtered).count == 40 })
        await test.session.settled()
        for item in 2...30 {
            // A later step may have begun it, but no earlier one.
            #expect(test.session.records[item].snapshot.mark ?? 0 >= UInt8(item), "photo \(item)")
        }
        #expect(test.count("download") == 40)
        #expect(test.session.records.counts == PhotoCounts(test.session.records))
    }

    @Test func aFailedPhotoIsTriedAgain() async {
        let attempts = Shared([0, 0])
        let test = ImageSession(
            2, download: { item, _ in attempts.change { $0[item] += 1 } },
            filter: { item, _ in if item == 0, attempts.value[0] == 1 { throw Refusal() } })
        test.session.start()
        #expect(await test.rested() == SessionSummary(filtered: 1, failed: 1, notDone: 0))
        test.session.retry(1)
        test.session.retry(0)
        #expect(await test.rested(2) == SessionSummary(filtered: 2, failed: 0, notDone: 0))
        #expect(attempts.value == [2, 1])
        #expect(test.session.records.counts == PhotoCounts(test.session.records))
    }

    @Test func manyPhotosTriedAgainStayInTheWindow() async {
        let isBroken = Shared(true), most = Shared(0), queues = Shared<BackgroundQueues?>(nil)
        let test = ImageSession(
            200, { $0.window = 8 },
            download: { _, _ in
                if isBroken.value { throw Refusal() }
                most.change { $0 = max($0, queues.value?.operationCount ?? 0) }
            })
        queues.change { $0 = test.session.queues }
        test.session.start()
        #expect(await test.rested()?.failed == 200)
        isBroken.change { $0 = false }
        for item in 0..<200 { test.session.retry(item) }
        // The session may rest in between, if this loop is interrupted.
        #expect(await eventually { test.items(.filtered).count == 200 })
        // A queue still counts operations that have just finished.
        #expect((1...24).contains(most.value))
    }
}
