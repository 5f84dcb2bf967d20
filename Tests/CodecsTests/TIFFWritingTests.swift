import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

struct TIFFWritingTests {
    private static func pixels(
        _ width: Int, _ height: Int, _ channels: PixelLayout.Channels, _ depth: PixelLayout.SampleDepth
    ) -> Pixels {
        var random = SeededGenerator(seed: 3)
        let most: UInt16 = depth == .sixteen ? .max : 255
        return Pixels(
            width: width, height: height, channels: channels.rawValue, maximum: Int(most),
            samples: (0..<width * height * channels.rawValue).map { index in
                // A ramp, with steps over the ends of the range.
                UInt16(truncatingIfNeeded: index * 37) % most
                    &+ UInt16.random(in: 0...1, using: &random)
            })
    }

    private static func encoded(
        _ pixels: Pixels, _ layout: PixelLayout, metadata: PhotoMetadata = .init(), rowCapacity: Int = 16
    ) throws -> [UInt8] {
        let settings = PhotoWriterSettings(
            format: .tiff, geometry: PhotoGeometry(width: pixels.width, height: pixels.height),
            layout: layout, metadata: metadata)
        return try written { descriptor in
            let writer = try PhotoWriter(fileDescriptor: descriptor, settings: settings)
            try pixels.strips(layout, rowCapacity: rowCapacity) { try writer.write($0) }
            try writer.finish()
        }
    }

