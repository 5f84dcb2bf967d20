import Foundation
import TestSupport
import Testing
import TintypeCodecs
import TintypeImaging
import TintypeMetadata
import TintypePhotos

/// TIFFs through the tool.
struct TIFFRunTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for name in ["tiff-16.tif", "tiff-cmyk.tif", "tiff-metadata.tif"] {
            try folder.write(try TestPhoto.fixture(name), to: "in/\(name)")
        }
    }

    private func apply(_ arguments: String..., environment: [String: String] = [:]) throws -> Tool.Result {
        try Tool.run(["apply", "-d", "cpu"] + arguments, in: folder, environment: environment)
    }

    private func reader(_ name: String) throws -> PhotoReader {
        try PhotoReader(bytes: folder.read(name), limits: DecodeLimits())
    }

    @Test func photosStayTIFFsUnlessAFormatIsNamed() throws {
        #expect(try apply("-f", "sepia", "-o", "tiff", "in").exitCode == 0)
        #expect(try apply("-f", "sepia", "--format", "png", "-o", "png", "in").exitCode == 0)
        for name in ["tiff-16", "tiff-cmyk", "tiff-metadata"] {
            let tiff = try EncodedImage(path: folder.path("tiff/\(name).tif"))
            #expect(try tiff.pixels() == EncodedImage(path: folder.path("png/\(name).png")).pixels())
            #expect(
                try reader("tiff/\(name).tif").layout
                    == .interleaved(.rgb, name == "tiff-16" ? .sixteen : .eight))
        }
        let again = try apply("-f", "sepia", "-o", "tiff", "in")
        #expect(again.exitCode == 0 && again.errorText.contains("3 up to date"), "\(again.errorText)")
    }

    /// With its other pages.
    @Test func aTIFFThatNothingChangesIsCopied() throws {
        try folder.write(try TestPhoto.fixture("tiff-pages.tif"), to: "pages.tif")
        let result = try apply("--format", "tiff", "-o", "copy.tif", "pages.tif")
        #expect(result.exitCode == 0 && !result.errorText.contains("left out"), "\(result.errorText)")
        #expect(try folder.read("copy.tif") == folder.read("pages.tif"))
        #expect(try apply("--format", "tiff", "--strip", "-o", "one.tif", "pages.tif").exitCode == 0)
        #expect(try reader("one.tif").notes.isEmpty)
    }

    @Test func metadataIsKeptInEveryFormat() throws {
        for format in ["jpeg", "png", "webp", "tiff"] {
            let result = try apply("-f", "sepia", "--format", format, "-o", format, "in/tiff-metadata.tif")
            #expect(result.exitCode == 0, "\(result.errorText)")
            let output = try reader(try #require(folder.files().first { $0.hasPrefix("\(format)/tiff") }))
            #expect(output.geometry.orientation == .right && output.metadata.icc?.isSRGB == true)
            let exif = try #require(output.metadata.exif)
            #expect(String(decoding: exif.bytes, as: UTF8.self).contains("A lens of some length"))
            if format == "webp" {
                #expect(result.errorText.contains("APP13"), "\(result.errorText)")
            } else {
                #expect(!result.errorText.contains("left out"), "\(result.errorText)")
                let density = try #require(output.metadata.density)
                #expect(density.unit == .perInch ? density.x == 300 : density.x == 11811)
            }
        }
        #expect(
            try String(decoding: reader("jpeg/tiff-metadata.jpg").metadata.photoshopResources, as: UTF8.self)
                .hasSuffix("Caption"))
    }

    @Test func aMissingLibraryFailsItsPhotosAlone() throws {
        try folder.write(try TestPhoto.jpeg(width: 80, height: 60, seed: 1), to: "in/a.jpg")
        let hidden = ["LD_PRELOAD": StorageFaultTests.library, "MISSING_LIBRARY": "libtiff"]
        let result = try apply("-f", "noir", "-o", "out", "in", environment: hidden)
        #expect(result.exitCode == 1)
        #expect(
            result.errorText.contains(
                "tiff-16.tif: TIFF needs a library that this machine does not have. "
                    + "Install it: apt install libtiff6."), "\(result.errorText)")
        #expect(folder.files().filter { $0.hasPrefix("out/") && !$0.contains(".tintype") } == ["out/a.jpg"])
        // TIFFs are written without it.
        let writing = try apply("-f", "noir", "-o", "out.tif", "in/a.jpg", environment: hidden)
        #expect(writing.exitCode == 0 && folder.files().contains("out.tif"), "\(writing.errorText)")
    }
}
