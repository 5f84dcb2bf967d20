import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

/// TIFFs of tiffcp, libvips and Pillow: see Fixtures/tiffs.py.
struct TIFFTests {
    private static let files = (try? Fixture.names(withExtension: "tif")) ?? []

    private static func reader(_ bytes: [UInt8], _ limits: DecodeLimits = .init()) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: limits)
    }

    private static func decoded(
        _ bytes: [UInt8], _ limits: DecodeLimits = .init(), rowCapacity: Int = 8
    ) throws -> Pixels {
        let reader = try reader(bytes, limits)
        return try Pixels(reader.makeSource(layout: reader.layout), rowCapacity: rowCapacity)
    }

    @Test func thereAreFiles() { #expect(Self.files.count >= 20) }

    @Test(arguments: files) func samplesAreThoseOfTheFile(name: String) throws {
        let file = try Fixture.bytes("\(name).tif")
        let reader = try Self.reader(file)
        #expect(reader.format == .tiff)
        #expect(
            reader.notes == (name == "tiff-pages" ? [.furtherPicturesLeftOut([.picture])] : []))
        let expected = try Pixels(pam: Fixture.bytes("\(name).pam"))
        for rows in [1, 8, 100] { #expect(try Self.decoded(file, rowCapacity: rows) == expected) }
    }

    // MARK: Metadata

    @Test func metadataIsRead() throws {
        let reader = try Self.reader(Fixture.bytes("tiff-metadata.tif")), metadata = reader.metadata
        #expect(reader.geometry.orientation == .right && metadata.icc?.isSRGB == true)
        #expect(metadata.density == PixelDensity(x: 300, y: 300, unit: .perInch))
        #expect(metadata.items.contains(.xmp(Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'></x:xmpmeta>".utf8))))
        let iptc = Array("\u{1C}\u{2}\u{78}\0\u{7}Caption".utf8)
        #expect(String(decoding: metadata.photoshopResources, as: UTF8.self).contains("8BIM\u{4}\u{4}"))
        #expect(metadata.photoshopResources.suffix(12) == iptc[...])
        let exif = String(decoding: try #require(metadata.exif).bytes, as: UTF8.self)
        for text in ["A description", "Maker", "(c) Somebody", "A lens of some length"] {
            #expect(exif.contains(text))
        }
        // What tells where the samples lie is none of it.
        #expect(try #require(metadata.exif).bytes.count < 1000)
    }

    /// A file refers to its directories by offsets, which may point anywhere.
    @Test func directoriesThatReferToThemselvesEnd() throws {
        // Two entries, and both are directories of EXIF: the first one itself.
        let entry: [UInt8] = [0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8]
        let file: [UInt8] = [0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 2] + entry + entry + [0, 0, 0, 0]
        let exif = try #require(TIFFDirectory(file)?.exif(atMost: 1000))
        #expect(exif.count < 400)
        #expect(TIFFDirectory(file)?.exif(atMost: 50) == nil)
    }

    @Test func withoutWordsThereIsNoEXIF() throws {
        for name in ["tiff-lzw", "tiff-packbits-big-endian", "tiff-bigtiff"] {
            #expect(try Self.reader(Fixture.bytes("\(name).tif")).metadata.exif == nil)
        }
    }

    // MARK: Limits

    @Test func sizesAreCheckedBeforePixels() throws {
        let file = try Fixture.bytes("tiff-lzw.tif")
        #expect(throws: CodecError.tooManyPixels(width: 35, height: 27, limit: 944)) {
            try Self.reader(file, DecodeLimits(maxPixels: 944))
        }
        let need = try Self.reader(file).decoder.memoryByteCount(decodingTo: .interleaved(.rgb, .eight))
        #expect(
            throws: CodecError.needsTooMuchMemory(reason: "a TIFF", byteCount: need, limit: need - 1)
        ) { try Self.reader(file, DecodeLimits(maxPixels: 945, memoryByteCount: need - 1)) }
    }

    /// Those whose first directory is among the first bytes are of another format.
    @Test func rawPhotosAreNone() throws {
        let error = CodecError.unsupported(detail: "a TIFF whose first image is a preview, or a RAW photo")
        #expect(throws: error) { try Self.reader(Fixture.bytes("damaged/preview.tif")) }
        func entry(_ tag: UInt16, _ value: UInt16) -> [UInt8] {
            [
                UInt8(tag >> 8), UInt8(tag & 255), 0, 3, 0, 0, 0, 1, UInt8(value >> 8), UInt8(value & 255), 0,
                0,
            ]
        }
        for (tag, value) in [(0xC612, 1), (0x0106, 32803), (0x0103, 34713)] as [(UInt16, UInt16)] {
            for gap in [0, 5000] {
                let offset = 8 + gap
                let file: [UInt8] =
                    [0x4D, 0x4D, 0, 42, 0, 0, UInt8(offset >> 8), UInt8(offset & 255)]
                    + [UInt8](repeating: 0, count: gap) + [0, 1] + entry(tag, value) + [0, 0, 0, 0]
                #expect(PhotoFormat.detect(file) == (gap == 0 ? .raw : .tiff))
                #expect(throws: gap == 0 ? .unsupported(detail: "a RAW photo without a JPEG inside") : error)
                {
                    try Self.reader(file)
                }
            }
        }
    }

    /// Its directory is not read for EXIF.
    @Test func aBigTIFFIsTurned() throws {
        let reader = try Self.reader(Fixture.bytes("tiff-turned-bigtiff.tif"))
        #expect(reader.geometry.orientation == .right)
    }

    /// Layers and further pages take no memory for pixels.
    @Test func bytesThatAreNotThePhotosAreNoneOfItsMemory() throws {
        let file = try Fixture.bytes("tiff-pages.tif")
        let reader = try Self.reader(file + [UInt8](repeating: 7, count: 100 << 20))
        let layout = reader.layout
        #expect(reader.decoder.memoryByteCount(decodingTo: layout) > 100 << 20)
        #expect(reader.memoryLimit(decodingTo: layout) > reader.decoder.memoryByteCount(decodingTo: layout))
    }

    @Test(arguments: ["gradients", "gradients-palette"]) func memoryIsEstimated(name: String) throws {
        try expectMemoryIsEstimated(of: Self.reader(Fixture.bytes("large/\(name).tif")), in: TIFFHead.self)
    }

    @Test func whatComesBeforeTheDamageIsKept() throws {
        let file = try Fixture.bytes("tiff-one-strip.tif"), whole = try Self.decoded(file)
        // The strip is first, and the directory after it.
        var damaged = file
        for position in 1500..<1600 { damaged[position] = 0xFF }
        #expect(throws: CodecError.self) { try Self.decoded(damaged) }
        var limits = DecodeLimits()
        limits.toleratesDamage = true
        let rest = try Self.decoded(damaged, limits), row = 3 * whole.width
        #expect(rest.samples.prefix(row) == whole.samples.prefix(row) && rest != whole)
    }

    @Test func aDamagedStripIsZeroWhereDamageIsTolerated() throws {
        var file = try Fixture.bytes("tiff-deflate.tif")
        let whole = try Self.decoded(file)
        // A strip is a row. The first one's begins with zlib's header.
        let start = try #require(file.indices.first { file[$0...].starts(with: [0x78]) })
        file[start] = 0xFF
        #expect(throws: CodecError.self) { try Self.decoded(file) }
        var limits = DecodeLimits()
        limits.toleratesDamage = true
        let rest = try Self.decoded(file, limits)
        let row = 3 * whole.width
        #expect(rest.samples.prefix(row).allSatisfy { $0 == 0 })
        #expect(rest.samples.dropFirst(row) == whole.samples.dropFirst(row))
    }

    /// No mutation may crash, hang or take memory beyond the limits.
    @Test(arguments: files) func mutationsEndInAnErrorOrPixels(name: String) throws {
        let whole = try Fixture.bytes("\(name).tif")
        var random = SeededGenerator(seed: 7), limits = DecodeLimits(maxPixels: 100_000)
        limits.maxMetadataByteCount = 1 << 20
        var errors = 0, decoded = 0
        for index in 0..<40 {
            var file = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // Most of it in the directory, which is first or last.
                let part =
                    Bool.random(using: &random)
                    ? 8..<min(200, file.count) : max(8, file.count - 300)..<file.count
                file[Int.random(in: part, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            limits.toleratesDamage = index % 3 == 0
            do {
                try decode(file, limits: limits)
                decoded += 1
            } catch is CodecError { errors += 1 }
        }
        #expect(errors > 0 && decoded > 0, "\(errors) \(decoded)")
    }
}
