import Foundation
import TestSupport
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

struct JXLWritingTests {
    private static let layouts = PixelLayout.Channels.allCases.flatMap { channels in
        PixelLayout.SampleDepth.allCases.map { PixelLayout.interleaved(channels, $0) }
    }

    private static func settings(
        _ pixels: Pixels, _ layout: PixelLayout, _ quality: Int?, _ metadata: PhotoMetadata = .init()
    ) -> PhotoWriterSettings {
        var settings = PhotoWriterSettings(
            format: .jxl, geometry: PhotoGeometry(width: pixels.width, height: pixels.height),
            layout: layout, metadata: metadata, jpegQuality: .value(quality ?? 90))
        settings.isLossless = quality == nil
        return settings
    }

    /// - Parameter quality: nil for none lost.
    private static func encoded(
        _ pixels: Pixels, _ layout: PixelLayout = .interleaved(.rgb, .eight), _ quality: Int? = 90,
        metadata: PhotoMetadata = .init(), rowCapacity: Int = 16
    ) throws -> [UInt8] {
        let settings = settings(pixels, layout, quality, metadata)
        return try written { descriptor in
            let writer = try PhotoWriter(fileDescriptor: descriptor, settings: settings)
            try pixels.strips(layout, rowCapacity: rowCapacity) { try writer.write($0) }
            try writer.finish()
        }
    }