    private static func reader(_ bytes: [UInt8]) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: .init())
    }

    private static let bigEndianEXIF = EXIF(orientation: .left)
    /// Orientation and a maker's name, which lies after the directory.
    private static let littleEndianEXIF: [UInt8] = {
        var exif = Array("II*\0".utf8)
        exif += [8, 0, 0, 0, 2, 0]
        exif += [0x0F, 0x01, 2, 0, 6, 0, 0, 0, 38, 0, 0, 0]
        exif += [0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0, 0, 0, 0, 0]
        return exif + Array("Maker\0".utf8)
    }()

    /// As libtiff reads them. The byte order is EXIF's.
    @Test(arguments: PixelLayout.Channels.allCases, PixelLayout.SampleDepth.allCases)
    func samplesComeBack(channels: PixelLayout.Channels, depth: PixelLayout.SampleDepth) throws {
        let layout = PixelLayout.interleaved(channels, depth)
        for (width, height) in [(1, 1), (17, 13), (2, 300), (700, 1600 / channels.rawValue)] {
            let pixels = Self.pixels(width, height, channels, depth)
            for exif in [Self.bigEndianEXIF.bytes, Self.littleEndianEXIF] {
                let metadata = PhotoMetadata(items: [.exif(exif)])
                let files = try [1, 16, 1000].map {
                    try Self.encoded(pixels, layout, metadata: metadata, rowCapacity: $0)
                }
                #expect(Set(files).count == 1 && files[0].prefix(2) == exif.prefix(2))
                let reader = try Self.reader(files[0])
                #expect(reader.layout == layout && reader.notes.isEmpty)
                #expect(try Pixels(reader.makeSource(layout: layout)) == pixels)
            }
        }
    }

    @Test func metadataComesBack() throws {
        let layout = PixelLayout.interleaved(.rgb, .eight), pixels = Self.pixels(30, 20, .rgb, .eight)
        let iptc = PhotoshopResources.resources(ofIPTC: Array("caption".utf8))
        let segments = JPEGSegments.photoshopSegments(iptc)
        let metadata = PhotoMetadata(
            items: [.icc(.adobeRGB), .exif(Self.littleEndianEXIF), .xmp(Array("<x:xmpmeta/>".utf8))]
                + segments, density: PixelDensity(x: 240, y: 240, unit: .perInch))
        let reader = try Self.reader(Self.encoded(pixels, layout, metadata: metadata))
        #expect(reader.metadata.density == metadata.density && reader.geometry.orientation == .right)
        #expect(reader.metadata.icc == .adobeRGB)
        #expect(reader.metadata.items.contains(.xmp(Array("<x:xmpmeta/>".utf8))))
        #expect(reader.metadata.photoshopResources == iptc)
        let exif = try #require(reader.metadata.exif)
        #expect(String(decoding: exif.bytes, as: UTF8.self).contains("Maker"))
    }

    /// Maker notes count offsets from the beginning of EXIF, which is the file's.
    @Test func bytesOfEXIFStayWhereTheyAre() throws {
        let exif = Self.littleEndianEXIF
        let file = try Self.encoded(
            Self.pixels(3, 3, .rgb, .eight), .interleaved(.rgb, .eight),
            metadata: PhotoMetadata(items: [.exif(exif)]))
        #expect(file.dropFirst(8).starts(with: exif.dropFirst(8)))
    }

    /// What tells how another image is stored is none of the file's, and neither is what lies beyond EXIF, or looks like a RAW photo.
    @Test func fieldsOfStorageAreReplaced() throws {
        func entry(_ tag: UInt16, _ value: UInt16) -> [UInt8] {
            [
                UInt8(tag >> 8), UInt8(tag & 255), 0, 3, 0, 0, 0, 1, UInt8(value >> 8), UInt8(value & 255), 0,
                0,
            ]
        }
        // 1 x 1, a preview, a strip that lies nowhere, tiles, text and a directory beyond the end, and a DNG's version.
        let fields = [
            entry(254, 1), entry(256, 1), entry(257, 1), entry(273, 9999), entry(322, 16),
            [0x01, 0x0F, 0, 2, 0, 0, 0, 90, 0, 0, 0, 200], [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 200],
            entry(50706, 1),
        ]
        var exif: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, UInt8(fields.count)]
        for field in fields { exif += field }
        let pixels = Self.pixels(50, 40, .grey, .eight), layout = PixelLayout.interleaved(.grey, .eight)
        for end in [[0, 0, 0, 0], [0, 0, 0, 0, 7]] as [[UInt8]] {
            let metadata = PhotoMetadata(items: [.exif(exif + end)])
            let reader = try Self.reader(Self.encoded(pixels, layout, metadata: metadata))
            #expect(reader.metadata.exif == nil && reader.notes.isEmpty)
            #expect(try Pixels(reader.makeSource(layout: layout)) == pixels)
        }
    }

    /// A camera's EXIF, with its directories.
    @Test func directoriesOfEXIFAreFound() throws {
        let exif = try #require(Self.reader(Fixture.bytes("tiff-metadata.tif")).metadata.exif)
        let file = try Self.encoded(
            Self.pixels(3, 3, .rgb, .eight), .interleaved(.rgb, .eight),
            metadata: PhotoMetadata(items: [.exif(exif.bytes)]))
        #expect(try Self.reader(file).metadata.exif == exif)
    }

    @Test(arguments: [
        (PixelDensity(x: 11811, y: 11811, unit: .perMetre), PixelDensity(x: 300, y: 300, unit: .perInch)),
        (
            PixelDensity(x: 118, y: 59, unit: .perCentimetre),
            PixelDensity(x: 118, y: 59, unit: .perCentimetre)
        ),
        (PixelDensity(x: 2, y: 1, unit: .aspectOnly), PixelDensity(x: 2, y: 1, unit: .aspectOnly)),
    ])
    func densityComesBack(written: PixelDensity, read: PixelDensity) throws {
        let file = try Self.encoded(
            Self.pixels(3, 3, .rgb, .eight), .interleaved(.rgb, .eight),
            metadata: PhotoMetadata(density: written))
        #expect(try Self.reader(file).metadata.density == read)
    }

    /// IPTC has a place of its own in each of them.
    @Test func formatsPassOnWhatTheyHave() throws {
        let iptc = PhotoshopResources.resources(ofIPTC: Array("caption".utf8))
        var jpeg = try Self.reader(Fixture.bytes("metadata.jpg")).metadata
        jpeg.items += JPEGSegments.photoshopSegments(iptc)
        let (metadata, notes) = jpeg.converted(
            from: .jpeg, to: .tiff, hasColour: true, limits: DecodeLimits())
        #expect(metadata.exif == jpeg.exif && metadata.icc == jpeg.icc)
        #expect(metadata.photoshopResources == iptc)
        #expect(notes == [.metadataLeftOut(names: ["comment"], by: .tiff)])
        let png = metadata.converted(from: .tiff, to: .png, hasColour: true, limits: DecodeLimits())
        #expect(png.1.isEmpty)
        let back = png.0.converted(from: .png, to: .tiff, hasColour: true, limits: DecodeLimits())
        #expect(back.0.photoshopResources == iptc && back.1.isEmpty)
    }

    @Test func memoryIsEstimated() throws {
        let layout = PixelLayout.interleaved(.rgb, .sixteen)
        var random = SeededGenerator(seed: 4)
        let noise = Pixels(
            width: 500, height: 400, channels: 3, maximum: 65535,
            samples: (0..<600_000).map { _ in UInt16.random(in: 0...65535, using: &random) })
        let file = try Self.encoded(noise, layout)
        let estimate = PhotoFormat.tiff.codec.memoryByteCount(
            encoding: layout, PhotoGeometry(width: 500, height: 400))
        #expect(file.count > 1_200_000 && file.count < estimate - 3 << 20 && estimate < 9 << 20)
    }
}
