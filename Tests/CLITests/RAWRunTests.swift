import Foundation
import TestSupport
import Testing
import TintypeCodecs
import TintypeImaging
import TintypeMetadata
import TintypePhotos

/// RAW photos through the tool.
struct RAWRunTests {
    let folder: TemporaryFolder
    private static let names = [
        "canon-2.cr2", "canon-3.cr3", "nikon.nef", "sony.arw", "adobe.dng", "pentax.pef", "olympus.orf",
        "panasonic.rw2", "fujifilm.raf",
    ]

    init() throws {
        folder = try TemporaryFolder()
        for name in Self.names {
            let fixture = name.replacing(/-[0-9]/, with: "")
            try folder.write(try TestPhoto.fixture("raw-\(fixture)"), to: "in/\(name)")
        }
    }

    private func apply(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder, environment: environment)
    }

    private func reader(_ name: String) throws -> PhotoReader {
        try PhotoReader(bytes: folder.read(name), limits: DecodeLimits())
    }

    @Test func theJPEGInsideIsFiltered() throws {
        let preview = try TestPhoto.fixture("ycbcr-2x2.jpg")
        try folder.write(preview, to: "preview.jpg")
        #expect(try apply("-f", "sepia", "-o", "preview-sepia.jpg", "preview.jpg").exitCode == 0)
        let result = try apply("-f", "sepia", "-o", "out", "in")
        #expect(result.exitCode == 0, "\(result.errorText)")
        let note = "sony.arw: The largest JPEG in this RAW photo was taken: 35x27 pixels of 600x400."
        #expect(result.errorText.contains(note), "\(result.errorText)")
        let sepia = try EncodedImage(path: folder.path("preview-sepia.jpg")).pixels()
        for name in Self.names {
            let output = "out/\(name.prefix { $0 != "." }).jpg"
            let reader = try reader(output)
            #expect(reader.format == .jpeg && reader.geometry.orientation == Self.orientations[name] ?? .up)
            guard !name.hasSuffix("rw2"), !name.hasSuffix("raf") else { continue }
            #expect(try EncodedImage(path: folder.path(output)).pixels().bytes == sepia.bytes, "\(name)")
        }
        let again = try apply("-f", "sepia", "-o", "out", "in")
        #expect(again.exitCode == 0 && again.errorText.contains("9 up to date"), "\(again.errorText)")
    }

    private static let orientations: [String: Orientation] = [
        "canon-2.cr2": .right, "canon-3.cr3": .right, "nikon.nef": .left, "adobe.dng": .down,
        "panasonic.rw2": .right, "fujifilm.raf": .right,
    ]

    @Test func withoutAFilterTheJPEGIsKeptAsItIs() throws {
        for options in [[], ["--strip"]] {
            let run = try Tool.run(
                ["apply", "-d", "cpu", "--format", "jpeg", "-o", "copy\(options.count)"] + options + ["in"],
                in: folder)
            #expect(run.exitCode == 0, "\(run.errorText)")
        }
        let preview = try TestPhoto.fixture("ycbcr-2x2.jpg"), copy = try folder.read("copy0/nikon.jpg")
        // From the tables on.
        let image = try preview[#require(preview.firstRange(of: [0xFF, 0xDB])).lowerBound...]
        #expect(copy.suffix(image.count) == image)
        #expect(try folder.read("copy1/nikon.jpg").suffix(image.count) == image)
        let kept = try reader("copy0/nikon.jpg").metadata, stripped = try reader("copy1/nikon.jpg").metadata
        #expect(kept.items.count == 2 && kept.orientation == .left)
        #expect(stripped.items == [.exif(EXIF(orientation: .left).bytes)])
        let archive = try apply("--format", "jxl", "-o", "nikon.jxl", "in/nikon.nef")
        #expect(archive.exitCode == 0, "\(archive.errorText)")
        #expect(try apply("--format", "jpeg", "-o", "back.jpg", "nikon.jxl").exitCode == 0)
        #expect(try folder.read("back.jpg") == copy)
    }

    @Test func aRAWPhotoBesideItsJPEGIsNotDoneTwice() throws {
        try folder.write(TestPhoto.jpeg(width: 64, height: 40, seed: 1), to: "in/nikon.JPG")
        let result = try apply("-f", "noir", "-o", "out", "in")
        #expect(
            result.exitCode == 0 && result.errorText.contains("Skipped 1 file: 1 RAW beside a photo."),
            "\(result.errorText)")
        #expect(try reader("out/nikon.JPG").geometry.width == 64)
        #expect(try apply("-f", "noir", "-o", "raw.jpg", "in/nikon.nef").exitCode == 0)
        #expect(try reader("raw.jpg").geometry.width == 35)
    }

    @Test func noneAreWritten() throws {
        for options in [["--format", "raw"], ["-o", "a.nef"]] {
            let result = try Tool.run(
                ["apply", "-d", "cpu", "-f", "noir"] + options + ["in/sony.arw"], in: folder)
            #expect(result.exitCode == 2, "\(result.errorText)")
        }
        #expect(!folder.files().contains("a.nef"))
    }

    /// As of any format, damage fails the photo alone.
    @Test func aRAWPhotoWithoutAJPEGFails() throws {
        var file = try folder.read("in/pentax.pef")
        while let start = file.firstRange(of: [0xFF, 0xD8, 0xFF]) { file[start.lowerBound] = 0 }
        try folder.write(file, to: "in/pentax.pef")
        let result = try apply("-f", "noir", "-o", "out", "in")
        #expect(result.exitCode == 1)
        #expect(result.errorText.contains("pentax.pef: "), "\(result.errorText)")
        #expect(result.errorText.contains("a RAW photo without a JPEG inside"), "\(result.errorText)")
        #expect(folder.files().filter { $0.hasPrefix("out/") && $0.hasSuffix(".jpg") }.count == 8)
    }

    // MARK: Developing

    @Test func aRAWPhotoIsDevelopedIfAskedFor() throws {
        try folder.write(try TestPhoto.fixture("raw-sensor.dng"), to: "in2/a.dng")
        try folder.write(TestPhoto.jpeg(width: 64, height: 40, seed: 1), to: "in2/b.jpg")
        let arguments = ["apply", "-d", "cpu", "-f", "sepia", "--raw", "develop", "-o", "out", "in2"]
        let result = try Tool.run(arguments, in: folder)
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try reader("out/a.jpg").geometry == PhotoGeometry(width: 46, height: 70))
        #expect(try reader("out/b.jpg").geometry.width == 64)
        let again = try Tool.run(arguments, in: folder)
        #expect(again.errorText.contains("2 up to date"), "\(again.errorText)")
        // All 16 bits are filtered. Beside the photo, the name tells it.
        #expect(try apply("--raw", "develop", "--format", "png", "in2/a.dng").exitCode == 0)
        #expect(try reader("in2/a-developed.png").layout == .interleaved(.rgb, .sixteen))
    }

    /// Each output has its own.
    @Test func aRecipeMayHaveBoth() throws {
        let recipe = """
            { "outputs": { "camera": { "filters": "noir" }, "own": { "filters": "noir", "raw": "develop" },
                "small": { "filters": "resize:long=20", "raw": "develop" } } }
            """
        try folder.write(Array(recipe.utf8), to: "both.json")
        try folder.write(try TestPhoto.fixture("raw-sensor.dng"), to: "a.dng")
        let result = try apply("--recipe", "both.json", "-o", "out", "a.dng")
        #expect(result.exitCode == 0, "\(result.errorText)")
        #expect(try reader("out/a-camera.jpg").geometry.width == 35)
        #expect(try reader("out/a-own.jpg").geometry.height == 70)
        #expect(try reader("out/a-small.jpg").geometry.height == 20)
    }

    /// One that cannot be made is no reason for the other.
    @Test(arguments: [["camera", "own"], ["own", "camera"]])
    func outputsOfOneKindFailAlone(order: [String]) throws {
        let raws = ["camera": "preview", "own": "develop"]
        let outputs = order.map { "\"\($0)\": { \"filters\": \"noir\", \"raw\": \"\(raws[$0]!)\" }" }
        try folder.write(
            Array("{ \"outputs\": { \(outputs.joined(separator: ", ")) } }".utf8), to: "both.json")
        var file = try TestPhoto.fixture("raw-sensor.dng")
        try folder.write(file, to: "a.dng")
        let hidden = ["LD_PRELOAD": StorageFaultTests.library, "MISSING_LIBRARY": "libraw"]
        let without = try apply("--recipe", "both.json", "-o", "out", "a.dng", environment: hidden)
        #expect(without.exitCode == 1 && without.errorText.contains("libraw-bin"), "\(without.errorText)")
        #expect(try reader("out/a-camera.jpg").geometry.width == 35)
        let jpeg = try #require(file.firstRange(of: [0xFF, 0xD8, 0xFF]))
        file[jpeg.lowerBound] = 0
        try folder.write(file, to: "b.dng")
        #expect(try apply("--recipe", "both.json", "-o", "out", "b.dng").exitCode == 1)
        #expect(try reader("out/b-own.jpg").geometry.width == 46)
        #expect(!folder.files().contains("out/a-own.jpg") && !folder.files().contains("out/b-camera.jpg"))
    }

    @Test func withoutLibRawThePreviewIsStillRead() throws {
        let hidden = ["LD_PRELOAD": StorageFaultTests.library, "MISSING_LIBRARY": "libraw"]
        #expect(try apply("-f", "noir", "-o", "out", "in", environment: hidden).exitCode == 0)
        let result = try apply(
            "-f", "noir", "--raw", "develop", "-o", "own", "in/nikon.nef", environment: hidden)
        let missing =
            "RAW needs a library that this machine does not have. Install it: apt install libraw-bin."
        #expect(
            result.exitCode == 1 && result.errorText.contains("nikon.nef: \(missing)"), "\(result.errorText)")
    }
}
