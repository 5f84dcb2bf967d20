import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeGallery

/// Photos that are saved while they are looked at.
struct SavingTests {
    private func apply(_ filters: [any Filter], to name: String, in folder: TemporaryFolder) async throws
        -> [UInt8]
    {
        try await EncodedImage(path: folder.path("in/\(name)")).filtered(by: filters, on: .cpu).bytes()
    }

    private func outputs(_ folder: TemporaryFolder) -> [String] {
        folder.files().filter { $0.hasPrefix("out/") }
    }

    private func change(_ gallery: TestGallery, _ chain: String) async throws {
        let answer = try await gallery.post("/api/recipe", #"{"chain":"\#(chain)","device":"cpu"}"#)
        #expect(answer?.status == 200)
    }

    @Test func photosInViewAreSavedAndSaveAllSavesTheRest() async throws {
        try await withGallery(4, output: true) { gallery, folder in
            try await gallery.show(0..<2)
            await gallery.status { $0.saved == 2 }
            #expect(outputs(folder) == ["out/1000.jpg", "out/1001.jpg"])
            #expect(try await gallery.post("/api/session", #"{"action":"saveAll"}"#)?.status == 204)
            let status = await gallery.status { $0.saved == 4 && $0.state == "idle" }
            #expect(status.saved == 4 && status.filtered == 4 && status.saveProblem == nil)
            for name in ["1000.jpg", "1001.jpg", "1002.jpg", "1003.jpg"] {
                #expect(try await folder.read("out/\(name)") == apply([Noir()], to: name, in: folder))
            }
            // What is shown is what was saved.
            let photo = try await gallery.photos()[3]
            let shown = try await gallery.picture("after", of: 3, version: photo.version)
            #expect(try shown?.body == folder.read("out/1003.jpg"))
            // A reset filters nothing anew.
            let before = try folder.modificationTime("out/1000.jpg")
            _ = try await gallery.post("/api/session", #"{"action":"reset"}"#)
            try await gallery.show(0..<4)
            await gallery.status { $0.filtered == 4 && $0.saved == 4 && $0.state == "idle" }
            #expect(try folder.modificationTime("out/1000.jpg") == before)
        }
    }

    @Test func whatADeviceMayHaveSavedWronglyIsSavedAgain() async throws {
        let folder = try TemporaryFolder()
        let names = (0..<30).map { "\($0 + 10).png" }
        let photos = try names.map {
            try folder.write(try TestPhoto.png(width: 5, height: 40, seed: 9), to: "in/\($0)")
        }
        // The first five are right, and suspect all the same. One photo in ten is checked.
        let pool = DevicePool(
            [TurningDevice { $0 <= 5 }], fallback: SIMDDevice(), checkedShare: 0.04)
        let gallery = try await TestGallery(photos, chain: "sepia", output: folder.path("out")) { _, _ in pool
        }
        try await gallery.use { gallery in
            try await gallery.show(0..<5)
            _ = try await gallery.post("/api/session", #"{"action":"saveAll"}"#)
            // Told a moment after the check, when all may be saved.
            let told = await gallery.status { $0.saveProblem != nil }
            #expect(told.saveProblem?.contains("may be wrong") == true)
            _ = try await gallery.post("/api/session", #"{"action":"saveAll"}"#)
            let status = await gallery.status { $0.saved == 30 && $0.state == "idle" }
            #expect(status.saved == 30 && status.saveProblem == nil, "\(status)")
            #expect(pool.retired.count == 1)
            let right = try await EncodedImage(path: photos[0]).filtered(by: [Sepia()], on: .cpu).bytes()
            for name in names { #expect(try folder.read("out/\(name)") == right, "\(name)") }
        }
    }

    @Test func whatAFormerDeviceMayHaveSavedWronglyIsSavedAgain() async throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.png(width: 5, height: 40, seed: 9)
        let photos = try (0..<2).map { try folder.write(photo, to: "in/\($0).png") }
        // Each photo has a chance of a check of 1 in 4000.
        let former = DevicePool([TurningDevice { $0 <= 2 }], fallback: nil, checkedShare: 1e-4)
        let now = DevicePool([SIMDDevice()], fallback: nil)
        let pools = Locked([now, former])
        let gallery = try await TestGallery(photos, chain: "sepia", output: folder.path("out")) { _, _ in
            pools.withLock { $0.removeLast() }
        }
        try await gallery.use { gallery in
            try await gallery.show(0..<2)
            await gallery.status { $0.saved == 2 }
            let isAtWork = Locked(false)
            let hasChanged = Locked(false)
            // A photo that is at work when the device is changed, and whose check fails.
            Thread.detachNewThread {
                _ = try? former.withDevices { device, _ in
                    isAtWork.withLock { $0 = true }
                    let image = try EncodedImage(path: photos[0])
                    let pipeline = PhotoPipeline(Recipe(FilterChain([Sepia()])))
                    while !hasChanged.withLock({ $0 }) { usleep(1000) }
                    while true { _ = try pipeline.process(image, on: device) }
                }
            }
            #expect(await eventually { isAtWork.withLock { $0 } })
            let dates = try (0..<2).map { try folder.modificationTime("out/\($0).png") }
            try await change(gallery, "sepia")
            hasChanged.withLock { $0 = true }
            let told = await gallery.status { $0.saveProblem != nil }
            #expect(told.saveProblem?.contains("may be wrong") == true)
            let status = await gallery.status { $0.saved == 2 && $0.state == "idle" }
            #expect(status.saved == 2)
            for index in 0..<2 { #expect(try folder.modificationTime("out/\(index).png") != dates[index]) }
        }
    }

    /// A photo at work on the first of two devices, with the other one for the next recipe.
    ///
    /// - Parameter body: gets a switch that holds back the session's main queue, and thus what ends on it.
    private func withPhotoAtWork(
        on devices: [HeldDevice], overwrites: Bool = false,
        _ body: (TestGallery, TemporaryFolder, _ mainQueue: Hold) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "in/a.jpg")
        let pools = Locked(devices.reversed().map { DevicePool([$0], fallback: nil) })
        let gallery = try await TestGallery(
            [path], chain: "noir", output: folder.path("out"), overwrites: overwrites
        ) { _, _ in pools.withLock { $0.removeLast() } }
        try await gallery.use { gallery in
            let mainQueue = Hold()
            defer { for hold in devices.map(\.hold) + [mainQueue] { hold.end() } }
            try await gallery.show(0..<1)
            await devices[0].hold.waitUntilReached()
            gallery.gallery.session.mainQueue.add { mainQueue.wait() }
            await mainQueue.waitUntilReached()
            try await body(gallery, folder, mainQueue)
        }
    }

    /// Returns once no filter is at work. What follows a filter may be held back.
    private func waitForFilters(_ gallery: TestGallery) async throws {
        let queue = gallery.gallery.session.queues.filtrations
        #expect(await eventually { queue.operationCount == 0 })
    }

    @Test func aPhotoAtWorkIsNotSavedWithAFormerRecipe() async throws {
        let devices = [HeldDevice(), HeldDevice()]
        try await withPhotoAtWork(on: devices) { gallery, folder, mainQueue in
            try await change(gallery, "sepia")
            // The session has not cancelled it yet.
            devices[0].hold.end()
            try await waitForFilters(gallery)
            #expect(outputs(folder) == [])
            mainQueue.end()
            devices[1].hold.end()
            let status = await gallery.status { $0.saved == 1 && $0.state == "idle" }
            #expect(status.saved == 1 && status.failed == 0 && status.saveProblem == nil, "\(status)")
            #expect(try await folder.read("out/a.jpg") == apply([Sepia()], to: "a.jpg", in: folder))
        }
    }

    @Test func outputsOfAFormerRecipeAreNotCounted() async throws {
        let devices = [HeldDevice(), HeldDevice()]
        try await withPhotoAtWork(on: devices, overwrites: true) { gallery, folder, mainQueue in
            devices[0].hold.end()
            try await waitForFilters(gallery)
            #expect(outputs(folder) == ["out/a.jpg"])
            try await change(gallery, "sepia")
            mainQueue.end()
            await devices[1].hold.waitUntilReached()
            #expect(gallery.gallery.status.saved == 0)
            devices[1].hold.end()
            await gallery.status { $0.saved == 1 }
        }
    }

    @Test func aRecipeWaitsForOutputsThatAreGettingTheirNames() async throws {
        let folder = try TemporaryFolder()
        let saving = try GallerySaving(
            in: folder.path("out"), overwrites: false, logger: Logger(label: "test"))
        let former = FilterChain([Noir()]), recipe = Recipe(former).canonicalText
        try saving.use(former)
        try #require(saving.beginPublication(of: recipe))
        let hasEnded = Hold()
        Thread.detachNewThread {
            try? saving.use(FilterChain([Sepia()]))
            hasEnded.end()
        }
        #expect(await eventually { !saving.isOn } && !hasEnded.isOver)
        #expect(!saving.beginPublication(of: recipe), "no further one begins")
        saving.endPublication()
        #expect(await eventually { hasEnded.isOver })
        #expect(saving.isOn && saving.problem == nil)
    }

    @Test func aLaterRunOfApplyFindsEverythingDone() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "in/a.jpg")
        let gallery = try await TestGallery([path], chain: "noir", output: folder.path("out"))
        try await gallery.show(0..<1)
        await gallery.status { $0.saved == 1 }
        await gallery.end()
        let recipe = Recipe(FilterChain([Noir()]))
        var collector = InputCollector(outputFolder: folder.path("out"))
        collector.collect([try Input(path)])
        let plan = try OutputPlanner(
            .folder(folder.path("out")), recipe: recipe, overwrites: false, hasJournal: true
        ).plan(for: collector.photos)
        let journal = try Journal(outputFolder: folder.path("out"))
        try journal.claim(recipe: recipe.canonicalText)
        let settings = Batch.Settings(
            through: PhotoPipeline(recipe), on: DevicePool([SIMDDevice()], fallback: nil), journal: journal,
            concurrentPhotoCount: 1)
        for await result in Batch.results(of: plan.jobs, settings) {
            #expect(result.status == .skipped(.upToDate))
        }
    }

    @Test func aFolderIsNotMixedUnlessItsOutputsMayBeReplaced() async throws {
        try await withGallery(3, output: true) { gallery, folder in
            try await gallery.show(0..<2)
            await gallery.status { $0.saved == 2 }
            try await change(gallery, "sepia")
            let paused = await gallery.status { $0.filtered == 2 && $0.state == "idle" }
            #expect(paused.saved == 0 && paused.filtered == 2)
            #expect(paused.saveProblem?.contains("another output folder") == true, "\(paused)")
            let refused = try await gallery.post("/api/session", #"{"action":"saveAll"}"#)
            #expect(refused?.status == 422 && refused?.text.contains("another output folder") == true)
            #expect(try await folder.read("out/1000.jpg") == apply([Noir()], to: "1000.jpg", in: folder))
            #expect(outputs(folder).count == 2)
            try await change(gallery, "noir")
            let again = await gallery.status { $0.saved == 2 && $0.state == "idle" }
            #expect(again.saved == 2 && again.saveProblem == nil)
        }
        try await withGallery(3, output: true, overwrites: true) { gallery, folder in
            try await gallery.show(0..<2)
            await gallery.status { $0.saved == 2 }
            try await change(gallery, "sepia")
            await gallery.status { $0.saved == 2 && $0.state == "idle" }
            for name in ["1000.jpg", "1001.jpg"] {
                #expect(try await folder.read("out/\(name)") == apply([Sepia()], to: name, in: folder))
            }
        }
    }

    @Test func photosFilteredBeforeTheyCouldBeSavedAreSavedByTheButton() async throws {
        try await withGallery(2, output: true) { gallery, folder in
            try await gallery.show(0..<2)
            await gallery.status { $0.saved == 2 }
            try await change(gallery, "sepia")
            await gallery.status { $0.filtered == 2 && $0.state == "idle" }
            for name in outputs(folder) { try FileManager.default.removeItem(atPath: folder.path(name)) }
            #expect(try await gallery.post("/api/session", #"{"action":"saveAll"}"#)?.status == 204)
            await gallery.status { $0.saved == 2 && $0.state == "idle" }
            #expect(try await folder.read("out/1001.jpg") == apply([Sepia()], to: "1001.jpg", in: folder))
        }
    }

    @Test func aFileOfTheUserIsNotReplacedAndItsPhotoSaysWhy() async throws {
        let own: [UInt8] = [1, 2, 3]
        try await withGallery(2, output: true) {
            try $0.write(own, to: "out/1000.jpg")
        } _: { gallery, folder in
            try await gallery.show(0..<2)
            let status = await gallery.status { $0.failed == 1 && $0.saved == 1 }
            #expect(status.failed == 1 && status.saved == 1)
            #expect(try await gallery.photos()[0].error?.contains("1000.jpg") == true)
            #expect(try folder.read("out/1000.jpg") == own)
        }
    }

    @Test func twoPhotosOfOneNameHaveNoOutput() async throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.jpeg(width: 32, height: 32, seed: 1)
        let paths = try ["a/x.jpg", "b/x.jpg", "b/y.jpg"].map { try folder.write(photo, to: $0) }
        let gallery = try await TestGallery(paths, output: folder.path("out"))
        try await gallery.show(0..<3)
        let status = await gallery.status { $0.failed == 2 && $0.saved == 1 }
        #expect(status.failed == 2 && status.saved == 1)
        #expect(outputs(folder) == ["out/y.jpg"])
        await gallery.end()
    }

    @Test func aPhotoThatAnotherRunIsSavingIsShownAllTheSame() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "in/a.jpg")
        let recipe = Recipe(FilterChain([Noir()])).canonicalText
        let other = try Journal(outputFolder: folder.path("out"))
        try other.claim(recipe: recipe)
        let admission = try other.admit(
            InputIdentity(location: path), recipe: recipe, output: "a.jpg")
        let gallery = try await TestGallery([path], output: folder.path("out"))
        try await gallery.show(0..<1)
        let status = await gallery.status { $0.filtered == 1 }
        #expect(status.filtered == 1 && status.saved == 0)
        let photo = try await gallery.photos()[0]
        let shown = try await gallery.picture("after", of: 0, version: photo.version)
        #expect(try await shown?.body == apply([Noir()], to: "a.jpg", in: folder))
        #expect(outputs(folder) == [])
        await gallery.end()
        withExtendedLifetime(admission) {}
    }

