import Foundation
import TestSupport
import Testing
import TintypeCodecs
import TintypeImaging
import TintypePhotos

/// WebPs through the tool.
struct WebPRunTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 80, height: 60, seed: 1), to: "in/a.jpg")
    }

    private func apply(
        _ arguments: String..., environment: [String: String] = [:]
    ) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder, environment: environment)
    }

    private func image(_ name: String) throws -> EncodedImage { try EncodedImage(path: folder.path(name)) }

    /// Filters see the same samples as of a PNG, and a lossless photo stays one.
    @Test func aLosslessWebPIsAsGoodAsAPNG() throws {
        for (arguments, output) in [
            (["-f", "sepia", "--format", "png", "-o", "png"], "png/a.png"),
            (["-f", "sepia", "--format", "webp", "--lossless", "-o", "webp"], "webp/a.webp"),
        ] {
            let result = try Tool.run(["apply", "-d", "cpu"] + arguments + ["in"], in: folder)
            #expect(result.exitCode == 0, "\(result.errorText)")
            #expect(folder.files().contains(output))
        }
        #expect(try image("webp/a.webp").pixels() == image("png/a.png").pixels())
        #expect(try apply("-f", "invert", "-o", "png2", "png").exitCode == 0)
        #expect(try apply("-f", "invert", "-o", "webp2", "webp").exitCode == 0)
        #expect(try image("webp2/a.webp").pixels() == image("png2/a.png").pixels())
        // A quality asks for loss.
        #expect(try apply("-f", "invert", "-o", "lossy", "--quality", "80", "webp").exitCode == 0)
        let sizes = try ["webp2/a.webp", "lossy/a.webp"].map { try folder.read($0).count }
        #expect(sizes[1] < sizes[0] / 2)
    }

    /// Encoding again would lose quality.
    @Test func aLossyWebPThatOnlyLosesItsMetadataIsNotEncodedAgain() throws {
        #expect(try apply("-f", "sepia", "--format", "webp", "-o", "webp", "in").exitCode == 0)
        #expect(try apply("--strip", "-o", "stripped", "webp").exitCode == 0)
        #expect(try image("stripped/a.webp").pixels() == image("webp/a.webp").pixels())
        let again = try apply("-f", "invert", "-f", "invert", "-o", "again", "webp")
        #expect(again.exitCode == 0 && folder.files().contains("again/a.webp"))
    }

    @Test func aMissingLibraryFailsItsPhotosAlone() throws {
        #expect(try apply("-f", "sepia", "--format", "webp", "-o", "in", "in").exitCode == 0)
        let hidden = ["LD_PRELOAD": StorageFaultTests.library, "MISSING_LIBRARY": "libwebp"]
        let reading = try apply("-f", "noir", "-o", "out", "in", environment: hidden)
        #expect(reading.exitCode == 1)
        #expect(
            reading.errorText.contains(
                "a.webp: WebP needs a library that this machine does not have. "
                    + "Install it: apt install libwebp7."), "\(reading.errorText)")
        #expect(folder.files().filter { $0.hasPrefix("out/") && !$0.contains(".tintype") } == ["out/a.jpg"])
        let writing = try apply(
            "-f", "noir", "--format", "webp", "-o", "out2", "in/a.jpg", environment: hidden)
        #expect(writing.exitCode == 1 && writing.errorText.contains("apt install libwebp7"))
        #expect(!folder.files().contains { $0.hasPrefix("out2/a") })
    }
}
