import Foundation
import TestSupport
import Testing
import Tintype

/// Images in memory and in files, and what they are.
struct EncodedImageTests {
    @Test func anImageIsMadeOfDataBytesAPathOrAURL() throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.png(width: 40, height: 30, seed: 1)
        let path = try folder.write(photo, to: "a 100% photo?.png")
        let images = [
            try EncodedImage(bytes: photo), try EncodedImage(data: Data(photo)),
            try EncodedImage(data: photo),
            try EncodedImage(path: path), try EncodedImage(contentsOf: URL(fileURLWithPath: path)),
        ]
        for image in images {
            #expect(image.format == .png)
            #expect(try image.bytes() == photo)
            #expect(try image.data == Data(photo))
        }
    }

    @Test func anAddressThatIsNoFilesIsRefused() throws {
        let url = try #require(URL(string: "https://example.com/a.png"))
        #expect(throws: PhotoError.self) { try EncodedImage(contentsOf: url) }
        #expect(throws: PhotoError.self) { try EncodedImage.placeholder.write(to: url) }
        #expect(!FileManager.default.fileExists(atPath: "https:"))
    }

    @Test func anImageIsWrittenToAURL() throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path("b c.png"))
        let image = try EncodedImage(bytes: try TestPhoto.png(width: 8, height: 8, seed: 2))
        try image.write(to: url)
        #expect(try folder.read("b c.png") == image.bytes())
        #expect(throws: PhotoError.outputExists(path: folder.path("b c.png"))) { try image.write(to: url) }
        try EncodedImage.placeholder.write(to: url, overwrites: true)
        #expect(try folder.read("b c.png") == EncodedImage.placeholder.bytes())
    }

    @Test func aHeaderTellsSizeOrientationAndMetadata() throws {
        let exif = EXIF(orientation: .right)
        let image = try EncodedImage(bytes: try TestPhoto.jpeg(exif, width: 48, height: 32, seed: 3))
        #expect(try image.geometry == PhotoGeometry(width: 48, height: 32, orientation: .right))
        #expect(try image.geometry.shownWidth == 32)
        #expect(try image.metadata.exif?.bytes == exif.bytes)
        let other = try EncodedImage(data: Data("no photo".utf8))
        #expect(throws: PhotoError.self) { try other.geometry }
        #expect(throws: PhotoError.self) { try other.metadata }
    }

    @Test func pixelsComeInANamedLayout() throws {
        let samples = TestPhoto.samples(width: 5, height: 3, seed: 4)
        let image = try EncodedImage(bytes: try TestPhoto.png(width: 5, height: 3, seed: 4))
        #expect(try image.pixels(.rgb8).bytes == samples)
        let rgba = stride(from: 0, to: samples.count, by: 3).flatMap { samples[$0..<$0 + 3] + [255] }
        #expect(try image.pixels(.rgba8) == Pixels(rgba, width: 5, height: 3))
        #expect(try image.pixels(.rgb16).samples16 == samples.map { UInt16($0) * 257 })
        #expect(try image.pixels(layout: .grey8) == image.pixels(.rgb8).converted(to: .grey8))
    }
}
