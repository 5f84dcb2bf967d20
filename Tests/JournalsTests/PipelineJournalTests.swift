import Foundation
import SystemPackage
import TestSupport
import Testing
import Tintype
import TintypeCryptography

@testable import TintypeJournals

/// The pipeline's journal entries, compared with the files.
struct PipelineJournalTests {
    @Test func hashesAreThoseOfTheWholeFiles() throws {
        let folder = try TemporaryFolder()
        // What follows the photo belongs to the file, though no decoder reads it.
        let trailing = [UInt8](repeating: 7, count: 300_000)
        let photo = try folder.write(try png() + trailing, to: "a.png")
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(photo)])
        let recipe = Recipe(FilterChain([]), quality: .value(80))
        let job = PhotoJob(
            photo: try #require(collector.photos.first), output: .file(path: folder.path("b.png")))
        var told: [PhotoPipeline.Publication] = []
        let device = try DeviceSelection(["cpu"]).devices[0]
        _ = try PhotoPipeline(recipe).process(
            job, on: device,
            willPublish: { publication in
                #expect(folder.files() == [publication.temporaryPath.lastPathComponent, "a.png"].sorted())
                told.append(publication)
            }, isCancelled: { false })
        let publication = try #require(told.first)
        #expect(told.count == 1 && publication.pixelCount == 24)
        #expect(try publication.inputDigest.hexadecimal == BLAKE3.hash(folder.read("a.png")).hexadecimal)
        #expect(try publication.file.digest.hexadecimal == BLAKE3.hash(folder.read("b.png")).hexadecimal)
        let status = try Stat(folder.path("b.png"))
        #expect(
            publication.file.byteCount == status.byteCount && publication.file.modified == status.modified)
    }

    @Test func withoutAReceiptAnOutputIsNotPublished() throws {
        let folder = try TemporaryFolder()
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(try folder.write(try png(), to: "a.png"))])
        let job = PhotoJob(
            photo: try #require(collector.photos.first), output: .file(path: folder.path("b.png")))
        let device = try DeviceSelection(["cpu"]).devices[0]
        let full = JournalError.cannotWrite(path: "journal", .noSpace)
        #expect(throws: full) {
            try PhotoPipeline(Recipe(FilterChain([]))).process(
                job, on: device, willPublish: { _ in throw full }, isCancelled: { false })
        }
        #expect(folder.files() == ["a.png"])
    }

    @Test func recipesThatGiveOtherBytesReadDifferently() throws {
        let sepia = try FilterChain(parsing: ["sepia:intensity=0.5"])
        let recipes = [
            Recipe(FilterChain([])), Recipe(sepia), Recipe(try FilterChain(parsing: ["sepia"])),
            Recipe(sepia, format: .png),
            Recipe(sepia, quality: .value(90)), Recipe(sepia, quality: .value(91)),
            Recipe(sepia, halvesSize: true),
            Recipe(sepia, stripsMetadata: true), Recipe(sepia, optimizesCodes: true),
            Recipe(sepia, convertsToSRGB: true), Recipe(sepia, turnsUpright: true),
            Recipe(sepia, restartRows: 1), Recipe(sepia, restartRows: 10),
        ]
        #expect(Set(recipes.map(\.canonicalText)).count == recipes.count)
        #expect(
            recipes[1].canonicalText
                == "v10 filters=sepia:intensity=0.5,keep=luminance format=keep quality=keep scale=1 metadata=keep "
                + "codes=standard colours=keep orientation=keep")
    }

    private func png() throws -> [UInt8] {
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let file = try OpenFile.anonymous()
        let settings = PhotoWriterSettings(
            format: .png, geometry: PhotoGeometry(width: 6, height: 4), layout: layout)
        let writer = try PhotoWriter(fileDescriptor: file.number, settings: settings)
        let strip = try Strip(layout: layout, width: 6, rowCapacity: 4)
        strip.rowCount = 4
        for row in 0..<4 { memset(strip.planes[0].row(row), Int32(row * 50), 18) }
        try writer.write(strip)
        try writer.finish()
        return try file.firstBytes(try file.status().byteCount)
    }
}
