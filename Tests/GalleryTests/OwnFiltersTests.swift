import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// Photos with filters of their own.
struct OwnFiltersTests {
    private struct Own: Decodable {
        struct Filters: Decodable {
            let version: Int
            let filters: [Filter]?
        }

        struct Filter: Decodable {
            let name: String
            let values: [String: String]
        }

        let own: Filters?
    }

    private func own(_ gallery: TestGallery, _ item: Int) async throws -> Own.Filters? {
        struct Message: Decodable { let photos: [Own] }
        let answer = try #require(try await gallery.get("/api/photos?first=\(item)&count=1"))
        return try answer.json(Message.self).photos[0].own
    }

    @discardableResult
    private func give(
        _ gallery: TestGallery, _ item: Int, _ chain: String?
    ) async throws -> Client.Response? {
        let text = chain.map { "\"\($0)\"" } ?? "null"
        return try await gallery.post("/api/photos/\(item)/recipe", #"{"chain":\#(text)}"#)
    }

    /// Waits until a photo's filtered picture is what a recipe makes of it.
    private func expect(
        _ gallery: TestGallery, _ item: Int, _ folder: TemporaryFolder, _ chain: FilterChain,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let expected = try apply(Recipe(chain), to: "\(1000 + item).jpg", in: folder)
        let isReached = await eventually {
            let photo = try? await gallery.photos()[item]
            guard let photo, photo.state == "filtered" else { return false }
            return (try? await gallery.picture("after", of: item, version: photo.version))?.body == expected
        }
        #expect(isReached, sourceLocation: sourceLocation)
    }

    @Test func onlyThePhotoIsFilteredWithThem() async throws {
        try await withGallery(3, chain: "noir") { gallery, folder in
            try await gallery.show(0..<3)
            await gallery.status { $0.filtered == 3 && $0.state == "idle" }
            let versions = try await gallery.photos().map(\.version)
            let answer = try #require(try await give(gallery, 1, "sepia:intensity=0.5"))
            #expect(answer.status == 200)
            try await expect(gallery, 1, folder, [Sepia(intensity: 0.5)])
            try await expect(gallery, 0, folder, [Noir()])
            #expect(try await gallery.photos()[0].version == versions[0], "it was not filtered again")
            let own = try #require(try await own(gallery, 1))
            #expect(own.filters?.map(\.name) == ["sepia"] && own.filters?[0].values["intensity"] == "0.5")
            #expect(gallery.gallery.status.own == 1)
            // A change of all photos leaves it alone.
            _ = try await gallery.post("/api/recipe", #"{"chain":"invert","device":"cpu"}"#)
            try await expect(gallery, 2, folder, [Invert()])
            try await expect(gallery, 1, folder, [Sepia(intensity: 0.5)])
            // Another chain of its own, then that of all again.
            try await give(gallery, 1, "")
            try await expect(gallery, 1, folder, [])
            try await give(gallery, 1, nil)
            try await expect(gallery, 1, folder, [Invert()])
            let none = try await self.own(gallery, 1)
            #expect(none?.filters == nil && none?.version ?? 0 > own.version)
            #expect(gallery.gallery.status.own == 0)
        }
    }

    @Test func pagesLearnOfThem() async throws {
        try await withGallery(2) { gallery, _ in
            try await gallery.show(0..<2)
            await gallery.status { $0.filtered == 2 && $0.state == "idle" }
            let events = try await Events(gallery, of: "page")
            try await give(gallery, 1, "sepia")
            var version: Int?
            while version == nil, let event = try await events.next() {
                guard event.name == "photos" else { continue }
                let message = try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any]
                let change = (message?["changes"] as? [[Any]])?.last { $0.first as? Int == 1 }
                version = (change?.last as? Int).flatMap { $0 > 0 ? $0 : nil }
            }
            #expect(try await own(gallery, 1)?.version == version)
        }
    }

    @Test func whatIsWrongChangesNothing() async throws {
        try await withGallery(1) { gallery, _ in
            let unknown = try await give(gallery, 0, "sepai")
            #expect(unknown?.status == 422)
            #expect(try await give(gallery, 0, "lut:file=/etc/passwd")?.status == 422)
            #expect(try await give(gallery, 1, "sepia")?.status == 404)
            #expect(try await gallery.get("/api/photos/1/recipe")?.status == 404)
            #expect(try await gallery.post("/api/photos/0/recipe", "[]")?.status == 400)
            #expect(gallery.gallery.status.own == 0)
        }
    }

    private struct RecipeAnswer: Decodable {
        let chain: String
        let command: String
    }

    @Test func theCommandIsThatOfThePhoto() async throws {
        try await withGallery(2, output: true) { gallery, folder in
            try await give(gallery, 1, "sepia:intensity=0.5")
            let answer = try #require(try await gallery.get("/api/photos/1/recipe"))
            let recipe = try answer.json(RecipeAnswer.self)
            #expect(recipe.chain == "sepia:intensity=0.5,keep=luminance")
            // The folder of the others has their filters.
            let paths = "-o \(folder.path("out-sepia")) \(folder.path("in/1001.jpg"))"
            #expect(recipe.command == "tintype apply -f sepia:intensity=0.5 -d cpu \(paths)")
        }
    }

    private func save(_ gallery: TestGallery) async throws -> SaveMessage {
        let before = gallery.gallery.saving.withLock { $0 }
        let answer = try await gallery.post("/api/save", #"{"recipe":{"chain":"noir"},"folder":0}"#)
        try #require(answer?.status == 204, "\(answer?.text ?? "")")
        let status = await gallery.status { status in
            gallery.gallery.saving.withLock { $0 !== before } && status.save?.state == .ended
        }
        return try #require(status.save)
    }

    /// What `tintype apply` does in the folder with the filters of all.
    private func applyAll(_ folder: TemporaryFolder) async throws -> [PhotoResult.Status] {
        let recipe = Recipe([Noir()]), output = folder.path("out")
        var collector = InputCollector(outputFolder: output)
        collector.collect([try Input(folder.path("in"))])
        let planner = OutputPlanner(.folder(output), recipe: recipe, overwrites: false, hasJournal: true)
        let plan = try planner.plan(for: collector.photos)
        let journal = try Journal(outputFolder: output)
        try journal.claim(recipe: recipe.canonicalText)
        let settings = Batch.Settings(
            through: PhotoPipeline(recipe), on: DevicePool([SIMDDevice()], fallback: nil), journal: journal,
            concurrentPhotoCount: 1)
        var statuses: [PhotoResult.Status] = []
        for await result in Batch.results(of: plan.jobs, settings) { statuses.append(result.status) }
        return statuses
    }

    @Test func theyAreSavedAndApplyKeepsThem() async throws {
        try await withGallery(2, chain: "noir", output: true) { gallery, folder in
            try await give(gallery, 1, "sepia")
            #expect(try await save(gallery).saved == 2)
            let sepia = try apply(Recipe([Sepia()]), to: "1001.jpg", in: folder)
            #expect(try folder.read("out/1000.jpg") == apply(Recipe([Noir()]), to: "1000.jpg", in: folder))
            #expect(try folder.read("out/1001.jpg") == sepia)
            #expect(try await save(gallery).upToDate == 2)
            #expect(try await applyAll(folder) == [.skipped(.upToDate), .skipped(.upToDate)])
            #expect(try folder.read("out/1001.jpg") == sepia)
            // Only what has changed is made again.
            try await give(gallery, 1, "invert")
            let other = try await save(gallery)
            #expect(other.saved == 1 && other.upToDate == 1)
            #expect(try folder.read("out/1001.jpg") == apply(Recipe([Invert()]), to: "1001.jpg", in: folder))
            try await give(gallery, 1, nil)
            #expect(try await save(gallery).saved == 1)
            #expect(try folder.read("out/1001.jpg") == apply(Recipe([Noir()]), to: "1001.jpg", in: folder))
            #expect(try await save(gallery).upToDate == 2)
        }
    }

    @Test func applyDoesNotMakeAPhotoThatHasThem() async throws {
        try await withGallery(1, chain: "noir", output: true) { gallery, folder in
            try await give(gallery, 0, "sepia")
            #expect(try await save(gallery).saved == 1)
            try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 9), to: "in/1000.jpg")
            let before = try folder.read("out/1000.jpg")
            guard case .failed(let error) = try await applyAll(folder)[0] else {
                Issue.record("it was filtered as all photos")
                return
            }
            #expect("\(error)".contains("filters of its own"))
            #expect(try folder.read("out/1000.jpg") == before)
            #expect(try await save(gallery).saved == 1)
            #expect(try folder.read("out/1000.jpg") == apply(Recipe([Sepia()]), to: "1000.jpg", in: folder))
        }
    }

