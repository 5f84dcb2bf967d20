import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// Images that wait behind a barrier.
struct ParkingTests {
    let temporary: TemporaryFolder

    init() throws { temporary = try TemporaryFolder() }

    private func parkedFolders() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: temporary.path)) ?? []).sorted()
    }

    @Test func aParkedImageIsTheSameAndGoesWithItsLastReference() throws {
        var random = SeededGenerator(seed: 1)
        let bytes = random.bytes(count: 100_000)
        let image = try EncodedImage(bytes: bytes)
        #expect(image.costsDescriptor)
        var folder: ParkingFolder? = try ParkingFolder(in: temporary.path)
        var parked: EncodedImage? = try image.parked(in: folder!)
        #expect(try parked?.bytes() == bytes && parked?.costsDescriptor == false)
        folder = nil
        #expect(temporary.files().count == 1)
        parked = nil
        #expect(parkedFolders().isEmpty)
    }

    @Test func foldersOfTheDeadAreRemovedAndThoseOfTheLivingStay() throws {
        try temporary.write([1], to: "tintype-parked-dead00/1")
        try temporary.write([1], to: "mine/1")
        let living = try ParkingFolder(in: temporary.path)
        let parked = try EncodedImage(bytes: [2]).parked(in: living)
        let another = try ParkingFolder(in: temporary.path)
        let names = [living.path, another.path].map { $0.lastPathComponent }
        #expect(Set(parkedFolders()) == Set(names + ["mine"]))
        #expect(try parked.bytes() == [2])
        withExtendedLifetime((living, another)) {}
    }

    @Test func onlyFilesOfFoldersOfOnesOwnAreRemoved() throws {
        try temporary.write([1], to: "precious/1")
        try temporary.write([1], to: "tintype-parked-theirs/1")
        try temporary.write([1], to: "tintype-parked-deep00/folder/1")
        // Others may write to it, as they may where they have planted it.
        #expect(chmod(temporary.path("tintype-parked-theirs"), 0o777) == 0)
        try FileManager.default.createSymbolicLink(
            atPath: temporary.path("tintype-parked-link00"), withDestinationPath: temporary.path("precious"))
        let living = try ParkingFolder(in: temporary.path)
        #expect(
            temporary.files().filter { $0.hasSuffix("/1") && !$0.contains("link00") }.sorted() == [
                "precious/1", "tintype-parked-deep00/folder/1", "tintype-parked-theirs/1",
            ])
        withExtendedLifetime(living) {}
    }

    @Test func behindABarrierThereAreNoMoreOpenFilesThanTheWindowHas() async throws {
        await #expect(processExitsWith: .success) {
            let temporary = try TemporaryFolder()
            setenv("TMPDIR", temporary.path, 1)
            let photo = try TestPhoto.png(width: 30, height: 20, seed: 1)
            let server = try FaultServer { _, connection in connection.respond(body: photo) }
            let downloader = try PhotoDownloader.forTests()
            let (most, rested) = (Shared(0), Shared<SessionSummary?>(nil))
            let before = openFiles()
            var steps = PhotoSteps(
                downloadingThrough: downloader,
                filteringThrough: PhotoPipeline(Recipe(FilterChain([Sepia()]))),
                on: .cpu())
            let filter = steps.filter
            steps.filter = { record in
                most.change { $0 = max($0, openFiles()) }
                return filter(record)
            }
            var configuration = PhotoSession.Configuration()
            (configuration.order, configuration.window) = (.barrier, 8)
            var events = SessionEvents()
            events.rested = { summary in rested.change { $0 = summary } }
            let session = PhotoSession(
                (0..<200).map { PhotoRecord(url: server.url("/\($0)")) }, steps: steps, on: .makePrivate(),
                configuration: configuration, events: events)
            session.start()
            try #require(await eventually { rested.value != nil })
            try #require(rested.value == SessionSummary(filtered: 200, failed: 0, notDone: 0))
            // A window of images, as many sockets at both ends, and a few files of the process.
            try #require(most.value < before + 60, "\(before) then \(most.value)")
            try #require(await eventually { temporary.files().isEmpty })
            downloader.shutdown()
            server.stop()
        }
    }
}

private func openFiles() -> Int {
    ((try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []).count
}
