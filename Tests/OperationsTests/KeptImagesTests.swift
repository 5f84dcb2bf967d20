import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// Images that a session keeps and releases.
struct KeptImagesTests {
    private func isDone(_ test: ImageSession, _ items: Range<Int>) async -> Bool {
        await eventually { items.allSatisfy { test.session.records[$0].state == .filtered } }
    }

    @Test func aPhotoThatComesBackIsOnlyFiltered() async {
        let test = ImageSession(9, { ($0.keepsDownloadedImages, $0.filteredImageLimit) = (true, 3) })
        for view in [0..<3, 3..<6, 6..<9] {
            test.session.show(visible: Set(view))
            #expect(await isDone(test, view))
        }
        #expect(await eventually { test.items(.filtered) == [6, 7, 8] })
        #expect(test.items(.downloaded) == Array(0..<6))
        test.session.show(visible: [0, 1, 2])
        #expect(await isDone(test, 0..<3))
        #expect(test.count("download") == 9 && test.count("filter") == 12)
        // Small downloads take no memory, either.
        #expect(
            await eventually {
                test.session.records.allSatisfy { $0.snapshot.original?.isInNamedFile ?? false }
            })
    }

    @Test func theImageThatWasInViewTheLongestAgoIsReleasedFirst() async {
        let test = ImageSession(6, { ($0.keepsDownloadedImages, $0.filteredImageLimit) = (true, 3) })
        for view in [0, 1, 2] {
            test.session.show(visible: [view])
            #expect(await isDone(test, view..<view + 1))
        }
        // 0 is seen once more, then 3 needs room.
        test.session.show(visible: [0])
        test.session.show(visible: [3])
        #expect(await isDone(test, 3..<4))
        #expect(await eventually { test.items(.filtered) == [0, 2, 3] })
        // In view, more than the limit stay.
        test.session.show(visible: Set(0..<6))
        #expect(await isDone(test, 0..<6))
        test.session.show(visible: [5])
        #expect(await eventually { test.items(.filtered).count == 3 })
        #expect(test.session.records[5].state == .filtered)
    }

    @Test func beyondTheBytesOfDownloadsPhotosAreNewAgain() async {
        let test = ImageSession(
            6, byteCount: 100,
            {
                ($0.keepsDownloadedImages, $0.filteredByteLimit, $0.downloadedByteLimit) = (true, 200, 350)
            })
        for view in 0..<6 {
            test.session.show(visible: [view])
            #expect(await isDone(test, view..<view + 1))
        }
        let isDone = await eventually {
            test.items(.new) == [0, 1, 2] && test.items(.downloaded) == [3]
                && test.items(.filtered) == [4, 5]
        }
        #expect(isDone, "\(test.session.records.map(\.state))")
        #expect(test.session.records.counts == PhotoCounts(test.session.records))
        #expect(test.session.records.counts.released == 4)
    }

    @Test(arguments: [false, true])
    func photosThatWereReleasedAreDone(keepsDownloads: Bool) async throws {
        let test = ImageSession(
            20, { ($0.keepsDownloadedImages, $0.filteredImageLimit) = (keepsDownloads, 5) })
        let summary = SessionSummary(filtered: 5, released: 15, failed: 0, notDone: 0)
        for _ in 1...3 { #expect(try await test.session.run() == summary) }
        #expect(test.count("download") == 20 && test.count("filter") == 20)
        // One that comes into view is filtered again, and releases another one.
        let released = try #require(
            test.session.records.indices.first { test.session.records[$0].isReleased })
        test.session.show(visible: [released])
        #expect(await isDone(test, released..<released + 1))
        #expect(try await test.session.run() == summary)
        #expect(test.count("download") == (keepsDownloads ? 20 : 21) && test.count("filter") == 21)
        // Another filter has to make all of them.
        test.session.show(visible: [])
        test.session.refilter(with: test.steps(mark: 2))
        #expect(try await test.session.run() == summary)
        #expect(test.count("filter") == 41)
        test.session.reset()
        await test.session.waitForRest()
        #expect(test.session.records.counts.new == 20)
    }

    @Test func localPhotosCostNothing() async throws {
        let folder = try TemporaryFolder()
        let records = try (0..<5).map {
            try PhotoRecord(path: folder.write(FirstBytes.png, to: "\($0).png"), name: "\($0)")
        }
        let test = TestSession(records) {
            ($0.keepsDownloadedImages, $0.downloadedByteLimit, $0.filteredImageLimit) = (true, 0, 2)
        }
        for item in 0..<5 {
            test.session.show(visible: [item])
            #expect(await eventually { records[item].state == .filtered })
        }
        #expect(await eventually { records.count { $0.state == .filtered } == 2 })
        #expect(records.count { $0.state == .downloaded } == 3)
    }

    /// Images of 66 KiB would keep a file open each.
    @Test func twoThousandPhotosScrolledThroughKeepFewImagesAndNoFilesOpen() async throws {
        await #expect(processExitsWith: .success) {
            let temporary = try TemporaryFolder()
            setenv("TMPDIR", temporary.path, 1)
            let byteCount = 66 << 10
            let test = ImageSession(
                2000, byteCount: byteCount,
                {
                    ($0.keepsDownloadedImages, $0.filteredImageLimit) = (true, 50)
                    $0.downloadedByteLimit = 100 * byteCount
                })
            func openFiles() -> Int {
                ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
            }
            test.session.show(visible: [])
            await test.session.settled()
            let before = openFiles()
            var most = 0
            for first in stride(from: 0, to: 2000, by: 20) {
                test.session.show(visible: Set(first..<first + 20))
                let isShown = await eventually {
                    most = max(most, openFiles())
                    return (first..<first + 20).allSatisfy { test.session.records[$0].state == .filtered }
                }
                try #require(isShown)
            }
            // The folder's lock stays open.
            try #require(await eventually { openFiles() <= before + 2 })
            await test.session.settled()
            let counts = test.session.records.counts
            try #require(counts.filtered <= 50 && counts.filtered + counts.downloaded <= 150, "\(counts)")
            // A photo at work has its download and its result open, until both are moved: those in view, and those
            // that were.
            try #require(most < before + 2 * (20 + 20) + 20, "\(before), then \(most)")
            try #require(temporary.files().count <= 150)
            test.session.reset()
            try #require(await eventually { temporary.files().isEmpty })
        }
    }

    @Test func theOrderOfReleaseIsThatOfASimpleList() {
        var random = SeededGenerator(seed: 5)
        var images = RecentImages(countLimit: 5, byteLimit: 900)
        // Items at work are in `seen` before they have an image.
        var unseen: [Int] = [], seen: [Int] = [], sizes: [Int: Int] = [:]
        for _ in 0..<5000 {
            let item = Int.random(in: 0..<12, using: &random)
            switch Int.random(in: 0..<4, using: &random) {
            case 0:
                let isSeen = Bool.random(using: &random)
                let size = Int.random(in: 1...300, using: &random)
                images.set(item, byteCount: size, isSeen: isSeen)
                if isSeen {
                    unseen.removeAll { $0 == item }
                    seen.removeAll { $0 == item }
                    seen.append(item)
                } else if sizes[item] == nil, !seen.contains(item) {
                    unseen.append(item)
                }
                sizes[item] = size
            case 1:
                images.set(item, byteCount: nil, isSeen: false)
                unseen.removeAll { $0 == item }
                seen.removeAll { $0 == item }
                sizes[item] = nil
            case 2:
                let isAtWork = Bool.random(using: &random)
                images.see([item]) { _ in isAtWork }
                guard sizes[item] != nil || isAtWork else { break }
                unseen.removeAll { $0 == item }
                seen.removeAll { $0 == item }
                seen.append(item)
            default:
                let isTooMuch = sizes.count > 5 || sizes.values.reduce(0, +) > 900
                let expected = isTooMuch ? (unseen + seen).first { $0 != item && sizes[$0] != nil } : nil
                #expect(images.excess { $0 == item } == expected)
            }
        }
    }
}