    private static func reader(_ bytes: [UInt8]) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: .init())
    }

    private static func decoded(_ bytes: [UInt8]) throws -> Pixels {
        let reader = try reader(bytes)
        return try Pixels(reader.makeSource(layout: reader.layout))
    }

    /// Two values, as in graphics.
    private static func graphics(_ width: Int, _ height: Int, _ layout: PixelLayout) -> Pixels {
        var pixels = Pixels.smooth(width, height, layout)
        pixels.samples = pixels.samples.enumerated().map { index, _ in
            index / pixels.channels % 64 < 40 ? UInt16(pixels.maximum) : 0
        }
        return pixels
    }

    private static func noise(_ width: Int, _ height: Int, _ layout: PixelLayout) -> Pixels {
        var random = SeededGenerator(seed: 2), pixels = Pixels.smooth(width, height, layout)
        pixels.samples = pixels.samples.map { _ in
            UInt16.random(in: 0...UInt16(pixels.maximum), using: &random)
        }
        return pixels
    }

    @Test(arguments: [(1, 1), (17, 13), (2, 300), (300, 270)], layouts)
    func withoutLossAllSamplesComeBack(size: (Int, Int), layout: PixelLayout) throws {
        let pixels = Pixels.smooth(size.0, size.1, layout)
        for rows in [1, 16, 1000] {
            let file = try Self.encoded(pixels, layout, nil, rowCapacity: rows)
            let reader = try Self.reader(file)
            #expect(reader.isLossless && reader.layout == layout)
            #expect(try Self.decoded(file) == pixels)
        }
    }

    @Test(arguments: [(1, 1), (17, 13), (300, 270)], layouts)
    func withLossTheSizeAndKindComeBack(size: (Int, Int), layout: PixelLayout) throws {
        let pixels = Pixels.smooth(size.0, size.1, layout)
        let reader = try Self.reader(Self.encoded(pixels, layout))
        #expect(reader.format == .jxl && !reader.isLossless && reader.notes.isEmpty)
        #expect(reader.layout == layout)
        #expect(reader.geometry == PhotoGeometry(width: size.0, height: size.1))
        #expect(reader.metadata == PhotoMetadata())
    }

    @Test func aBetterQualityIsNearer() throws {
        let pixels = Pixels.smooth(131, 97, alpha: false)
        func error(_ quality: Int) throws -> Int {
            let decoded = try Self.decoded(Self.encoded(pixels, .interleaved(.rgb, .eight), quality))
            return zip(decoded.samples, pixels.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        let errors = try [1, 29, 30, 60, 90, 100].map(error)
        #expect(errors == errors.sorted(by: >) && Set(errors).count > 4, "\(errors)")
        #expect(errors[4] < 4 * pixels.samples.count, "\(errors)")
    }

    // MARK: Metadata

    @Test(arguments: [90, nil]) func metadataComesBack(quality: Int?) throws {
        let pixels = Pixels.smooth(30, 20, alpha: false), layout = PixelLayout.interleaved(.rgb, .eight)
        let items: [PhotoMetadata.Item] = [
            .icc(.adobeRGB), .exif(EXIF(orientation: .up).bytes), .xmp(Array("<x:xmpmeta/>".utf8)),
        ]
        let file = try Self.encoded(pixels, layout, quality, metadata: PhotoMetadata(items: items))
        let reader = try Self.reader(file)
        #expect(items.dropFirst().allSatisfy(reader.metadata.items.contains))
        // With loss, the profile may be told by libjxl in other bytes.
        #expect(quality != nil || reader.metadata.items.contains(items[0]))
        #expect(try quality != nil || Self.decoded(file) == pixels)
    }

    @Test(arguments: [90, nil], [[9, 16, 0, 1], [12, 13, 0, 1], [1, 8, 0, 1], [9, 18, 0, 1]])
    func codesOfColourComeBack(quality: Int?, codes: [UInt8]) throws {
        let pixels = Pixels.smooth(30, 20, alpha: false)
        let coded = PhotoMetadata(items: [.pngChunk(name: "cICP", codes)])
        let (metadata, notes) = coded.converted(
            from: .png, to: .jxl, hasColour: true, limits: DecodeLimits())
        #expect(metadata == coded && notes.isEmpty)
        let file = try Self.encoded(pixels, .interleaved(.rgb, .eight), quality, metadata: metadata)
        #expect(try Self.reader(file).metadata == coded)
    }

    /// BT.601's primaries have no place, but a profile can say the same.
    @Test func otherCodesBecomeAProfile() throws {
        let coded = PhotoMetadata(items: [.pngChunk(name: "cICP", [6, 6, 0, 1])])
        let (metadata, notes) = coded.converted(
            from: .png, to: .jxl, hasColour: true, limits: DecodeLimits())
        #expect(notes.isEmpty && metadata.items.count == 1 && metadata.icc != nil)
        let file = try Self.encoded(
            Pixels.smooth(30, 20, alpha: false), .interleaved(.rgb, .eight), nil, metadata: metadata)
        #expect(try Self.reader(file).metadata == metadata)
    }

    @Test(arguments: Orientation.allCases) func theOrientationIsTheImages(orientation: Orientation) throws {
        let pixels = Pixels.smooth(31, 20, alpha: false)
        let metadata = PhotoMetadata(items: [.exif(EXIF(orientation: orientation).bytes)])
        let file = try Self.encoded(pixels, .interleaved(.rgb, .eight), nil, metadata: metadata)
        let reader = try Self.reader(file)
        #expect(reader.metadata.orientation == .up)
        let isTurned = orientation.swapsAxes
        #expect(reader.geometry.width == (isTurned ? 20 : 31))
        #expect(try (Self.decoded(file) == pixels) == (orientation == .up))
    }

    @Test func whatAJPEGXLCannotHoldIsNamed() {
        let (metadata, notes) = PhotoMetadata(items: [.comment([65]), .exif([1])])
            .converted(from: .jpeg, to: .jxl, hasColour: true, limits: DecodeLimits())
        #expect(metadata.items == [.exif([1])])
        #expect(notes == [.metadataLeftOut(names: ["comment"], by: .jxl)])
    }

    // MARK: Damage

    /// What is not there is as in a small picture of the photo. A file of less than a group has no parts.
    @Test func whatIsThereOfACutFileIsDecoded() throws {
        let pixels = Pixels.smooth(600, 500, alpha: false), file = try Self.encoded(pixels)
        var limits = DecodeLimits()
        limits.toleratesDamage = true
        let reader = try PhotoReader(bytes: Array(file.prefix(file.count * 2 / 3)), limits: limits)
        let decoded = try Pixels(reader.makeSource(layout: reader.layout))
        #expect(decoded.width == 600 && decoded.height == 500)
        let error = zip(decoded.samples, pixels.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        #expect(error < 20 * pixels.samples.count, "\(error) of \(pixels.samples.count) samples")
        #expect(try decoded != Self.decoded(file))
        let small = try Array(Self.encoded(.smooth(35, 27, alpha: false)).dropLast(1))
        #expect(throws: CodecError.truncated) { try decode(small, limits: limits) }
    }

    // MARK: Copies

    @Test func aCopyIsTheFile() throws {
        let file = try Self.encoded(Pixels.smooth(40, 30, alpha: true), .interleaved(.rgba, .eight), 50)
        #expect(try copied(file) == file)
        #expect(try !Self.reader(file).canBeCopied(as: .jxl, replacingMetadata: true))
    }

    // MARK: Memory

    @Test(
        arguments: [
            .interleaved(.grey, .eight), .interleaved(.greyAlpha, .eight), .interleaved(.rgb, .sixteen),
            .interleaved(.rgba, .eight),
        ] as [PixelLayout], [90, nil])
    func memoryIsEstimated(layout: PixelLayout, quality: Int?) throws {
        for pixels in [
            Pixels.smooth(600, 500, layout), Self.graphics(600, 500, layout), Self.noise(600, 500, layout),
        ] {
            let settings = Self.settings(pixels, layout, quality)
            let output = ByteOutput()
            let encoder = try IsolatedEncoder(output, settings, JXLHead.library)
            try pixels.strips(layout, rowCapacity: 16) { encoder.write($0) }
            try encoder.finish()
            let estimate = settings.format.codec.memoryByteCount(
                encoding: layout, settings.geometry)
            expect(
                taken: encoder.takenByteCount, below: estimate,
                forPixels: pixels.width * pixels.height * layout.bytesPerPixel)

            let reader = try Self.reader(output.bytes)
            _ = try Pixels(reader.makeSource(layout: layout))
            let decoder = try #require(reader.decoder as? IsolatedDecoder<JXLHead>)
            let need = decoder.memoryByteCount(decodingTo: layout)
            #expect(decoder.takenByteCount < need, "\(decoder.takenByteCount) bytes of \(need)")
            #expect(reader.memoryLimit(decodingTo: layout) > need)
        }
    }
}
