import Foundation
import TestSupport
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

/// HEICs and AVIFs of heif-enc: see Fixtures/make.py.
struct HEIFTests {
    private static let files = ["heic", "avif"].flatMap { name in
        (try? Fixture.names(withExtension: name).map { "\($0).\(name)" }) ?? []
    }

    private static let premultiplied = "av1-premultiplied-alpha.avif"

    private static func reader(_ bytes: [UInt8], _ limits: DecodeLimits = .init()) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: limits)
    }

    private static func decoded(_ bytes: [UInt8], rowCapacity: Int = 8) throws -> Pixels {
        let reader = try reader(bytes)
        return try Pixels(reader.makeSource(layout: reader.layout), rowCapacity: rowCapacity)
    }

    @Test func thereAreFiles() { #expect(Self.files.count >= 10) }

    @Test(arguments: files.filter { ![premultiplied, "metadata.heic"].contains($0) })
    func filesAreDecodedAsHeifConvertDoes(name: String) throws {
        let file = try Fixture.bytes(name)
        let reader = try Self.reader(file)
        let hasMap = name.hasPrefix("gain-map")
        #expect(reader.format.rawValue == name.suffix(4) && reader.notes.isEmpty != hasMap)
        let expected = try Pixels(pam: Fixture.bytes("\(name.prefix { $0 != "." }).pam"))
        for rows in [1, 8, 100] { #expect(try Self.decoded(file, rowCapacity: rows) == expected) }
    }

    /// heif-convert leaves the alpha multiplied in.
    @Test func alphaIsDividedOut() throws {
        let name = Self.premultiplied, held = try Pixels(pam: Fixture.bytes("\(name.dropLast(5)).pam"))
        let plain = try Self.decoded(Fixture.bytes(name))
        #expect(plain != held)
        for index in plain.samples.indices where index % 4 < 3 {
            let value = Int(plain.samples[index]), alpha = Int(plain.samples[index | 3])
            #expect(
                alpha == held.samples[index | 3] && (value * alpha * 2 + 255) / 510 == held.samples[index])
        }
    }

    @Test func metadataIsRead() throws {
        let heif = try Self.reader(Fixture.bytes("metadata.heic")).metadata
        let jpeg = try Self.reader(Fixture.bytes("metadata.jpg")).metadata.upright()
        for item in jpeg.items {
            switch item {
            case .exif, .icc, .xmp: #expect(heif.items.contains(item))
            default: break
            }
        }
        #expect(heif.items.count >= 3)
    }

    @Test func sizesAreCheckedBeforePixels() throws {
        let file = try Fixture.bytes("hevc.heic")
        #expect(throws: CodecError.tooManyPixels(width: 35, height: 27, limit: 944)) {
            try Self.reader(file, DecodeLimits(maxPixels: 944))
        }
        let need = try Self.reader(file).decoder.memoryByteCount(decodingTo: .interleaved(.rgb, .eight))
        #expect(
            throws: CodecError.needsTooMuchMemory(reason: "a HEIC", byteCount: need, limit: need - 1)
        ) { try Self.reader(file, DecodeLimits(maxPixels: 945, memoryByteCount: need - 1)) }
    }

    /// A pipe is read to its end before the first pixel.
    @Test func aPipeGivesTheSame() throws {
        let file = try Fixture.bytes("hevc-alpha.heic")
        #expect(try pixelsFromPipe(file) == Self.decoded(file))
    }

    @Test(arguments: ["heic", "avif"]) func memoryIsEstimated(name: String) throws {
        let reader = try Self.reader(Fixture.bytes("large/gradients.\(name)"))
        let estimate = try expectMemoryIsEstimated(of: reader, in: HEIFHead.self)
        let large = PhotoGeometry(width: 20_000, height: 10_000)
        let factor = large.pixelCount / reader.geometry.pixelCount
        let limit = DecodeLimits().memoryLimit(for: large, decodedTo: reader.layout)
        let constant = LibraryHead.constantByteCount
        #expect((estimate - constant) * factor + constant < limit, "large photos are refused")
    }

    @Test(arguments: [[0], [0, 0, 0, 0, 0, 0, 0], Array("trailer behind the photo".utf8)])
    func bytesAfterTheBoxesAreNotThePhotos(tail: [UInt8]) throws {
        let file = try Fixture.bytes("hevc.heic")
        #expect(try Self.decoded(file + tail) == Self.decoded(file))
    }

    /// An item that refers to itself makes libheif 1.15 call itself until its stack ends.
    @Test func aFileThatCrashesLibheifIsDamaged() throws {
        let error = #expect(throws: CodecError.self) { try decode(Fixture.bytes("damaged/endless.heic")) }
        guard case .corrupt = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    /// No mutation may crash, hang or take memory beyond the limits.
    @Test(arguments: files) func mutationsEndInAnErrorOrPixels(name: String) throws {
        let whole = try Fixture.bytes(name)
        var random = SeededGenerator(seed: 5), limits = DecodeLimits(maxPixels: 100_000)
        limits.maxMetadataByteCount = 1 << 20
        var errors = 0, decoded = 0
        for index in 0..<40 {
            var file = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                file[Int.random(in: 12..<file.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
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
