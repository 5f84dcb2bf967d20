import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeBatches

/// Runs with several outputs of each photo.
struct SeveralOutputsBatchTests {
    private let folder: TemporaryFolder

    private let recipes: [NamedRecipe]

    init() throws {
        folder = try TemporaryFolder()
        recipes = try [("toned", "sepia"), ("small", "resize:scale=0.5")].map {
            NamedRecipe($0, Recipe(try FilterChain(parsing: [$1])))
        }
    }

    private func plan(_ template: String = "{stem}-{output}.{ext}") throws -> OutputPlan {
        for name in ["a", "b"] {
            try folder.write(try TestPhoto.png(width: 40, height: 90, seed: 9), to: "in/\(name).png")
        }
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(folder.path("in"))])
        let outputs = try recipes.map { RecipeOutput($0, template: try OutputTemplate(template)) }
        return try OutputPlanner(
            .folder(folder.path("out")), outputs: outputs, overwrites: false
        ).plan(for: collector.photos)
    }

    @Test func thePhotosOutputsFollowEachOther() throws {
        let jobs = try plan().jobs
        #expect(
            jobs.map(\.output.path.lastPathComponent)
                == ["a-toned.png", "a-small.png", "b-toned.png", "b-small.png"])
        #expect(jobs.map(\.variant) == [0, 1, 0, 1])
    }

    @Test func outputsOfOnePhotoWithTheSameNameFail() throws {
        let plan = try plan("{stem}.{ext}")
        #expect(plan.jobs.isEmpty && plan.failures.count == 4)
    }

    @Test func aManifestHasNoPhotoWithTwoOutputsOfTheSameName() throws {
        try folder.write(try TestPhoto.png(width: 40, height: 90, seed: 9), to: "in/a.png")
        let templates = ["{stem}.{ext}", "{name}"]
        let outputs = try zip(recipes, templates).map { recipe, template in
            RecipeOutput(recipe, template: try OutputTemplate(template))
        }
        let planner = OutputPlanner(
            .folder(folder.path("out")), outputs: outputs, overwrites: false, hasJournal: true)
        let header = ManifestHeader(
            root: folder.path, outputFolder: folder.path("out"), recipe: recipes[0].recipe.canonicalText)
        let manifest = try ManifestPlanner(
            to: folder.path("m.jsonl"), header, planner, temporaries: TemporaryFiles())
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(folder.path("in"))])
        manifest.add(collector.photos)
        let clash = PhotoError.outputClash(
            path: "a.png", with: "the same photo", remedy: "{output} in the outputs' templates")
        #expect(manifest.photoCount == 0 && manifest.failures.map(\.error) == [clash])
    }

    @Test(arguments: [
        ("{stem}.{ext}", "{dir} or {id} in the output's template"),
        ("{dir}/{stem}.{ext}", "{id} in the output's template"),
    ])
    func aRemedyIsNotInTheTemplateYet(template: String, remedy: String) throws {
        let plan = try plan(template)
        guard case .outputClash(_, _, remedy)? = plan.failures.first?.error else {
            Issue.record("\(plan.failures)")
            return
        }
    }

    /// A device that fails photos whose width it changes, and counts its renders.
    private final class FussyDevice: Device {
        private let simd = SIMDDevice()
        private let renders = Locked(0)
        let info = DeviceInfo(
            identifier: "fussy", kind: .gpu, name: "Test", driver: "", memoryByteCount: 0)
        var renderCount: Int { renders.withLock { $0 } }

        func render(
            _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
        ) throws {
            renders.withLock { $0 += 1 }
            guard plan.outputGeometry == plan.geometry else { throw DeviceError.movedMemory(device: "fussy") }
            try simd.render(plan, from: source, to: sink, isCancelled: isCancelled)
        }

        func selfTest(_ plan: RenderPlan) throws {}
    }

    @Test func aViewIsReloadedAtThePhotosFirstJobs() async throws {
        let jobs = try plan().jobs
        var settings = Batch.Settings(
            through: PhotoPipeline(recipes[0].recipe), on: DevicePool([SIMDDevice()], fallback: nil),
            concurrentPhotoCount: 1)
        settings.recipes = recipes
        let view = RecordingView()
        await withCheckedContinuation { continuation in
            let events = Batch.Events(result: { _ in }, finished: { _ in continuation.resume() })
            Batch(jobs, settings, on: .makePrivate(), view: view, events: events).start()
        }
        #expect(view.items.sorted() == [0, 2])
    }

    @Test(arguments: [true, false])
    func onlyWhatADeviceHasFailedIsMadeOnAnother(hasFallback: Bool) async throws {
        let device = FussyDevice()
        var settings = Batch.Settings(
            through: PhotoPipeline(recipes[0].recipe),
            on: DevicePool([device], fallback: hasFallback ? SIMDDevice() : nil),
            journal: try Journal(outputFolder: folder.path("out")), concurrentPhotoCount: 2)
        settings.recipes = recipes
        var results: [String: PhotoResult] = [:]
        for await result in Batch.results(of: try plan().jobs, settings) {
            results[result.job.output.path.lastPathComponent] = result
        }
        #expect(results.count == 4 && device.renderCount == 4)
        for name in ["a", "b"] {
            let toned = try #require(results["\(name)-toned.png"])
            #expect(toned.status == .done && toned.device == "fussy" && toned.fallback == nil)
            let small = try #require(results["\(name)-small.png"])
            if hasFallback {
                #expect(small.status == .done && small.device == "cpu" && small.fallback != nil)
            } else {
                #expect(small.status == .failed(.device(.movedMemory(device: "fussy"))))
            }
        }
        let summary = try JournalSummary(outputFolder: folder.path("out"))
        #expect(summary.doneCount == (hasFallback ? 4 : 2) && summary.failedCount == (hasFallback ? 0 : 2))
    }

    @Test func onlyOutputsThatMayBeWrongAreMadeAgain() async throws {
        let recipes = try [("toned", "sepia"), ("bright", "brightness")].map {
            NamedRecipe($0, Recipe(try FilterChain(parsing: [$1])))
        }
        // A copy is wrong for both. The first outputs are right, and suspect all the same.
        let pool = DevicePool([TurningDevice { $0 <= 10 }], fallback: SIMDDevice(), checkedShare: 0.02)
        var settings = Batch.Settings(
            through: PhotoPipeline(recipes[0].recipe), on: pool,
            journal: try Journal(outputFolder: folder.path("out")), concurrentPhotoCount: 1)
        settings.recipes = recipes
        var jobs: [PhotoJob] = []
        for index in 0..<40 {
            let path = try folder.write(
                try TestPhoto.png(width: 5, height: 40, seed: 9), to: "in/\(index).png")
            let photo = try InputPhoto(at: path, folder: "", name: "\(index).png")
            for (variant, name) in recipes.compactMap(\.name).enumerated() {
                let output = PhotoJob.Output.file(path: folder.path("out/\(index)-\(name).png"))
                jobs.append(PhotoJob(photo: photo, output: output, variant: variant))
            }
        }
        var (first, remade): ([PhotoResult], [PhotoResult]) = ([], [])
        for await result in Batch.results(of: jobs, settings) {
            if result.isRemade { remade.append(result) } else { first.append(result) }
        }
        let made = first.filter { $0.device == "turning" }.map(\.job.output.path)
        #expect(first.count == 80 && first.allSatisfy { $0.status == .done })
        #expect(!remade.isEmpty && Set(remade.map(\.job.output.path)).isSubset(of: made))
        #expect(remade.allSatisfy { $0.status == .done && $0.device == "cpu" })
        for (variant, name) in recipes.compactMap(\.name).enumerated() {
            let photo = try EncodedImage(path: jobs[0].photo.path)
            let right = try PhotoPipeline(recipes[variant].recipe).process(photo, on: SIMDDevice()).image
                .bytes()
            for index in 0..<40 {
                #expect(try folder.read("out/\(index)-\(name).png") == right, "\(index)-\(name)")
            }
        }
        let summary = try JournalSummary(outputFolder: folder.path("out"))
        #expect(summary.doneCount == 80)
    }
}
