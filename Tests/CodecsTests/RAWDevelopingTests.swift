import Foundation
import TestSupport
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

/// RAW photos that LibRaw develops: see Fixtures/raws.py.
struct RAWDevelopingTests {
    private static let name = "raw-sensor.dng"
    private static let developing: DecodeLimits = {
        var limits = DecodeLimits()
        limits.raw = .develop
        return limits
    }()

    private static func reader(_ bytes: [UInt8], _ limits: DecodeLimits = developing) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: limits)
    }

    private static func decoded(_ bytes: [UInt8], _ limits: DecodeLimits = developing) throws -> Pixels {
        let reader = try reader(bytes, limits)
        return try Pixels(reader.makeSource(layout: reader.layout))
    }

    /// A field of type LONG gets another value.
    private static func set(_ tag: Int, _ old: Int, to new: Int, in file: inout [UInt8]) throws {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
        }
        let field = bytes(tag, 2) + [4, 0, 1, 0, 0, 0]
        let place = try #require(file.firstRange(of: field + bytes(old, 4)))
        file.replaceSubrange(place, with: field + bytes(new, 4))
    }

    /// The fixture with a larger sensor.
    private static func photo(width: Int, height: Int) throws -> [UInt8] {
        var file = try Fixture.bytes(name)
        try set(0x0111, file.count - 2 * 70 * 46, to: file.count, in: &file)
        try set(0x0100, 70, to: width, in: &file)
        try set(0x0101, 46, to: height, in: &file)
        try set(0x0116, 46, to: height, in: &file)
        try set(0x0117, 2 * 70 * 46, to: 2 * width * height, in: &file)
        var random = SeededGenerator(seed: 1)
        return file + random.bytes(count: 2 * width * height)
    }

    /// LibRaw's functions in C take the curve's exponent with single precision; the tool has it with double precision.
    @Test func samplesAreThoseOfLibRawsTool() throws {
        let pixels = try Self.decoded(Fixture.bytes(Self.name))
        let expected = try Pixels(pam: Fixture.bytes("raw-sensor.pam"))
        #expect(pixels.width == 46 && pixels.height == 70 && pixels.maximum == 65535)
        #expect(pixels.samples.count == expected.samples.count)
        let differences = zip(pixels.samples, expected.samples).map { abs(Int($0) - Int($1)) }
        #expect(differences.max() ?? 9 <= 1 && differences.count { $0 > 0 } < 10)
    }

    @Test func theDescriptionIsOfTheDevelopedPhoto() throws {
        let reader = try Self.reader(Fixture.bytes(Self.name))
        #expect(reader.format == .raw && reader.layout == .interleaved(.rgb, .sixteen))
        #expect(reader.geometry == PhotoGeometry(width: 46, height: 70) && reader.notes.isEmpty)
        let exif = try #require(reader.metadata.exif)
        #expect(exif.orientation == .up && !exif.saysAdobeRGB && reader.metadata.icc?.isSRGB == true)
        #expect(exif.withPixelSize(width: 46, height: 70) == exif)
        #expect(String(decoding: exif.bytes, as: UTF8.self).contains("2024:05:06 07:08:09"))
        #expect(!reader.canBeCopied(as: .jpeg, replacingMetadata: true))
        // The preview has its own size.
        let preview = try Self.reader(Fixture.bytes(Self.name), DecodeLimits())
        #expect(preview.geometry == PhotoGeometry(width: 35, height: 27, orientation: .right))
    }

    @Test func aPipeGivesTheSame() throws {
        let file = try Fixture.bytes(Self.name)
        #expect(try pixelsFromPipe(file, limits: Self.developing) == Self.decoded(file))
    }

    @Test func limitsAreCheckedBeforePixels() throws {
        let file = try Fixture.bytes(Self.name)
        var limits = Self.developing
        limits.maxPixels = 3219
        #expect(throws: CodecError.tooManyPixels(width: 46, height: 70, limit: 3219)) {
            try Self.reader(file, limits)
        }
        let need = try Self.reader(file).decoder.memoryByteCount(decodingTo: .interleaved(.rgb, .sixteen))
        limits.maxPixels = 3220
        limits.memoryByteCount = need - 1
        #expect(
            throws: CodecError.needsTooMuchMemory(reason: "a RAW photo", byteCount: need, limit: need - 1)
        ) { try Self.reader(file, limits) }
    }

    @Test func memoryIsEstimated() throws {
        let reader = try Self.reader(Self.photo(width: 1500, height: 1000))
        #expect(reader.geometry.pixelCount == 1_500_000)
        try expectMemoryIsEstimated(of: reader, in: RAWHead.self)
        let large = PhotoGeometry(width: 8000, height: 6000)
        let limit = DecodeLimits().memoryLimit(for: large, decodedTo: reader.layout)
        #expect(RAWHead.memoryByteCount(pixelCount: large.pixelCount) < limit)
    }

    @Test func aFileThatEndsInTheSensorsValuesIsTruncated() throws {
        let file = try Self.photo(width: 300, height: 200)
        for left in [2 * 300 * 200, 50_000] {
            #expect(throws: CodecError.truncated) { try Self.decoded(Array(file.dropLast(left))) }
        }
    }

    /// LibRaw knows no camera of these.
    @Test(arguments: ["raw-sony.arw", "raw-canon.cr3", "raw-fujifilm.raf"])
    func whatCannotBeDevelopedIsAnError(name: String) throws {
        #expect(throws: CodecError.self) { try Self.decoded(Fixture.bytes(name)) }
    }

    /// No mutation may crash, hang or take memory beyond the limits.
    @Test func mutationsEndInAnErrorOrPixels() throws {
        let whole = try Fixture.bytes(Self.name)
        var random = SeededGenerator(seed: 3), limits = Self.developing
        limits.maxPixels = 100_000
        var errors = 0
        for index in 0..<100 {
            var file = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                let end = index % 2 == 0 ? 1600 : file.count
                file[Int.random(in: 2..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            limits.toleratesDamage = index % 3 == 0
            do { try decode(file, limits: limits) } catch is CodecError { errors += 1 }
        }
        #expect(errors > 0)
    }
}