    @Test func withoutAFolderOrAFilterNothingIsSaved() async throws {
        try await withGallery(1) { gallery, _ in
            let answer = try await gallery.post("/api/session", #"{"action":"saveAll"}"#)
            #expect(answer?.status == 422 && answer?.text.contains("-o FOLDER") == true)
        }
        try await withGallery(1, chain: "", output: true) { gallery, folder in
            let answer = try await gallery.post("/api/session", #"{"action":"saveAll"}"#)
            #expect(answer?.status == 422 && answer?.text.contains("Add a filter") == true)
            try await gallery.show(0..<1)
            await gallery.status { $0.filtered == 1 }
            #expect(outputs(folder) == [])
        }
    }

    @Test func aGalleryOfOtherFiltersThanTheFoldersDoesNotStart() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 32, height: 32, seed: 1), to: "a.jpg")
        let gallery = try await TestGallery([path], chain: "noir", output: folder.path("out"))
        try await gallery.show(0..<1)
        await gallery.status { $0.saved == 1 }
        await gallery.end()
        await #expect(throws: JournalError.self) {
            try await TestGallery([path], chain: "sepia", output: folder.path("out"))
        }
    }
}

/// Holds back threads until it ends.
private final class Hold: Sendable {
    private let state = Locked((isReached: false, isOver: false))

    var isOver: Bool { state.withLock { $0.isOver } }

    func end() { state.withLock { $0.isOver = true } }

    func wait() {
        state.withLock { $0.isReached = true }
        while !isOver { usleep(1000) }
    }

    /// Returns once a thread is held back.
    func waitUntilReached() async {
        #expect(await eventually { state.withLock { $0.isReached } })
    }
}

/// A device that renders as the CPU, when it may.
private final class HeldDevice: Device {
    let hold = Hold()
    var info: DeviceInfo { SIMDDevice().info }

    func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        hold.wait()
        try SIMDDevice().render(plan, from: source, to: sink, isCancelled: isCancelled)
    }

    func selfTest(_ plan: RenderPlan) throws {}
}
