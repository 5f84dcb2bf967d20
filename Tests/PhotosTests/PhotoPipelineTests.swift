import Foundation
import SystemPackage
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypePhotos

struct PhotoPipelineTests {
    let folder: TemporaryFolder
    private let recipe = Recipe(FilterChain([Sepia()]))

    init() throws { folder = try TemporaryFolder() }

    /// A job for a photo of `bytes`.
    private func job(
        _ bytes: [UInt8], name: String = "a.png", output: String = "out/a.png"
    ) throws -> PhotoJob {
        let path = try folder.write(bytes, to: name)
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

    /// In the words that a text would get, and without a trap.
    @Test(arguments: [
        (Sepia(intensity: 7) as any Filter, "sepia: intensity expects 0 to 1, got 7."),
        (Sepia(intensity: .nan), "sepia: intensity expects a number, got 'nan'."),
        (Blur(radius: .pixels(-3)), "blur: radius expects 0 to 100, got -3."),
    ])
    func aTypedSettingOutsideOfItsRangeIsAnError(filter: any Filter, message: String) throws {
        let job = try job(try TestPhoto.png(width: 8, height: 8, seed: 1))
        let device = try DeviceSelection(["cpu"]).devices[0]
        let recipe = Recipe(FilterChain([filter]))
        let error = #expect(throws: FilterError.self) {
            try PhotoPipeline(recipe).process(job, on: device, isCancelled: { false })
        }
        #expect(error?.description == message)
        #expect(folder.files() == ["a.png"])
        let layout = PixelLayout.interleaved(.rgb, .eight), photo = PhotoGeometry(width: 8, height: 8)
        let pixels = Pixels([UInt8](repeating: 9, count: 192), photo, layout: layout)
        #expect(throws: FilterError.self) { try pixels.filtered(by: [filter], on: device) }
        // A plan that a program makes itself fails on the device.
        let plan = RenderPlan(recipe.chain, for: photo, input: layout, output: layout)
        #expect(throws: DeviceError.invalidStage(.wrongSetting(message))) { try device.selfTest(plan) }
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

// MARK: Chains that change nothing

extension PhotoPipelineTests {
    private static let nothing = FilterChain([Sepia(intensity: 0)])

    private func processed(
        _ bytes: [UInt8], _ recipe: Recipe, device: any Device = CopyDevice()
    ) throws -> [UInt8] {
        let output = "out/a"
        let pipeline = PhotoPipeline(recipe, overwrites: true)
        let job = try job(bytes, name: "a.jpg", output: output)
        let result = try pipeline.process(job, on: device, isCancelled: { false })
        let written = try folder.read(output)
        #expect(pipeline.progress.pixelCount == result.pixelCount)
        #expect(result.byteCount == written.count)
        return written
    }

    @Test func aChainThatChangesNothingGivesTheJPEGBack() throws {
        let bytes = try TestPhoto.jpeg(width: 67, height: 141, seed: 7)
        #expect(try processed(bytes, Recipe(Self.nothing)) == bytes)
        #expect(try processed(bytes, Recipe(Self.nothing, format: .jpeg)) == bytes)
        let commented = Array(bytes[..<2]) + [0xFF, 0xFE, 0, 4, 0x68, 0x69] + Array(bytes[2...])
        #expect(try processed(commented, Recipe(Self.nothing)) == commented)
        #expect(try processed(commented, Recipe(Self.nothing, stripsMetadata: true)) == bytes)
    }

    @Test func chainsThatChangeSomethingDoNotCopy() throws {
        let bytes = try TestPhoto.jpeg(width: 67, height: 141, seed: 8)
        #expect(try processed(bytes, Recipe(Self.nothing, quality: .value(91))) != bytes)
        let half = try processed(bytes, Recipe(Self.nothing, halvesSize: true), device: SIMDDevice())
        let geometry = try PhotoReader(bytes: half, limits: DecodeLimits()).geometry
        #expect((geometry.width, geometry.height) == (34, 71))
        let png = try processed(bytes, Recipe(Self.nothing, format: .png), device: SIMDDevice())
        #expect(png.starts(with: [0x89, 0x50]))
        #expect(try processed(bytes, recipe, device: SIMDDevice()) != bytes)
    }

    @Test func freeWorkersChangeNoByteOfALargePhoto() throws {
        let bytes = try TestPhoto.jpeg(width: 2403, height: 1701, seed: 8)
        let alone = try processed(bytes, recipe, device: SIMDDevice())
        let path = try folder.write(bytes, to: "a.jpg")
        let workers = PhotoWorkers(4)
        let slot = workers.takeSlot()
        let run = PhotoRun(
            PhotoPipeline(recipe), try EncodedImage(path: path),
            [PhotoOutput(.file(path: folder.path("out/b.jpg")), overwrites: false)], of: [recipe],
            on: SIMDDevice(), workers: workers, isCancelled: { false })
        _ = try run.results()[0].get()
        slot.giveBack()
        #expect(try folder.read("out/b.jpg") == alone)
    }

    @Test func optimalCodesMakeAJPEGSmallerAndKeepItsPixels() throws {
        let bytes = try TestPhoto.jpeg(width: 267, height: 341, seed: 8)
        var optimizing = recipe
        optimizing.optimizesCodes = true
        let standard = try processed(bytes, recipe, device: SIMDDevice())
        let optimal = try processed(bytes, optimizing, device: SIMDDevice())
        #expect(optimal.count < standard.count)
        let png = Recipe(Self.nothing, format: .png)
        #expect(
            try processed(optimal, png, device: SIMDDevice())
                == processed(standard, png, device: SIMDDevice()))
    }

    @Test func restartMarkersChangeNoPixelAndNoPNG() throws {
        let bytes = try TestPhoto.jpeg(width: 267, height: 341, seed: 8),
            png = Recipe(Self.nothing, format: .png)
        var restarting = recipe
        restarting.restartRows = 3
        let plain = try processed(bytes, recipe, device: SIMDDevice())
        let marked = try processed(bytes, restarting, device: SIMDDevice())
        // 17 MCUs across.
        #expect(marked.firstRange(of: [0xFF, 0xDD, 0, 4, 0, 51]) != nil)
        #expect(marked.firstRange(of: [0xFF, 0xD6]) != nil && plain.firstRange(of: [0xFF, 0xDD]) == nil)
        #expect(
            try processed(marked, png, device: SIMDDevice()) == processed(plain, png, device: SIMDDevice()))
        let pngs = try [recipe, restarting].map { recipe in
            var recipe = recipe
            recipe.format = .png
            return try processed(bytes, recipe, device: SIMDDevice())
        }
        #expect(pngs[0] == pngs[1])
        // A copy keeps its own.
        #expect(
            try processed(bytes, Recipe(Self.nothing, restartRows: 3), device: SIMDDevice()) == bytes)
    }

    /// Grey, CMYK, and factors that planes cannot express.
    @Test(arguments: ["grey", "grey-2x2", "cmyk", "ycck", "odd-factors", "rgb-coded", "progressive"])
    func everyKindOfJPEGComesBack(name: String) throws {
        let bytes = try TestPhoto.fixture("\(name).jpg")
        #expect(try processed(bytes, Recipe(Self.nothing)) == bytes)
    }

    @Test func aTruncatedOrCancelledCopyLeavesNoOutput() throws {
        let bytes = try TestPhoto.jpeg(width: 8, height: 490, seed: 9)
        let pipeline = PhotoPipeline(Recipe(Self.nothing))
        for count in stride(from: 0, to: bytes.count, by: 97) {
            let job = try job(bytes, name: "a.jpg", output: "out/a.jpg")
            try folder.write(Array(bytes.prefix(count)), to: "a.jpg")
            #expect(throws: CodecError.self, "\(count) bytes") {
                try pipeline.process(job, on: CopyDevice(), isCancelled: { false })
            }
        }
        #expect(pipeline.progress.pixelCount == 0)
        for asks in 1...6 {
            var asked = 0
            #expect(throws: CancellationError.self) {
                try pipeline.process(
                    job(bytes, name: "a.jpg", output: "out/a.jpg"), on: CopyDevice(),
                    isCancelled: {
                        asked += 1
                        return asked >= asks
                    })
            }
        }
        #expect(folder.files() == ["a.jpg"])
    }

    @Test(arguments: ["rewritten", "replaced", "grown", "set back in time"])
    func aPhotoThatChangesWhileItIsReadFails(how: String) throws {
        let bytes = try TestPhoto.png(width: 64, height: 64, seed: 9)
        let job = try job(bytes)
        let path = folder.path("a.png")
        let device = CopyDevice { _ in
            usleep(20_000)  // File systems count time in steps of a few milliseconds.
            var before = stat()
            #expect(stat(path, &before) == 0)
            let other = try TestPhoto.png(width: 64, height: 64, seed: 10)
            if how == "replaced" {
                return try Data(other).write(to: URL(fileURLWithPath: path), options: .atomic)
            }
            let file = try #require(FileHandle(forWritingAtPath: path))
            if how == "grown" { try file.seekToEnd() }
            try file.write(contentsOf: Data(other.prefix(bytes.count)))
            if how == "set back in time" { futimens(file.fileDescriptor, [before.st_atim, before.st_mtim]) }
        }
        #expect(throws: PhotoError.inputChanged) {
            try PhotoPipeline(recipe).process(job, on: device, isCancelled: { false })
        }
        #expect(folder.files() == ["a.png"])
    }

    /// Nanoseconds since 1970 do not fit 64 bits there.
    @Test func aPhotoFromTheYear2300IsDone() throws {
        let job = try job(try TestPhoto.png(width: 8, height: 8, seed: 12))
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: 10_413_792_000)],
            ofItemAtPath: folder.path("a.png"))
        _ = try PhotoPipeline(recipe).process(job, on: CopyDevice(), isCancelled: { false })
        #expect(folder.files() == ["a.png", "out/a.png"])
    }

    @Test(arguments: [0o600, 0o444, 0o755, 0o4755])
    func anOutputHasItsPhotosPermissions(mode: Int) throws {
        let job = try job(try TestPhoto.png(width: 8, height: 8, seed: 11))
        #expect(chmod(folder.path("a.png"), mode_t(mode)) == 0)
        let seen = Locked<mode_t>(0)
        let output = folder.path("out")
        let device = CopyDevice { _ in
            let names = try FileManager.default.contentsOfDirectory(atPath: output)
            var status = stat()
            #expect(stat("\(output)/\(names.first ?? "")", &status) == 0)
            seen.withLock { [status] in $0 = status.st_mode & 0o7777 }
        }
        _ = try PhotoPipeline(recipe).process(job, on: device, isCancelled: { false })
        var status = stat()
        #expect(stat(folder.path("out/a.png"), &status) == 0)
        #expect(status.st_mode & 0o7777 == mode_t(mode & 0o777))
        #expect(seen.withLock { $0 } == mode_t(mode & 0o777), "nobody else may look while it is written")
    }

    @Test(arguments: [false, true])
    func timesAreKeptWhenAsked(keepsTimes: Bool) throws {
        let job = try job(try TestPhoto.png(width: 8, height: 8, seed: 12))
        // Reading moves an access time forward if it is older than the modification time or than a day.
        let accessed = timespec(tv_sec: Int(Date.now.timeIntervalSince1970) - 60, tv_nsec: 987_654_321)
        let modified = timespec(tv_sec: 1_000_000_000, tv_nsec: 123_456_789)
        #expect(utimensat(AT_FDCWD, folder.path("a.png"), [accessed, modified], 0) == 0)
        var told: FileFingerprint?
        _ = try PhotoPipeline(recipe, keepsTimes: keepsTimes).process(
            job, on: CopyDevice(), willPublish: { told = $0.file }, isCancelled: { false })
        let status = try Stat(folder.path("out/a.png"))
        #expect((status.modified == 1_000_000_000_123_456_789) == keepsTimes)
        #expect((status.st_atim.tv_nsec == accessed.tv_nsec) == keepsTimes)
        #expect(told?.modified == status.modified, "or the journal would take the output for a changed one")
    }
}
