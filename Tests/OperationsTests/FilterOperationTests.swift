import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCryptography

@testable import TintypeOperations
@testable import TintypePhotos

struct FilterOperationTests {
    private let recipe = Recipe(FilterChain([Sepia(), TiltShift()]))

    @Test func anImageGivesTheSameBytesAsThePipeline() async throws {
        let photo = try TestPhoto.png(width: 65, height: 47, seed: 4)
        let filter = FilterOperation(
            [Sepia(), TiltShift()], on: .cpu(), name: "a.png", image: try EncodedImage(bytes: photo))
        #expect(await run([filter]))
        #expect(try filter.imageResult?.get().bytes() == filtered(photo, recipe))
        #expect(filter.report.device == "cpu" && filter.report.pixelCount == 65 * 47)
    }

    @Test func severalOperationsMayReadOneLargeImageAtOnce() async throws {
        let photo = try TestPhoto.png(width: 300, height: 300, seed: 5)
        #expect(photo.count > EncodedImage.memoryLimit)
        let image = try EncodedImage(bytes: photo)
        let filters = (0..<8).map { FilterOperation([Sepia()], on: .cpu(), name: "\($0)", image: image) }
        #expect(await run(filters, atOnce: 8))
        let expected = try filtered(photo, Recipe(FilterChain([Sepia()])))
        for filter in filters { #expect(try filter.imageResult?.get().bytes() == expected) }
    }

    @Test func anImageCanBeWrittenToAFile() async throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.png(width: 20, height: 20, seed: 6)
        let filter = FilterOperation(
            through: PhotoPipeline(recipe), on: .cpu(), name: "a", image: try EncodedImage(bytes: photo),
            output: .file(path: folder.path("out.png")))
        #expect(await run([filter]))
        #expect(try folder.read("out.png") == filtered(photo, recipe))
        #expect(try filter.imageResult?.get().bytes() == folder.read("out.png"))
    }

