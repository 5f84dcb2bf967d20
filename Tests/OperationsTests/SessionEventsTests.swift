import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// What a session tells of its photos, and what its events keep.
struct SessionEventsTests {
    @Test func aSlowReaderGetsTheLastOfEachPhotoAndTheSummary() async throws {
        let records = TestSession.records(50)
        let buffer = EventBuffer()
        var report = FilterReport()
        for round in 1...200 {
            report.pixelCount = round
            buffer.add(.networkActivity(round % 17))
            for (item, record) in records.enumerated() {
                buffer.add(.changed(.item(item)))
                let fails = (item + round) % 2 == 0
                buffer.add(fails ? .failed(record, .noImage, report) : .filtered(record, report))
            }
        }
        buffer.add(.rested(SessionSummary(filtered: 25, failed: 25, notDone: 0)))
        // Two for each photo, two for the session; more until old ones are dropped.
        #expect(buffer.count <= EventBuffer.leastLimit)
        buffer.finish()
        var last: [String: String] = [:]
        var lastActivity: Int?
        var isRested = false
        while let event = await buffer.next() {
            #expect(!isRested)
            switch event {
            case .filtered(let record, let report): last[record.name] = "filtered \(report.pixelCount)"
            case .failed(let record, _, let report): last[record.name] = "failed \(report.pixelCount)"
            case .changed: break
            case .networkActivity(let count): lastActivity = count
            case .rested(let summary): isRested = summary.filtered == 25
            }
        }
        #expect(isRested && lastActivity == 200 % 17)
        for item in 0..<50 { #expect(last["\(item)"] == (item % 2 == 0 ? "failed 200" : "filtered 200")) }
    }

    @Test func aChangeOfAllStandsForEarlierOnesOfEach() async throws {
        let buffer = EventBuffer()
        for item in 0..<EventBuffer.leastLimit - 2 { buffer.add(.changed(.item(item))) }
        buffer.add(.changed(.all))
        buffer.add(.changed(.item(3)))
        #expect(buffer.count == 2)
        guard case .changed(.all) = await buffer.next(), case .changed(.item(3)) = await buffer.next() else {
            Issue.record("other events are left")
            return
        }
    }

    @Test func anUnreadStreamKeepsNoFilesOpen() async throws {
        await #expect(processExitsWith: .success) {
            // Images of this size keep a file open each.
            let test = ImageSession(300, byteCount: 66 << 10, { $0.keepsFilteredImages = false })
            let events = test.session.events
            let before = openFiles()
            try #require(try await test.session.run().filtered == 300)
            try #require(await eventually { openFiles() < before + 10 }, "\(before), then \(openFiles())")
            var filtered = 0
            for await event in events {
                if case .filtered = event { filtered += 1 }
                if case .rested = event { break }
            }
            try #require(filtered == 300)
        }
    }

    /// Photos in flight are fewer, and images that are kept are moved to files with names.
    @Test func aSessionWorksWhereFewFilesMayBeOpen() async throws {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            limit.rlim_cur = rlim_t(openFiles() + 100)
            limit.rlim_max = limit.rlim_cur
            try #require(setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0)
            for keeps in [false, true] {
                let test = ImageSession(
                    400, byteCount: 66 << 10,
                    { ($0.concurrentFiltrations, $0.keepsFilteredImages) = (2, keeps) },
                    filter: { _, _ in usleep(500) })
                let summary = try await test.session.run()
                try #require(
                    summary == SessionSummary(filtered: 400, failed: 0, notDone: 0),
                    "\(keeps): \(summary) \(test.session.records.compactMap(\.error).prefix(1))")
            }
        }
    }

    @Test func aFilteredPhotoHasItsReport() async throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.png(width: 8, height: 6, seed: 1)
        let steps = PhotoSteps(
            download: { ImageOperation(name: $0.name, image: $0.image) },
            filter: { FilterOperation([Sepia()], on: .cpu(), name: $0.name, image: $0.image) })
        let session = PhotoSession(
            [
                try PhotoRecord(path: try folder.write(photo, to: "a.png")),
                try PhotoRecord(path: try folder.write(Array(photo.prefix(60)), to: "b.png")),
            ], steps: steps, on: .makePrivate())
        let events = session.events
        _ = try await session.run()
        var reports: [String: FilterReport] = [:]
        for await event in events {
            switch event {
            case .filtered(let record, let report), .failed(let record, _, let report):
                reports[record.name] = report
            default: break
            }
            if case .rested = event { break }
        }
        #expect(reports["a.png"]?.pixelCount == 48 && reports["a.png"]?.device == "cpu")
        #expect(reports["b.png"]?.pixelCount == 0)
    }

    @Test func aSessionThatIsReleasedEndsItsWork() async throws {
        let gate = Gate()
        var test: TestSession? = TestSession(
            TestSession.records(30), download: { _, step in gate.wait(step) })
        let (happened, log) = (try #require(test).happened, try #require(test).log)
        let events = try #require(test).session.events
        test?.session.start()
        #expect(await eventually { gate.waiting > 0 })
        test = nil
        #expect(await eventually { gate.waiting == 0 })
        var rests = 0
        for await event in events { if case .rested = event { rests += 1 } }
        #expect(rests == 0, "the stream ends with the session")
        #expect(await eventually { log.lastEvents.values.allSatisfy { $0 == "Cancelled" } })
        #expect(happened.all.isEmpty)
    }

    @Test func itemsWithoutAPhotoAreIgnored() async throws {
        let test = TestSession(TestSession.records(2))
        test.session.startOperations(for: 2)
        test.session.startOperations(for: -1)
        test.session.retry(7)
        test.session.show(visible: [1, 2, 99])
        await test.session.waitForRest()
        #expect(test.session.records.map(\.state) == [.new, .filtered])
        #expect(!test.session.isBusy(99))
    }

    @Test func noConcurrencyCountsAsOne() async throws {
        let test = TestSession(
            TestSession.records(3),
            { ($0.concurrentDownloads, $0.concurrentFiltrations, $0.window) = (0, -1, 0) })
        test.session.queues.concurrentDownloads = -3
        #expect(try await test.session.run().filtered == 3)
    }
}

private func openFiles() -> Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
}
