import Foundation
import TestSupport
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

struct HEIFWritingTests {
    /// Two values, which libaom compresses in a way of its own.
    private static func graphics(_ width: Int, _ height: Int, alpha: Bool) -> Pixels {
        var random = SeededGenerator(seed: 2)
        let count = width * height * (alpha ? 4 : 3)
        return Pixels(
            width: width, height: height, channels: alpha ? 4 : 3, maximum: 255,
            samples: (0..<count).map { _ in Bool.random(using: &random) ? 255 : 0 })
    }

    private static func layout(_ pixels: Pixels) -> PixelLayout {
        .interleaved(pixels.channels == 4 ? .rgba : .rgb, .eight)
    }

    private static func settings(
        _ pixels: Pixels, _ quality: Int, isLossless: Bool, metadata: PhotoMetadata = .init()
    ) -> PhotoWriterSettings {
        var settings = PhotoWriterSettings(
            format: .avif, geometry: PhotoGeometry(width: pixels.width, height: pixels.height),
            layout: layout(pixels), metadata: metadata, jpegQuality: .value(quality))
        settings.isLossless = isLossless
        return settings
    }

    private static func encoded(
        _ pixels: Pixels, _ quality: Int = 90, isLossless: Bool = false, metadata: PhotoMetadata = .init(),
        rowCapacity: Int = 16
    ) throws -> [UInt8] {
        let settings = settings(pixels, quality, isLossless: isLossless, metadata: metadata)
        return try written { descriptor in
            let writer = try PhotoWriter(fileDescriptor: descriptor, settings: settings)
            try pixels.strips(settings.layout, rowCapacity: rowCapacity) { try writer.write($0) }
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

    @Test(arguments: [(1, 1), (17, 13), (2, 300), (131, 97)], [false, true])
    func withoutLossAllSamplesComeBack(size: (Int, Int), alpha: Bool) throws {
        let pixels = Pixels.smooth(size.0, size.1, alpha: alpha)
        for rows in [1, 16, 1000] {
            let file = try Self.encoded(pixels, isLossless: true, rowCapacity: rows)
            #expect(try Self.reader(file).isLossless && Self.decoded(file) == pixels)
        }
    }

    @Test(arguments: [(1, 1), (17, 13), (300, 2), (131, 97)], [false, true])
    func withLossTheSizeAndKindComeBack(size: (Int, Int), alpha: Bool) throws {
        let pixels = Pixels.smooth(size.0, size.1, alpha: alpha)
        let reader = try Self.reader(Self.encoded(pixels))
        #expect(reader.format == .avif && !reader.isLossless && reader.notes.isEmpty)
        #expect(reader.layout == Self.layout(pixels))
        #expect(reader.geometry == PhotoGeometry(width: size.0, height: size.1))
        #expect(reader.metadata == PhotoMetadata())
    }

    @Test func aBetterQualityIsNearer() throws {
        let pixels = Pixels.smooth(131, 97, alpha: false)
        func error(_ quality: Int) throws -> Int {
            let decoded = try Self.decoded(Self.encoded(pixels, quality))
            return zip(decoded.samples, pixels.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        let errors = try [10, 50, 90].map(error)
        #expect(errors == errors.sorted(by: >) && Set(errors).count == 3, "\(errors)")
        // A mistake of the range or matrix would shift all values.
        #expect(errors[2] < 4 * pixels.samples.count, "\(errors)")
    }

    // MARK: Metadata

    @Test(arguments: [false, true]) func metadataComesBack(isLossless: Bool) throws {
        let pixels = Pixels.smooth(30, 20, alpha: false)
        let items: [PhotoMetadata.Item] = [
            .icc(.adobeRGB), .exif(EXIF(orientation: .up).bytes), .xmp(Array("<x:xmpmeta/>".utf8)),
        ]
        let file = try Self.encoded(
            pixels, isLossless: isLossless, metadata: PhotoMetadata(items: items))
        let reader = try Self.reader(file)
        #expect(reader.metadata.items.count == 3 && items.allSatisfy(reader.metadata.items.contains))
        #expect(try Self.decoded(file) == Self.decoded(Self.encoded(pixels, isLossless: isLossless)))
    }

    @Test(arguments: [false, true]) func codesOfColourComeBack(isLossless: Bool) throws {
        let pixels = Pixels.smooth(30, 20, alpha: false)
        let codes = PhotoMetadata(items: [.pngChunk(name: "cICP", [9, 16, 0, 1])])
        let (metadata, notes) = codes.converted(
            from: .png, to: .avif, hasColour: true, limits: DecodeLimits())
        #expect(metadata == codes && notes.isEmpty)
        let file = try Self.encoded(pixels, isLossless: isLossless, metadata: metadata)
        #expect(try Self.reader(file).metadata == codes)
    }

    /// The pixels are RGB in full range.
    @Test func codesOfAnotherRangeAreNoneOfAnAVIF() {
        let (metadata, notes) = PhotoMetadata(items: [.pngChunk(name: "cICP", [9, 16, 0, 0])])
            .converted(from: .png, to: .avif, hasColour: true, limits: DecodeLimits())
        #expect(metadata.items.isEmpty)
        #expect(notes == [.metadataLeftOut(names: ["meaning of the colours"], by: .avif)])
    }

    @Test func whatAnAVIFCannotHoldIsNamed() {
        let (metadata, notes) = PhotoMetadata(items: [.comment([65]), .exif([1])])
            .converted(from: .jpeg, to: .avif, hasColour: true, limits: DecodeLimits())
        #expect(metadata.items == [.exif([1])])
        #expect(notes == [.metadataLeftOut(names: ["comment"], by: .avif)])
    }

    // MARK: Copies

    @Test func aCopyIsTheFile() throws {
        let file = try Self.encoded(Pixels.smooth(40, 30, alpha: true), 50) + [7]
        #expect(try copied(file) == file)
        #expect(try !Self.reader(file).canBeCopied(as: .avif, replacingMetadata: true))
    }

    // MARK: Memory

    @Test(arguments: [false, true], [false, true])
    func memoryIsEstimated(alpha: Bool, isLossless: Bool) throws {
        for pixels in [
            Pixels.smooth(1000, 800, alpha: alpha), Self.graphics(1000, 800, alpha: alpha),
        ] {
            let settings = Self.settings(pixels, 90, isLossless: isLossless)
            let encoder = try IsolatedEncoder(ByteOutput(), settings, HEIFHead.library)
            try pixels.strips(settings.layout, rowCapacity: 16) { encoder.write($0) }
            try encoder.finish()
            let estimate = settings.format.codec.memoryByteCount(
                encoding: settings.layout, settings.geometry)
            expect(taken: encoder.takenByteCount, below: estimate, forPixels: pixels.samples.count)
        }
    }
}
