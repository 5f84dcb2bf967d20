import Foundation
import TestSupport
import Testing
import TintypeCodecs
import TintypeImaging
import TintypeMetadata
import TintypePhotos

/// HEICs and AVIFs through the tool.
struct HEIFRunTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["hevc.heic", "av1.avif", "metadata.heic"] {
            try folder.write(try TestPhoto.fixture(name), to: "in/\(name)")
        }
    }

    private func apply(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder, environment: environment)
    }

    private func image(_ name: String) throws -> EncodedImage { try EncodedImage(path: folder.path(name)) }

    @Test func anAVIFStaysOneAndAHEICBecomesAJPEG() throws {
        #expect(try apply("-f", "sepia", "-o", "out", "in").exitCode == 0)
        #expect(try apply("-f", "sepia", "--format", "png", "-o", "png", "in").exitCode == 0)
        #expect(try apply("-f", "sepia", "--format", "avif", "-o", "avif", "in").exitCode == 0)
        for (name, own) in [("hevc", "jpg"), ("av1", "avif"), ("metadata", "jpg")] {
            #expect(try image("out/\(name).\(own)").format == (own == "jpg" ? .jpeg : .avif))
            #expect(try image("png/\(name).png").format == .png)
            #expect(try image("avif/\(name).avif").format == .avif)
        }
        let again = try apply("-f", "sepia", "-o", "out", "in")
        #expect(again.exitCode == 0 && again.errorText.contains("3 up to date"), "\(again.errorText)")
    }

    /// Viewers of AVIFs do not obey EXIF's orientation, and browsers refuse the files that libheif 1.15 has turned.
    @Test(arguments: Orientation.allCases) func pixelsAreTurned(orientation: Orientation) throws {
        try folder.write(
            TestPhoto.jpeg(EXIF(orientation: orientation), width: 64, height: 40, seed: 1), to: "a.jpg")
        #expect(try apply("--format", "avif", "--lossless", "-o", "a.avif", "a.jpg").exitCode == 0)
        #expect(try apply("--format", "png", "--auto-orient", "-o", "a.png", "a.jpg").exitCode == 0)
        let file = try folder.read("a.avif"), text = String(decoding: file, as: Unicode.ASCII.self)
        #expect(!text.contains("irot") && !text.contains("imir"))
        #expect(try PhotoReader(bytes: file, limits: DecodeLimits()).metadata.orientation == .up)
        #expect(try image("a.avif").pixels() == image("a.png").pixels())
    }

    /// Filters see the same samples as of a PNG, and a lossless photo stays one.
    @Test func aLosslessAVIFIsAsGoodAsAPNG() throws {
        #expect(try apply("--format", "png", "-o", "png", "in/hevc.heic").exitCode == 0)
        #expect(try apply("--lossless", "-o", "avif.avif", "in/hevc.heic").exitCode == 0)
        #expect(try image("avif.avif").pixels() == image("png/hevc.png").pixels())
        #expect(try apply("-f", "invert", "-o", "png2", "png").exitCode == 0)
        #expect(try apply("-f", "invert", "-o", "avif2.avif", "avif.avif").exitCode == 0)
        #expect(try image("avif2.avif").pixels() == image("png2/hevc.png").pixels())
        // A quality asks for loss.
        #expect(try apply("-f", "invert", "--quality", "80", "-o", "lossy.avif", "avif.avif").exitCode == 0)
        #expect(try folder.read("lossy.avif").count < folder.read("avif2.avif").count)
    }

    /// Encoding again would lose quality. A file that libheif cannot decode is no copy.
    @Test func anAVIFThatNothingChangesIsCopied() throws {
        let file = try folder.read("in/av1.avif")
        try folder.write(Array(file.dropLast(40)), to: "in/cut.avif")
        let result = try apply("--format", "avif", "-o", "out", "in/av1.avif", "in/cut.avif")
        #expect(result.exitCode == 1 && result.errorText.contains("cut.avif"), "\(result.errorText)")
        #expect(try folder.read("out/av1.avif") == file)
        #expect(!folder.files().contains("out/cut.avif"))
        #expect(try apply("--strip", "-o", "stripped", "in/av1.avif").exitCode == 0)
        #expect(try image("stripped/av1.avif").pixels() != image("in/av1.avif").pixels())
    }

    /// The PNG of the same samples gives the same result.
    @Test func filtersGetTheDecodedSamples() throws {
        #expect(try apply("--format", "png", "-o", "png", "in").exitCode == 0)
        #expect(try apply("-f", "noir", "--format", "png", "-o", "direct", "in").exitCode == 0)
        #expect(try apply("-f", "noir", "-o", "second", "png").exitCode == 0)
        for name in ["hevc", "av1", "metadata"] {
            #expect(try image("direct/\(name).png").pixels() == image("second/\(name).png").pixels())
        }
    }

    /// The decoder has turned the pixels already.
    @Test func noPhotoIsTurnedTwice() throws {
        let heic = try TestPhoto.fixture("metadata.heic"), jpeg = try TestPhoto.fixture("metadata.jpg")
        #expect(try PhotoReader(bytes: jpeg, limits: DecodeLimits()).metadata.orientation == .right)
        #expect(try PhotoReader(bytes: heic, limits: DecodeLimits()).metadata.orientation == .up)
        #expect(try apply("-f", "sepia", "--auto-orient", "-o", "out", "in/metadata.heic").exitCode == 0)
        let output = try PhotoReader(bytes: folder.read("out/metadata.jpg"), limits: DecodeLimits())
        #expect(output.geometry.width == 35 && output.metadata.orientation == .up)
        #expect(output.metadata.icc != nil)
    }

    /// Colours that codes describe get a profile in a JPEG, and keep the codes in a PNG.
    @Test func coloursKeepTheirMeaning() throws {
        try folder.write(try TestPhoto.fixture("av1-444.avif"), to: "p3.avif")
        #expect(try apply("-f", "sepia", "--format", "jpeg", "-o", "out", "p3.avif").exitCode == 0)
        #expect(try apply("-f", "sepia", "--format", "png", "-o", "png", "p3.avif").exitCode == 0)
        #expect(try apply("-f", "sepia", "--format", "png", "-o", "srgb", "in/av1.avif").exitCode == 0)
        func items(_ name: String) throws -> [PhotoMetadata.Item] {
            try PhotoReader(bytes: folder.read(name), limits: DecodeLimits()).metadata.items
        }
        guard case .icc(let profile) = try items("out/p3.jpg").first else {
            Issue.record("no profile")
            return
        }
        #expect(!profile.isSRGB)
        #expect(try items("png/p3.png") == [.pngChunk(name: "cICP", [12, 13, 0, 1])])
        #expect(try items("srgb/av1.png").isEmpty)
    }

    /// The same is true of a PNG that becomes an AVIF.
    /// PQ's steps are too large for 8 bits.
    @Test func highDynamicRangeInAnAVIFIsNoted() throws {
        try folder.write(try TestPhoto.fixture("jxl-pq.jxl"), to: "pq.jxl")
        for (format, isNoted) in [("avif", true), ("png", false), ("jxl", false)] {
            let result = try apply("-f", "sepia", "--format", format, "-o", format, "pq.jxl")
            #expect(result.exitCode == 0)
            #expect(result.errorText.contains("High dynamic range was written with 8 bits") == isNoted)
        }
    }

    @Test func anAVIFKeepsItsCodes() throws {
        try folder.write(try TestPhoto.fixture("av1-444.avif"), to: "p3.avif")
        #expect(try apply("--format", "png", "-o", "png", "p3.avif").exitCode == 0)
        #expect(try apply("-f", "sepia", "-o", "from-avif.avif", "p3.avif").exitCode == 0)
        #expect(try apply("-f", "sepia", "-o", "from-png.avif", "png/p3.png").exitCode == 0)
        for name in ["from-avif.avif", "from-png.avif"] {
            let items = try PhotoReader(bytes: folder.read(name), limits: DecodeLimits()).metadata.items
            #expect(items == [.pngChunk(name: "cICP", [12, 13, 0, 1])])
        }
        #expect(try image("from-avif.avif").pixels() == image("from-png.avif").pixels())
    }

    @Test func noOutputHasAFormatThatIsOnlyRead() throws {
        let format = try apply("-f", "sepia", "--format", "heic", "-o", "out", "in")
        #expect(format.exitCode == 2 && format.errorText.contains("jpeg"), "\(format.errorText)")
        let name = try apply("-f", "sepia", "-o", "out.heic", "in/hevc.heic")
        #expect(
            name.exitCode == 2
                && name.errorText.contains(
                    "Tintype writes JPEG, PNG, WebP, AVIF, JPEG XL and TIFF, but no HEIC. Use .jpg"),
            "\(name.errorText)")
        #expect(!folder.files().contains { $0.hasPrefix("out") })
    }

    @Test func aMissingLibraryFailsItsPhotosAlone() throws {
        try folder.write(try TestPhoto.jpeg(width: 80, height: 60, seed: 1), to: "in/a.jpg")
        let hidden = ["LD_PRELOAD": StorageFaultTests.library, "MISSING_LIBRARY": "libheif"]
        let result = try apply("-f", "noir", "-o", "out", "in", environment: hidden)
        #expect(result.exitCode == 1)
        for (file, format) in [("hevc.heic", "HEIC"), ("av1.avif", "AVIF")] {
            #expect(
                result.errorText.contains(
                    "\(file): \(format) needs a library that this machine does not have. "
                        + "Install it: apt install libheif1."), "\(result.errorText)")
        }
        #expect(folder.files().filter { $0.hasPrefix("out/") && !$0.contains(".tintype") } == ["out/a.jpg"])
        let writing = try apply("-f", "noir", "-o", "out.avif", "in/a.jpg", environment: hidden)
        #expect(writing.exitCode == 1 && writing.errorText.contains("apt install libheif1"))
        #expect(!folder.files().contains("out.avif"))
    }
}
