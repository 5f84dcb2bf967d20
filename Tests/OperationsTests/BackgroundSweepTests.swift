import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypeSessions

/// A start of low priority goes on behind the photos in view.
struct BackgroundSweepTests {
    @Test func photosInViewComeFirstAndTheRestGoesOn() async {
        let gate = Gate()
        let test = TestSession(
            TestSession.records(100), { ($0.window, $0.concurrentDownloads) = (8, 1) },
            download: { item, step in if item == 0 { gate.wait(step) } })
        test.session.start(priority: .low)
        #expect(await eventually { gate.waiting == 1 })
        // 2 waits in the queue already.
        test.session.show(visible: [90, 91, 2])
        #expect(await eventually { test.session.queues.operationCount >= 6 })
        #expect(test.session.queues.operationCount <= 8)
        gate.open()
        #expect(await test.rested() == SessionSummary(filtered: 100, failed: 0, notDone: 0))
        let downloads = test.happened.all.filter { $0.hasPrefix("download") }
        #expect(Set(downloads[1...3]) == ["download 90", "download 91", "download 2"])
        #expect(Set(downloads).count == 100 && downloads.count == 100)
        #expect(Set(test.happened.all.filter { $0.hasPrefix("reload") }).count <= 3)
    }

    @Test func ofSeveralViewsTheLatestComesFirst() async {
        let test = TestSession(TestSession.records(12), { $0.concurrentDownloads = 1 })
        test.session.suspend()
        let views = [Set(0..<3), Set(9..<12)]
        for latest in [views[1], views[0], views[1]] {
            test.session.show(visible: views[0].union(views[1]), latest: latest)
        }
        test.session.resume()
        #expect(await test.rested() == SessionSummary(filtered: 6, failed: 0, notDone: 6))
        let downloads = test.happened.all.filter { $0.hasPrefix("download") }
        #expect(Set(downloads.prefix(3)) == ["download 9", "download 10", "download 11"], "\(downloads)")
        #expect(downloads.count == 6)
    }

    @Test func withNormalPriorityTheViewEndsTheStart() async {
        let gate = Gate()
        let test = TestSession(
            TestSession.records(100), { $0.concurrentDownloads = 2 }, download: { _, step in gate.wait(step) }
        )
        test.session.start()
        #expect(await eventually { gate.waiting == 2 })
        test.session.show(visible: [90])
        gate.open()
        #expect(await test.rested() == SessionSummary(filtered: 1, failed: 0, notDone: 99))
    }

    /// While photos wait and the view jumps, at most half of the window is in flight besides those in view, and
    /// what has left the view and not begun is taken up later, once.
    @Test func afterAJumpAWindowsWorthGoesOnAtMost() async {
        let gate = Gate(), most = Shared(0)
        let test = TestSession(
            TestSession.records(2000), { ($0.window, $0.concurrentDownloads) = (64, 4) },
            download: { _, step in gate.wait(step) })
        test.session.start(priority: .low)
        #expect(await eventually { gate.waiting == 4 })
        for jump in 1...20 {
            test.session.show(visible: Set(jump * 90..<jump * 90 + 20))
            await test.session.settled()
            most.change { [queues = test.session.queues] in $0 = max($0, queues.operationCount) }
        }
        gate.open()
        #expect(await eventually { (1800..<1820).allSatisfy { test.session.records[$0].state == .filtered } })
        #expect(most.value <= 64)
        let done = test.happened.all.filter { $0.hasPrefix("filter") }
        let inView = done.indices.filter { (1800..<1820).contains(Int(done[$0].dropFirst(7))!) }
        // A few threads may be preempted while others run through many photos: the steps do nothing.
        #expect(inView.count == 20 && inView[13] < 20 + 64)
        #expect(await test.rested()?.filtered == 2000)
        let downloads = test.happened.all.filter { $0.hasPrefix("download") }
        #expect(downloads.count == 2000 && Set(downloads).count == 2000)
    }

    @Test func behindABarrierPhotosInViewAreFilteredAtOnce() async throws {
        let gate = Gate()
        let test = TestSession(
            TestSession.records(20),
            { ($0.order, $0.concurrentDownloads, $0.keepsDownloadedImages) = (.barrier, 1, true) },
            download: { item, step in if item == 1 { gate.wait(step) } })
        test.session.start(priority: .low)
        #expect(await eventually { gate.waiting == 1 })
        test.session.queues.concurrentDownloads = 2
        test.session.show(visible: [15])
        #expect(await eventually { test.session.records[15].state == .filtered })
        #expect(test.happened.all.filter { $0.hasPrefix("filter") } == ["filter 15"])
        gate.open()
        #expect(await test.rested()?.filtered == 20)
        let everything = try #require(test.happened.all.firstIndex(of: "reload all"))
        #expect(test.happened.all[..<everything].count { $0.hasPrefix("download") } == 20)
    }

    /// A seeded user who scrolls, starts, cancels, retries and changes the filter, while photos fail at random.
    @Test(arguments: 1...6)
    func countsAndBusyPhotosAreRightWhateverHappens(seed: UInt64) async throws {
        let random = Shared(SeededGenerator(seed: seed)), wrong = Shared(0), busy = Shared<Set<Int>>([])
        func draw(_ range: Range<Int>) -> Int {
            var drawn = 0
            random.change { drawn = Int.random(in: range, using: &$0) }
            return drawn
        }
        struct Refusal: Error {}
        let work: ImageSession.Work = { item, _ in
            usleep(UInt32(item % 7) * 100)
            var drawn = 0
            random.change { drawn = Int.random(in: 0..<10, using: &$0) }
            if drawn == 0 { throw Refusal() }
        }
        let test = ImageSession(
            60,
            {
                $0.keepsDownloadedImages = seed % 2 == 0
                ($0.window, $0.filteredImageLimit) = (12, seed % 3 == 0 ? 7 : .max)
                $0.order = seed > 4 ? .barrier : .perPhoto
            }, download: work, filter: work,
            changed: { session, scope in
                // Within `changed`, every record and every count is as it will be for the next event.
                let counts = session.records.counts
                if counts != PhotoCounts(session.records) { wrong.change { $0 += 1 } }
                let items = if case .item(let item) = scope { [item] } else { Array(0..<60) }
                for item in items {
                    let isBusy = session.isBusy(item)
                    busy.change { if isBusy { $0.insert(item) } else { $0.remove(item) } }
                }
            })
        for round in 0..<150 {
            let first = draw(0..<50)
            switch draw(0..<12) {
            case 0...4: test.session.show(visible: Set(first..<first + 10))
            case 5: test.session.start(priority: .low)
            case 6: test.session.start()
            case 7: test.session.retry(first)
            case 8: test.session.refilter(with: test.steps(mark: UInt8(round), download: work, filter: work))
            case 9: draw(0..<3) == 0 ? test.session.reset() : test.session.cancel()
            case 10: test.session.suspend()
            default: test.session.startOperations(for: first, priority: .high)
            }
            if draw(0..<2) == 0 { test.session.resume() }
            usleep(UInt32(draw(0..<3000)))
        }
        test.session.resume()
        // Retries until nothing fails any more, then everything is done.
        #expect(
            await eventually {
                test.session.start()
                for item in test.items(.failed) { test.session.retry(item) }
                return test.session.records.allSatisfy { $0.state == .filtered } || seed % 3 == 0
            })
        test.session.cancel()
        #expect(await eventually { test.session.queues.operationCount == 0 })
        #expect(await eventually { busy.value.isEmpty })
        await test.session.settled()
        #expect(wrong.value == 0)
    }
}
