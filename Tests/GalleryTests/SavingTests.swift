import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeGallery

/// Photos that are saved when the page asks for it.
struct SavingTests {
    private func outputs(_ folder: TemporaryFolder) -> [String] {
        folder.files().filter { $0.hasPrefix("out") }
    }

    /// - Parameter more: further members of the request, such as `"photos":[[0,2]]`.
    private func save(
        _ gallery: TestGallery, _ recipe: String = #""chain":"noir""#, _ more: String = ""
    ) async throws -> Client.Response? {
        let rest = more.isEmpty ? "" : ",\(more)"
        return try await gallery.post("/api/save", #"{"recipe":{\#(recipe)},"folder":0\#(rest)}"#)
    }

    /// The state of the last saving once it is over.
    private func end(_ gallery: TestGallery) async throws -> SaveMessage {
        let status = await gallery.status { [.ended, .stopped].contains($0.save?.state) }
        return try #require(status.save)
    }

    private struct Folders: Decodable {
        struct Folder: Decodable {
            let path: String
            let savedCount: Int
            let hasOthers: Bool
            let beside: String?
        }

        let folders: [Folder]
        let count: Int
    }

    private func folders(_ gallery: TestGallery, _ recipe: String) async throws -> Folders {
        let answer = try await gallery.post("/api/save/folders", #"{"recipe":{\#(recipe)}}"#)
        return try #require(answer).json(Folders.self)
    }

    @Test func nothingIsWrittenBeforeItIsAskedFor() async throws {
        try await withGallery(4, output: true) { gallery, folder in
            try await gallery.show(0..<4)
            await gallery.status { $0.filtered == 4 && $0.state == "idle" }
            #expect(outputs(folder) == [] && gallery.gallery.status.save == nil)
            #expect(try await save(gallery, #""chain":"noir""#, #""photos":[[1,1],[3,9]]"#)?.status == 204)
            let some = try await end(gallery)
            #expect(some.saved == 2 && some.total == 2 && some.failed == 0 && some.state == .ended)
            #expect(some.folder == folder.path("out"))
            #expect(outputs(folder) == ["out/1001.jpg", "out/1003.jpg"])
            #expect(try await save(gallery)?.status == 204)
            await gallery.status { $0.save?.total == 4 && $0.save?.state == .ended }
            let all = try await end(gallery)
            #expect(all.saved == 2 && all.upToDate == 2)
            for name in ["1000.jpg", "1001.jpg", "1002.jpg", "1003.jpg"] {
                #expect(try folder.read("out/\(name)") == apply([Noir()], to: name, in: folder))
            }
        }
    }

    /// The folder's journal is the one of `apply`.
    @Test func aLaterRunOfApplyFindsEverythingDone() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "in/a.jpg")
        let gallery = try await TestGallery([path], chain: "noir", output: folder.path("out"))
        #expect(try await save(gallery)?.status == 204)
        #expect(try await end(gallery).saved == 1)
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

    @Test func aFolderOfOtherFiltersIsReplacedOrAnotherIsBesideIt() async throws {
        try await withGallery(2, output: true) { gallery, folder in
            let before = try await folders(gallery, #""chain":"noir""#)
            #expect(before.count == 2 && before.folders.count == 1)
            #expect(before.folders[0].savedCount == 0 && !before.folders[0].hasOthers)
            _ = try await save(gallery)
            #expect(try await end(gallery).saved == 2)
            let own = try await folders(gallery, #""chain":"noir""#).folders[0]
            #expect(own.savedCount == 2 && !own.hasOthers)
            let other = try await folders(gallery, #""chain":"sepia""#).folders[0]
            #expect(other.hasOthers && other.savedCount == 2 && other.beside == folder.path("out-sepia"))

            let refused = try await save(gallery, #""chain":"sepia""#)
            #expect(refused?.status == 422 && refused?.text.contains("another output folder") == true)
            #expect(try folder.read("out/1000.jpg") == apply([Noir()], to: "1000.jpg", in: folder))

            #expect(try await save(gallery, #""chain":"sepia""#, #""isBeside":true"#)?.status == 204)
            await gallery.status { $0.save?.folder == folder.path("out-sepia") && $0.save?.state == .ended }
            #expect(try folder.read("out-sepia/1000.jpg") == apply([Sepia()], to: "1000.jpg", in: folder))
            // Another sepia has a folder of its own.
            let third = try await folders(gallery, #""chain":"sepia:intensity=0.5""#).folders[0]
            #expect(third.beside?.hasPrefix(folder.path("out-sepia-")) == true)

            #expect(try await save(gallery, #""chain":"sepia""#, #""replaces":true"#)?.status == 204)
            await gallery.status { $0.save?.folder == folder.path("out") && $0.save?.state == .ended }
            #expect(try folder.read("out/1000.jpg") == apply([Sepia()], to: "1000.jpg", in: folder))
        }
    }

    @Test func formatQualitySizeAndNamesAreThoseOfTheDialog() async throws {
        try await withGallery(1, output: true) { gallery, folder in
            let options =
                #""chain":"sepia","format":"webp","quality":40,"longSide":200,"stripsMetadata":true"#
            #expect(try await save(gallery, options, #""names":"filters""#)?.status == 204)
            #expect(try await end(gallery).saved == 1)
            let recipe = Recipe(
                try FilterChain(parsing: ["sepia+resize:long=200"]), format: .webp, quality: .value(40),
                stripsMetadata: true)
            #expect(outputs(folder) == ["out/1000-sepia+resize.webp"])
            #expect(try folder.read(outputs(folder)[0]) == apply(recipe, to: "1000.jpg", in: folder))
            // A conversion needs no filter.
            let png = #""chain":"","format":"png""#
            #expect(try await save(gallery, png, #""isBeside":true"#)?.status == 204)
            await gallery.status { $0.save?.folder == folder.path("out-png") && $0.save?.state == .ended }
            #expect(outputs(folder).contains("out-png/1000.png"))
        }
    }

    @Test func onePhotoIsSentAsAFile() async throws {
        try await withGallery(1, chain: "sepia") { gallery, folder in
            let answer = try #require(
                try await gallery.post(
                    "/api/photos/0/file",
                    #"{"recipe":{"chain":"noir","format":"png","longSide":64},"names":"filters"}"#))
            let recipe = Recipe(try FilterChain(parsing: ["noir+resize:long=64"]), format: .png)
            #expect(try answer.body == apply(recipe, to: "1000.jpg", in: folder))
            #expect(answer.headers["content-type"] == "image/png")
            #expect(
                answer.headers["content-disposition"]
                    == "attachment; filename*=UTF-8''1000%2Dnoir%2Bresize%2Epng")
            #expect(outputs(folder) == [])
        }
    }

    @Test func mistakesAreTold() async throws {
        try await withGallery(1, output: true) { gallery, folder in
            for (body, text) in [
                (#"{"recipe":{"chain":""},"folder":0}"#, "Add a filter"),
                (#"{"recipe":{"chain":"noir","format":"heic"},"folder":0}"#, "'heic'"),
                (#"{"recipe":{"chain":"noir","quality":0},"folder":0}"#, "1 to 100"),
                (#"{"recipe":{"chain":"noir"},"folder":1}"#, "Reload the page"),
                (#"{"recipe":{"chain":"noir"},"folder":-1}"#, "Reload the page"),
                (#"{"recipe":{"chain":"noir"}}"#, "Reload the page"),
                (#"{"recipe":{"chain":"noir"},"folder":0,"photos":[[7,1],[-5,2],[0,-1],[0]]}"#, "no photo"),
                (#"{"recipe":{"chain":"noir","longSide":0.5},"folder":0}"#, "JSON"),
                (#"{"recipe":{"chain":"noir","longSide":0},"folder":0}"#, "1 to 65535"),
                (#"{"recipe":{"chain":"lut:file=\#(folder.path("in/1000.jpg"))"},"folder":0}"#, "file"),
            ] {
                let answer = try #require(try await gallery.post("/api/save", body))
                #expect([400, 422].contains(answer.status) && answer.text.contains(text), "\(answer.text)")
            }
            let foreign = try await gallery.post(
                "/api/save", #"{"recipe":{"chain":"noir"},"folder":0}"#,
                headers: ["Origin": "http://example.com"])
            #expect(foreign?.status == 403)
            #expect(outputs(folder) == [])
        }
    }

    @Test func aFileOfTheUserIsNotReplacedAndItsPhotoSaysWhy() async throws {
        let own: [UInt8] = [1, 2, 3]
        try await withGallery(2, output: true) {
            try $0.write(own, to: "out/1000.jpg")
        } _: { gallery, folder in
            _ = try await save(gallery)
            let message = try await end(gallery)
            #expect(message.failed == 1 && message.saved == 1)
            #expect(message.problems.map(\.name) == ["1000.jpg"])
            #expect(message.problems.first?.error.contains("exists") == true, "\(message)")
            #expect(try folder.read("out/1000.jpg") == own)
        }
    }

    @Test func twoPhotosOfOneNameHaveNoOutput() async throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.jpeg(width: 32, height: 32, seed: 1)
        let paths = try ["a/x.jpg", "b/x.jpg", "b/y.jpg"].map { try folder.write(photo, to: $0) }
        try await TestGallery(paths, output: folder.path("out")).use { gallery in
            _ = try await save(gallery)
            let message = try await end(gallery)
            #expect(message.failed == 2 && message.saved == 1 && message.total == 3)
            #expect(outputs(folder) == ["out/y.jpg"])
        }
    }

    /// Photos on a device that holds them back.
    private func withSavingAtWork(
        _ body: (TestGallery, TemporaryFolder, HeldDevice) async throws -> Void
    ) async throws {
        let folder = try TemporaryFolder()
        let paths = try (0..<40).map {
            try folder.write(
                try TestPhoto.jpeg(width: 64, height: 48, seed: UInt64($0)), to: "in/\($0 + 10).jpg")
        }
        let device = HeldDevice()
        let gallery = try await TestGallery(paths, output: folder.path("out")) { _, _ in
            DevicePool([device], fallback: nil)
        }
        try await gallery.use { gallery in
            defer { device.hold.end() }
            #expect(try await save(gallery)?.status == 204)
            await device.hold.waitUntilReached()
            try await body(gallery, folder, device)
        }
    }

    @Test func savingIsPausedAndContinues() async throws {
        try await withSavingAtWork { gallery, folder, device in
            let busy = try await save(gallery)
            #expect(busy?.status == 422 && busy?.text.contains("being saved") == true)
            #expect(try await gallery.post("/api/save/action", #"{"action":"pause"}"#)?.status == 204)
            #expect(gallery.gallery.status.save?.state == .paused)
            device.hold.end()
            var saved = -1
            #expect(
                await eventually {
                    defer { saved = gallery.gallery.status.save?.saved ?? 0 }
                    return saved == gallery.gallery.status.save?.saved
                })
            try await Task.sleep(for: .milliseconds(300))
            #expect(gallery.gallery.status.save?.saved ?? 40 < 40, "photos that have not begun wait")
            _ = try await gallery.post("/api/save/action", #"{"action":"resume"}"#)
            #expect(try await end(gallery).saved == 40)
        }
    }

    @Test func savingIsStoppedAndContinuesWhenAskedAgain() async throws {
        try await withSavingAtWork { gallery, folder, device in
            _ = try await gallery.post("/api/save/action", #"{"action":"stop"}"#)
            device.hold.end()
            let stopped = try await end(gallery)
            #expect(stopped.state == .stopped && stopped.saved < 40)
            #expect(await eventually { (try? await save(gallery)?.status) == 204 })
            await gallery.status { $0.save?.state == .ended }
            let message = try await end(gallery)
            #expect(message.saved + message.upToDate == 40)
        }
    }

    @Test func theEndOfTheGalleryEndsSaving() async throws {
        let folder = try TemporaryFolder()
        let paths = try (0..<60).map {
            try folder.write(
                try TestPhoto.jpeg(width: 640, height: 480, seed: UInt64($0)), to: "in/\($0 + 10).jpg")
        }
        let gallery = try await TestGallery(paths, output: folder.path("out"))
        _ = try await save(gallery)
        await gallery.status { $0.save?.saved ?? 0 > 0 }
        await gallery.end()
        let saved = outputs(folder)
        let partial = saved.filter { !$0.hasSuffix(".jpg") }
        #expect(partial == [])
        try await Task.sleep(for: .milliseconds(100))
        #expect(outputs(folder) == saved)
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