    @Test(arguments: [20, 300]) func aJournalIsToldOfThePhotosAndTheOutputsBytes(side: Int) throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.png(width: side, height: side, seed: 6)
        var told: [ContentDigest] = []
        _ = try PhotoPipeline(recipe).process(
            EncodedImage(bytes: photo), to: .file(path: folder.path("out.png")), on: SIMDDevice(),
            willPublish: { told = [$0.inputDigest, $0.file.digest] }, isCancelled: { false })
        let hashes = try [photo, folder.read("out.png")].map {
            ContentDigest(.blake3, BLAKE3.hash($0).hexadecimal)
        }
        #expect(told == hashes)
    }

    @Test func withoutAnImageTheOperationFails() async throws {
        let filter = FilterOperation([Sepia()], on: .cpu(), name: "a")
        filter.addDependency(BlockOperation {})
        filter.dependencies.forEach { $0.start() }
        #expect(await run([filter]))
        #expect(failure(of: filter) == .noImage)
    }

    @Test func aFailureIsPassedOnAndACancellationTooAndTheNextStillRuns() async throws {
        struct Refusal: Error {}
        let log = LogRecorder()
        let bad = TestStep("bad", logger: log.logger) { _ in throw Refusal() }
        let gone = TestStep("gone", logger: log.logger)
        gone.cancel()
        let afterBad = FilterOperation([Sepia()], on: .cpu(), name: "after bad", logger: log.logger)
        let afterGone = FilterOperation([Sepia()], on: .cpu(), name: "after gone", logger: log.logger)
        afterBad.addDependency(bad)
        afterGone.addDependency(gone)
        #expect(await run([afterBad, afterGone, bad, gone]))
        #expect(failure(of: afterBad) == failure(of: bad) && failure(of: bad) != nil)
        #expect(afterGone.imageResult == nil)
        #expect(log.lastEvents["<FilterOperation after gone>"] == "Cancelled")
        #expect(log.lastEvents["<FilterOperation after bad>"] == "Done")
    }

    @Test func theFirstProviderAmongTheDependenciesCounts() async throws {
        let photos = try (1...2).map { try TestPhoto.png(width: 9, height: 9, seed: $0) }
        let providers = try photos.map { ImageOperation(name: "p", image: try EncodedImage(bytes: $0)) }
        let filter = FilterOperation([Sepia()], on: .cpu(), name: "a")
        let block = BlockOperation {}
        filter.addDependency(block)
        providers.forEach(filter.addDependency)
        #expect(await run([filter, block] + providers))
        #expect(try filter.imageResult?.get().bytes() == filtered(photos[0], Recipe(FilterChain([Sepia()]))))
    }

    @Test func theCompletionRunsOnTheMainQueueUnlessCancelled() async throws {
        let main = SerialMainQueue.makePrivate()
        main.queue.isSuspended = true
        let told = Shared<[String]>([])
        let filters = try ["kept", "cancelled", "cancelled when it was finished"].map { name in
            let image = try EncodedImage(bytes: TestPhoto.png(width: 5, height: 5, seed: 1))
            let filter = FilterOperation([Sepia()], on: .cpu(), name: name, image: image)
            filter.onImageProcessed(on: main) { result in
                told.change { $0.append("\(name) \(main.isCurrent) \((try? result.get()) != nil)") }
            }
            return filter
        }
        filters[1].cancel()
        #expect(await run(filters))
        filters[2].cancel()
        main.queue.isSuspended = false
        #expect(await eventually { main.queue.operationCount == 0 })
        #expect(told.value == ["kept true true"])
    }

    @Test func cancelledAtWorkItLeavesNoOutput() async throws {
        let folder = try TemporaryFolder()
        let hasBegun = Shared(false)
        let device = StallingDevice { hasBegun.change { $0 = true } }
        let filter = FilterOperation(
            through: PhotoPipeline(recipe), on: DevicePool([device], fallback: nil), name: "a",
            image: try EncodedImage(bytes: TestPhoto.png(width: 5, height: 5, seed: 1)),
            output: .file(path: folder.path("out.png")))
        OperationQueue().addOperation(filter)
        #expect(await eventually { hasBegun.value })
        filter.cancel()
        #expect(await eventually { filter.isFinished })
        #expect(filter.imageResult == nil && folder.files().isEmpty)
    }

    /// Each of these images keeps a file open.
    @Test func finishedOperationsKeepNoInput() async {
        await #expect(processExitsWith: .success) {
            let key = try DecryptionKey(
                environmentVariable: "KEY", environment: ["KEY": String(repeating: "00", count: 32)])
            func large() throws -> EncodedImage {
                try EncodedImage(bytes: [UInt8](repeating: 1, count: EncodedImage.memoryLimit + 1))
            }
            func openFiles() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            // The first ones start Foundation's and the library's queues.
            try #require(await run([FilterOperation([Sepia()], on: .cpu(), name: "a", image: try large())]))
            let before = try openFiles()
            let operations: [ImageOperation] = try (0..<8).flatMap { _ in
                let cancelled = FilterOperation([Sepia()], on: .cpu(), name: "a", image: try large())
                cancelled.cancel()
                return [
                    FilterOperation([Sepia()], on: .cpu(), name: "a", image: try large()), cancelled,
                    DecryptOperation(key: key, name: "a", image: try large()),
                    FilterOperation(
                        through: PhotoPipeline(Recipe(FilterChain([]))), of: [], [], on: .cpu(), name: "a",
                        image: try large(), logger: Logger(label: "test")),
                ]
            }
            try #require(try openFiles() >= before + 32)
            try #require(await run(operations))
            // Those for several outputs yield their photo. The process may have opened others.
            let after = try openFiles()
            try #require(after <= before + 16, "\(before), then \(after)")
            withExtendedLifetime(operations) {}
        }
    }

    private func failure(of operation: any ImageDataProvider) -> PhotoError? {
        guard case .failure(let error) = operation.imageResult else { return nil }
        return error
    }
}
