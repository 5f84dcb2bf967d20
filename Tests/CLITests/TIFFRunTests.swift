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

    @Test func photosBecomeJPEGsUnlessAFormatIsNamed() throws {
        #expect(try apply("-f", "sepia", "-o", "jpeg", "in").exitCode == 0)
        #expect(try apply("--format", "png", "-o", "png", "in").exitCode == 0)
        for name in ["tiff-16", "tiff-cmyk", "tiff-metadata"] {
            #expect(try reader("jpeg/\(name).jpg").format == .jpeg)
            #expect(
                try reader("png/\(name).png").layout
                    == .interleaved(.rgb, name == "tiff-16" ? .sixteen : .eight))
        }
        let again = try apply("-f", "sepia", "-o", "jpeg", "in")
        #expect(again.exitCode == 0 && again.errorText.contains("3 up to date"), "\(again.errorText)")
        let refused = try apply("-f", "sepia", "-o", "out.tif", "in/tiff-16.tif")
        #expect(
            refused.exitCode == 2
                && refused.errorText.contains(
                    "Tintype writes JPEG, PNG, WebP and AVIF, but no TIFF. Use .jpg"),
            "\(refused.errorText)")
    }

    @Test func metadataIsKeptInEveryFormat() throws {
        for format in ["jpeg", "png", "webp"] {
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
    }
}