    /// Another gallery does not know them, and `--overwrite` is as in `apply`.
    @Test func anotherGalleryKeepsThem() async throws {
        try await withGallery(2, chain: "noir", output: true) { gallery, folder in
            try await give(gallery, 1, "sepia")
            #expect(try await save(gallery).saved == 2)
            let sepia = try folder.read("out/1001.jpg")
            let next = try await TestGallery([folder.path("in")], chain: "noir", output: folder.path("out"))
            try await next.use { next in
                #expect(try await save(next).upToDate == 2)
                #expect(try folder.read("out/1001.jpg") == sepia)
                // Set and taken away, they are those of all.
                try await give(next, 1, "invert")
                try await give(next, 1, nil)
                #expect(try await save(next).saved == 1)
                #expect(
                    try folder.read("out/1001.jpg") == apply(Recipe([Noir()]), to: "1001.jpg", in: folder))
            }
        }
    }

    /// One file by two names has two outputs.
    @Test func linksOfOneFileHaveTheirOwn() async throws {
        let prepare = { (folder: TemporaryFolder) in
            try FileManager.default.linkItem(
                atPath: folder.path("in/1000.jpg"), toPath: folder.path("in/1001.jpg"))
        }
        try await withGallery(1, chain: "noir", output: true, prepare: prepare) { gallery, folder in
            try await give(gallery, 1, "sepia")
            #expect(try await save(gallery).saved == 2)
            #expect(try folder.read("out/1000.jpg") == apply(Recipe([Noir()]), to: "1000.jpg", in: folder))
            #expect(try folder.read("out/1001.jpg") == apply(Recipe([Sepia()]), to: "1000.jpg", in: folder))
        }
    }

    /// What the photo would get anyway is no recipe of its own.
    @Test func theFiltersOfAllAreNotItsOwn() async throws {
        try await withGallery(1, chain: "noir", output: true) { gallery, folder in
            try await give(gallery, 0, "noir")
            #expect(try await save(gallery).saved == 1)
            let journal = String(decoding: try folder.read("out/.tintype/journal.jsonl"), as: UTF8.self)
            #expect(!journal.contains("ownRecipe"))
        }
    }

    /// `apply --retry-failed` reads the photo's own recipe in the journal.
    @Test func aFailedPhotoIsRetriedWithThem() async throws {
        try await withGallery(1, chain: "noir", output: true) { gallery, folder in
            let photo = try folder.read("in/1000.jpg")
            try folder.write(Array(photo.prefix(photo.count / 2)), to: "in/1000.jpg")
            try await give(gallery, 0, "sepia")
            #expect(try await save(gallery).failed == 1)
            try folder.write(photo, to: "in/1000.jpg")
            let plan = try OutputPlan(retryingIn: folder.path("out"))
            #expect(plan.jobs.map(\.ownRecipe) == [Recipe([Sepia()])])
            let journal = try Journal(outputFolder: folder.path("out"))
            let settings = Batch.Settings(
                through: PhotoPipeline(Recipe([Noir()])), on: DevicePool([SIMDDevice()], fallback: nil),
                journal: journal, concurrentPhotoCount: 1)
            for await result in Batch.results(of: plan.jobs, settings) { #expect(result.status == .done) }
            #expect(try folder.read("out/1000.jpg") == apply(Recipe([Sepia()]), to: "1000.jpg", in: folder))
        }
    }

    @Test func aDownloadHasThem() async throws {
        try await withGallery(1, chain: "noir") { gallery, folder in
            try await gallery.show(0..<1)
            await gallery.status { $0.filtered == 1 }
            try await give(gallery, 0, "sepia")
            let file = try await gallery.post("/api/photos/0/file", #"{"recipe":{"chain":"noir"}}"#)
            let sepia = try apply(Recipe([Sepia()]), to: "1000.jpg", in: folder)
            #expect(file?.body == sepia)
        }
    }
}
