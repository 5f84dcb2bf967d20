import Foundation
import TestSupport
import Testing
import Tintype

/// Folders and files that are named by URLs.
struct FolderURLTests {
    @Test func aFolderIsFilteredByItsURL() async throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestPhoto.png(width: 8, height: 6, seed: 1), to: "my photos/50%.png")
        let input = URL(fileURLWithPath: folder.path("my photos"), isDirectory: true)
        let output = input.appendingPathComponent("out", isDirectory: true)
        let recipe: Recipe = [Invert()]

        var collector = InputCollector(outputFolder: output)
        collector.collect([Input(input)])
        let planner = OutputPlanner(.folder(output), recipe: recipe, overwrites: false, hasJournal: true)
        let plan = try planner.plan(for: collector.photos)
        let journal = try Journal(outputFolder: output)
        #expect(journal.folder == folder.path("my photos/out"))
        let settings = Batch.Settings(
            through: PhotoPipeline(recipe), on: try await DevicePool.make(.cpu), journal: journal,
            concurrentPhotoCount: 1)
        for await result in Batch.results(of: plan.jobs, settings) {
            #expect(result.job.output.path == folder.path("my photos/out/50%.png"))
        }
        let pixels = try EncodedImage(contentsOf: output.appendingPathComponent("50%.png")).pixels(.rgb8)
        #expect(pixels.bytes == TestPhoto.samples(width: 8, height: 6, seed: 1).map { 255 - $0 })
    }

    @Test func URLsArePathsOrAddresses() throws {
        let address = try #require(URL(string: "https://example.com/a.jpg"))
        #expect(Input(address) == .address(address))
        #expect(Input(URL(fileURLWithPath: "/photos/a b.jpg")) == .path("/photos/a b.jpg"))
        #expect(OutputDestination.file(URL(fileURLWithPath: "/out/a.jpg")) == .file("/out/a.jpg"))
        #expect(throws: JournalError.cannotOpen(path: "a.jpg", .notSupported)) {
            try Journal(outputFolder: address)
        }
    }

    @Test func aKernelsFileIsReadByItsURL() throws {
        let folder = try TemporaryFolder()
        let text =
            "// summary: Nothing\n// parameter: a = 0.5 in 0...1, how much\nARGUMENTS(plain) { float a; };\nPOINT(plain, c, at, a) {}\n"
        let file = URL(fileURLWithPath: try folder.write(Array(text.utf8), to: "plain.cl"))
        let filter = try KernelFilter(contentsOf: file)
        #expect(try filter == KernelFilter(contentsOf: file.path) && filter.parameters.map(\.name) == ["a"])
        let address = try #require(URL(string: "https://example.com/plain.cl"))
        #expect(throws: KernelFileError.unreadable(path: "plain.cl", reason: "its address is not a file's")) {
            try KernelFilter(contentsOf: address)
        }
    }
}
