import Foundation
import TestSupport
import Testing
import TintypeCodecs
import TintypeImaging
import TintypeMetadata
import TintypePhotos

/// JPEG XLs through the tool.
struct JXLRunTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["jxl-lossy.jxl", "jxl-lossless.jxl", "jxl-jpeg.jxl", "jxl-animation.jxl"] {
            try folder.write(try TestPhoto.fixture(name), to: "in/\(name)")
        }
    }

    private func apply(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder, environment: environment)
    }

    private func image(_ name: String) throws -> EncodedImage { try EncodedImage(path: folder.path(name)) }

    private func reader(_ name: String) throws -> PhotoReader {
        try PhotoReader(bytes: folder.read(name), limits: DecodeLimits())
    }

    @Test func aJPEGXLStaysOne() throws {
        let result = try apply("-f", "sepia", "-o", "out", "in")
        #expect(result.exitCode == 0)
        #expect(result.errorText.contains("jxl-animation.jxl: The further pictures"), "\(result.errorText)")
        #expect(try apply("-f", "sepia", "--format", "png", "-o", "png", "in").exitCode == 0)
        for name in ["lossy", "lossless", "jpeg", "animation"] {
            let reader = try reader("out/jxl-\(name).jxl")
            #expect(reader.format == .jxl && reader.isLossless == !["lossy", "jpeg"].contains(name))
            guard reader.isLossless else { continue }
            #expect(try image("out/jxl-\(name).jxl").pixels() == image("png/jxl-\(name).png").pixels())
        }
        let again = try apply("-f", "sepia", "-o", "out", "in")
        #expect(again.exitCode == 0 && again.errorText.contains("4 up to date"), "\(again.errorText)")
        // A quality asks for loss.
        #expect(
            try apply("-f", "sepia", "--quality", "60", "-o", "q", "in/jxl-lossless.jxl").exitCode == 0)
        #expect(
            try folder.read("q/jxl-lossless.jxl").count < folder.read("out/jxl-lossless.jxl").count)
    }

    @Test func lossyOutputsAreOfTheQuality() throws {
        try folder.write(TestPhoto.jpeg(width: 300, height: 200, seed: 1), to: "a.jpg")
        var sizes: [Int] = []
        for quality in ["30", "60", "90"] {
            let name = "\(quality).jxl"
            #expect(try apply("-f", "noir", "--quality", quality, "-o", name, "a.jpg").exitCode == 0)
            #expect(try reader(name).layout == .interleaved(.grey, .eight))
            sizes.append(try folder.read(name).count)
        }
        #expect(sizes == sizes.sorted() && Set(sizes).count == 3, "\(sizes)")
    }

    // MARK: JPEGs inside

    private func hasJPEG(_ name: String) throws -> Bool {
        try reader(name).canBeCopied(as: .jpeg, replacingMetadata: false)
    }

    /// Nothing changes the photo, so all bytes can be had back.
    @Test(arguments: Orientation.allCases) func aJPEGIsWrappedWithoutLoss(orientation: Orientation) throws {
        try folder.write(
            TestPhoto.jpeg(EXIF(orientation: orientation), width: 64, height: 40, seed: 1), to: "a.jpg")
        #expect(try apply("--format", "jxl", "-o", "wrapped", "a.jpg").exitCode == 0)
        #expect(try apply("--format", "jpeg", "-o", "back", "wrapped").exitCode == 0)
        #expect(try folder.read("back/a.jpg") == folder.read("a.jpg"))
        let wrapped = try reader("wrapped/a.jxl")
        #expect(wrapped.metadata.orientation == .up)
        #expect(wrapped.geometry.width == (orientation.swapsAxes ? 40 : 64))
        #expect(try apply("--format", "png", "--auto-orient", "-o", "a.png", "a.jpg").exitCode == 0)
        #expect(try apply("--format", "png", "-o", "b.png", "wrapped/a.jxl").exitCode == 0)
        #expect(
            try image("a.png").pixels().geometry == image("b.png").pixels().geometry)
        let again = try apply("--format", "jxl", "-o", "wrapped", "a.jpg")
        #expect(again.errorText.contains("1 up to date"), "\(again.errorText)")
    }

    /// The JPEG inside is turned by EXIF alone.
    @Test func theJPEGInsideIsNoneThatNeedsNoOrientation() throws {
        try folder.write(try TestPhoto.fixture("metadata.jpg"), to: "a.jpg")
        #expect(try apply("--format", "jpeg", "-o", "back.jpg", "in/jxl-jpeg.jxl").exitCode == 0)
        #expect(try folder.read("back.jpg") == folder.read("a.jpg"))
        #expect(try reader("back.jpg").geometry.orientation == .right)
        #expect(
            try apply("--auto-orient", "--format", "jpeg", "-o", "up.jpg", "in/jxl-jpeg.jxl").exitCode == 0)
        #expect(try reader("up.jpg").geometry == PhotoGeometry(width: 27, height: 35))
    }

    /// Its pixels are.
    @Test func aJPEGThatCannotBeKeptIsEncodedAgain() throws {
        let photo = try TestPhoto.jpeg(width: 64, height: 40, seed: 1)
        try folder.write(photo + [UInt8](repeating: 7, count: 5 << 20), to: "a.jpg")
        let recipe = """
            { "outputs": { "archive": { "format": "jxl" }, "same": { "format": "jpeg" }, "noir": { "filters": "noir" },
                "plain": { "format": "jxl", "metadata": "strip" } } }
            """
        try folder.write(Array(recipe.utf8), to: "three.json")
        let result = try apply("--recipe", "three.json", "-o", "out", "a.jpg")
        let note = "The image was encoded again: a JPEG XL cannot keep it as it is."
        #expect(result.exitCode == 0 && result.errorText.contains(note), "\(result.errorText)")
        #expect(try !hasJPEG("out/a-archive.jxl") && reader("out/a-archive.jxl").geometry.width == 64)
        // Other outputs do not mind. Without what comes after it, the JPEG can be kept.
        #expect(try hasJPEG("out/a-plain.jxl"))
        #expect(try folder.read("out/a-same.jpg") == folder.read("a.jpg"))
    }

    /// The image is decoded, and encoded at the usual quality.
    @Test func aJPEGThatCannotBeHadBackIsEncodedAgain() throws {
        var file = try folder.read("in/jxl-jpeg.jxl")
        let box = try #require(file.firstRange(of: Array("jbrd".utf8)))
        for index in box.upperBound..<box.upperBound + 8 { file[index] ^= 0x55 }
        try folder.write(file, to: "a.jxl")
        let result = try apply("--format", "jpeg", "-o", "a.jpg", "a.jxl")
        #expect(
            result.exitCode == 0 && result.errorText.contains("encoded again"), "\(result.errorText)")
        #expect(try reader("a.jpg").geometry == PhotoGeometry(width: 27, height: 35))
    }

    @Test func whatChangesThePhotoEncodesItAgain() throws {
        try folder.write(TestPhoto.jpeg(width: 64, height: 40, seed: 1), to: "a.jpg")
        for (index, options) in [["-f", "sepia"], ["--quality", "90"], ["--scale", "0.5"]].enumerated() {
            let output = "\(index).jxl"
            #expect(
                try Tool.run(
                    ["apply", "-d", "cpu", "--format", "jxl", "-o", output] + options + ["a.jpg"], in: folder
                ).exitCode == 0)
            #expect(try !hasJPEG(output))
        }
        // The metadata alone is no reason to.
        #expect(try apply("--strip", "--format", "jxl", "-o", "s.jxl", "a.jpg").exitCode == 0)
        #expect(try hasJPEG("s.jxl"))
    }

    @Test func aDamagedJPEGIsNotWrapped() throws {
        let file = try TestPhoto.jpeg(width: 64, height: 40, seed: 1)
        try folder.write(Array(file.dropLast(file.count / 3)), to: "cut.jpg")
        let result = try apply("--format", "jxl", "-o", "out", "cut.jpg")
        #expect(result.exitCode == 1 && result.errorText.contains("cut off"), "\(result.errorText)")
        #expect(!folder.files().contains("out/cut.jxl"))
        #expect(try apply("--format", "jxl", "--lenient", "-o", "out", "cut.jpg").exitCode == 1)
        #expect(try !hasJPEG("out/cut-damaged.jxl"))
    }

    // MARK: The library

    @Test func aMissingLibraryFailsItsPhotosAlone() throws {
        try folder.write(try TestPhoto.jpeg(width: 80, height: 60, seed: 1), to: "in/a.jpg")
        let hidden = ["LD_PRELOAD": StorageFaultTests.library, "MISSING_LIBRARY": "libjxl"]
        let result = try apply("-f", "noir", "-o", "out", "in", environment: hidden)
        #expect(result.exitCode == 1)
        let missing =
            "JPEG XL needs a library that this machine does not have. Install it: apt install libjxl-tools."
        #expect(result.errorText.contains("jxl-lossy.jxl: \(missing)"), "\(result.errorText)")
        #expect(folder.files().filter { $0.hasPrefix("out/") && !$0.contains(".tintype") } == ["out/a.jpg"])
        for options in [["-f", "noir"], []] {
            let writing = try Tool.run(
                ["apply", "-d", "cpu", "-o", "out.jxl"] + options + ["in/a.jpg"], in: folder,
                environment: hidden)
            #expect(writing.exitCode == 1 && writing.errorText.contains(missing), "\(writing.errorText)")
            #expect(!folder.files().contains("out.jxl"))
        }
    }
}
