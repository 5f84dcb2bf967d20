import Codecs
import Compute
import Filters
import Foundation
import TestSupport
import Testing

@testable import Tintype

struct PhotoPipelineTests {
    let folder: TemporaryFolder
    private let recipe = Recipe(FilterChain([Sepia()]))

    init() throws { folder = try TemporaryFolder() }

    /// A job for a photo of `bytes`.
    private func job(_ bytes: [UInt8], output: String = "out/a.png") throws -> PhotoJob {
        let path = try folder.write(bytes, to: "a.png")
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(path)])
        return PhotoJob(
            photo: try #require(collector.photos.first), output: .file(path: folder.path(output)))
    }

    @Test func aPhotoGoesThroughTheDeviceIntoItsOutput() throws {
        let bytes = try TestPhoto.png(width: 37, height: 53, seed: 1)
        let pipeline = PhotoPipeline(recipe)
        let output = try pipeline.process(try job(bytes), on: CopyDevice(), isCancelled: { false })
        let written = try folder.read("out/a.png")
        #expect(try TestPhoto.samples(of: written) == TestPhoto.samples(width: 37, height: 53, seed: 1))
        #expect(output.pixelCount == 37 * 53 && output.byteCount == written.count)
        #expect(pipeline.progress.pixelCount == 37 * 53)
        #expect(folder.files() == ["a.png", "out/a.png"])
        #expect(try folder.read("a.png") == bytes)
    }

    @Test(arguments: [0, 16, 40, 200, 1500])
    func aTruncatedPhotoLeavesNoOutput(byteCount: Int) throws {
        let whole = try TestPhoto.png(width: 64, height: 64, seed: 2)
        let job = try job(whole)
        try folder.write(Array(whole.prefix(byteCount)), to: "a.png")
        let pipeline = PhotoPipeline(recipe)
        #expect(throws: CodecError.self) {
            try pipeline.process(job, on: CopyDevice(), isCancelled: { false })
        }
        #expect(folder.files() == ["a.png"])
        #expect(pipeline.progress.pixelCount == 0)
    }

    @Test(arguments: 1...6)
    func cancellingAtAnyPointLeavesNoOutput(asks: Int) throws {
        let job = try job(try TestPhoto.png(width: 8, height: 64, seed: 3))
        var asked = 0
        let isCancelled = {
            asked += 1
            return asked >= asks
        }
        #expect(throws: CancellationError.self) {
            try PhotoPipeline(recipe).process(job, on: CopyDevice(), isCancelled: isCancelled)
        }
        #expect(folder.files() == ["a.png"])
    }

    @Test func aFailingDeviceLeavesNoOutput() throws {
        let failure = DeviceError.callFailed(call: "clFinish", code: -5, device: "Test")
        let device = CopyDevice(beforeEachPhoto: { _ in throw failure })
        let job = try job(try TestPhoto.png(width: 8, height: 8, seed: 4))
        #expect(throws: failure) {
            try PhotoPipeline(recipe).process(job, on: device, isCancelled: { false })
        }
        #expect(folder.files() == ["a.png"])
    }

    @Test func anOutputThatAppearsMeanwhileIsKept() throws {
        let job = try job(try TestPhoto.png(width: 8, height: 8, seed: 5))
        let folder = folder
        let path = folder.path("out/a.png")
        let device = CopyDevice(beforeEachPhoto: { _ in
            try Data("mine".utf8).write(to: URL(fileURLWithPath: path))
        })
        #expect(throws: PhotoError.outputExists(path: path)) {
            try PhotoPipeline(recipe).process(job, on: device, isCancelled: { false })
        }
        #expect(try folder.read("out/a.png") == Array("mine".utf8))
        _ = try PhotoPipeline(recipe, overwrites: true).process(job, on: device, isCancelled: { false })
        #expect(
            try TestPhoto.samples(of: folder.read("out/a.png"))
                == TestPhoto.samples(width: 8, height: 8, seed: 5))
    }

    @Test func aPhotoOverThePixelLimitIsRefused() throws {
        let job = try job(try TestPhoto.png(width: 8, height: 8, seed: 6))
        var limits = DecodeLimits()
        limits.maxPixels = 63
        #expect(throws: CodecError.self) {
            try PhotoPipeline(recipe, limits: limits).process(job, on: CopyDevice(), isCancelled: { false })
        }
        limits.maxPixels = 64
        _ = try PhotoPipeline(recipe, limits: limits).process(job, on: CopyDevice(), isCancelled: { false })
        #expect(folder.files() == ["a.png", "out/a.png"])
    }
}
