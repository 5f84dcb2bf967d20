import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCodecs

@testable import TintypePhotos

/// Pixels of every layout, from every kind of file, and into both formats.
struct LayoutTests {
    private static let layouts: [PixelLayout] =
        PixelLayout.Channels.allCases.flatMap { channels in
            PixelLayout.SampleDepth.allCases.map { .interleaved(channels, $0) }
        } + subsamplings.map { .yCbCr($0) }

    /// Also those that no JPEG may have.
    private static let subsamplings = [1, 2, 4].flatMap { horizontal in
        [1, 2, 4].compactMap { ChromaSubsampling(horizontal: horizontal, vertical: $0) }
    }

    private static func noise(_ layout: PixelLayout, width: Int, height: Int, seed: UInt64) -> Pixels {
        let geometry = PhotoGeometry(width: width, height: height)
        var random = SeededGenerator(seed: seed)
        return Pixels(
            random.bytes(count: Pixels.byteCount(of: geometry, layout: layout)), geometry, layout: layout)
    }

    private struct Fixture {
        let name: String
        let image: EncodedImage
        let own: Pixels
    }

    /// Some are damaged; these are thrown with and without a layout.
    private static let fixtures: [Fixture] = {
        let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../CodecsTests/Fixtures").path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.compactMap { name in
            guard let image = try? EncodedImage(path: "\(folder)/\(name)"), image.format != nil,
                let own = try? image.pixels()
            else { return nil }
            return Fixture(name: name, image: image, own: own)
        }
    }()

    @Test(arguments: layouts)
    func everyFixtureHasPixelsOfEveryLayout(layout: PixelLayout) throws {
        for fixture in Self.fixtures {
            let (name, image, own) = (fixture.name, fixture.image, fixture.own)
            let pixels = try image.pixels(layout: layout)
            #expect(pixels.layout == layout && pixels.geometry == own.geometry, "\(name)")
            // libjpeg has upsampling and grey of its own.
            if image.format == .png { #expect(try own.converted(to: layout) == pixels, "\(name)") }
        }
        #expect(Self.fixtures.count > 80)
    }

    @Test(arguments: layouts)
    func everyFormatTakesEveryLayout(layout: PixelLayout) throws {
        for (width, height) in [(1, 1), (1, 17), (33, 1), (19, 23), (64, 130)] {
            let pixels = Self.noise(layout, width: width, height: height, seed: 3)
            for format in PhotoFormat.written {
                let image = try EncodedImage(pixels, as: format, quality: 95)
                let decoded = try image.pixels()
                #expect(image.format == format && decoded.geometry == pixels.geometry)
                #expect(decoded.layout.hasColour == (layout.hasColour || !format.hasGrey))
                guard format == .png, case .interleaved = layout else { continue }
                #expect(decoded == pixels, "a PNG keeps interleaved pixels")
            }
        }
    }

    @Test(arguments: layouts, layouts)
    func everyLayoutBecomesEveryOther(from: PixelLayout, to: PixelLayout) throws {
        let pixels = Self.noise(from, width: 21, height: 37, seed: 5)
        let converted = try pixels.converted(to: to)
        #expect(converted.layout == to && converted.geometry == pixels.geometry)
        if from == to { #expect(converted == pixels) }
    }

    @Test func conversionsKeepValuesOrMakeThemAsTheyShould() throws {
        let one = PhotoGeometry(width: 1, height: 1)
        func converted(_ bytes: [UInt8], _ from: PixelLayout, _ to: PixelLayout) throws -> [UInt8] {
            try Pixels(bytes, one, layout: from).converted(to: to).bytes
        }
        let (rgb, rgba) = (PixelLayout.interleaved(.rgb, .eight), PixelLayout.interleaved(.rgba, .eight))
        let grey = PixelLayout.interleaved(.grey, .eight)
        #expect(try converted([1, 2, 3], rgb, rgba) == [1, 2, 3, 255])
        #expect(try converted([7], grey, rgb) == [7, 7, 7])
        // 200 of a half over white: 200 x 128 / 255 + 127 = 227.4.
        #expect(try converted([200, 0, 255, 128], rgba, rgb) == [227, 127, 255])
        // 0.299 x 200 + 0.587 x 100 + 0.114 x 50 = 124.2
        #expect(try converted([200, 100, 50], rgb, grey) == [124])
        #expect(try converted([200, 100, 50], rgb, .yCbCr(.s444))[0] == 124)
        for value in UInt8.min...UInt8.max {
            let wide = try converted([value], grey, .interleaved(.grey, .sixteen))
            #expect(wide == [value, value], "a byte times 257")
            #expect(try converted(wide, .interleaved(.grey, .sixteen), grey) == [value])
        }
    }

    @Test func whatAFormatDoesNotHaveIsThrown() throws {
        let pixels = Self.noise(.interleaved(.rgb, .eight), width: 3, height: 3, seed: 1)
        for quality in [-1, 0, 101] {
            #expect(throws: PhotoError.self) { try EncodedImage(pixels, as: .jpeg, quality: quality) }
        }
        let wide = Self.noise(.interleaved(.grey, .eight), width: 65_501, height: 1, seed: 1)
        #expect(throws: PhotoError.self) { try EncodedImage(wide, as: .jpeg) }
        #expect(try EncodedImage(wide, as: .png).pixels() == wide)

        let reader = try PhotoReader(bytes: EncodedImage(pixels, as: .png).bytes(), limits: DecodeLimits())
        #expect(throws: CodecError.self) { try reader.makeSource(layout: .interleaved(.grey, .eight)) }
        let null = try #require(FileHandle(forWritingAtPath: "/dev/null"))
        for (format, layout) in [
            (PhotoFormat.jpeg, PixelLayout.interleaved(.rgba, .eight)), (.png, .yCbCr(.s420)),
        ] {
            #expect(throws: CodecError.self) {
                try PhotoWriter(
                    fileDescriptor: null.fileDescriptor,
                    settings: PhotoWriterSettings(format: format, geometry: pixels.geometry, layout: layout))
            }
        }
    }

    @Test func aThumbnailHasAPixel() throws {
        let image = try EncodedImage(bytes: try TestPhoto.png(width: 40, height: 30, seed: 1))
        for side in [-5, 0, 1] {
            #expect(try image.thumbnail(longSide: side).pixels().geometry.width == 1)
        }
    }
}
