import Foundation
import TestSupport
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

/// JPEG XLs of cjxl: see Fixtures/jxls.py.
struct JXLTests {
    private static let inks = "jxl-inks.jxl"
    private static let files =
        (try? Fixture.names(withExtension: "jxl").map { "\($0).jxl" }.filter { $0 != inks }) ?? []
    private static let animation = "jxl-animation.jxl"
    private static let lossy = files.filter { name in
        ["lossy", "progressive", "jxl-alpha", "pq", "jpeg", "turned"].contains { name.contains($0) }
    }

    private static func reader(_ bytes: [UInt8], _ limits: DecodeLimits = .init()) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: limits)
    }

    private static func decoded(_ bytes: [UInt8], rowCapacity: Int = 8) throws -> Pixels {
        let reader = try reader(bytes)
        return try Pixels(reader.makeSource(layout: reader.layout), rowCapacity: rowCapacity)
    }

    private static func items(_ name: String) throws -> [PhotoMetadata.Item] {
        try reader(Fixture.bytes(name)).metadata.items
    }

    @Test func thereAreFiles() { #expect(Self.files.count >= 17) }

    @Test(arguments: files.filter { $0 != animation && !lossy.contains($0) })
    func losslessFilesAreDecodedAsDjxlDoes(name: String) throws {
        try expect(name, try Pixels(pam: Fixture.bytes("\(name.dropLast(4)).pam")))
    }

    /// What libjxl makes of lossy files depends on the processor's instructions, so djxl decodes them here.
    @Test(arguments: lossy)
    func lossyFilesAreDecodedAsDjxlDoes(name: String) throws {
        let folder = try TemporaryFolder()
        let png = folder.path("djxl.png")
        let djxl = try Process.run(
            URL(fileURLWithPath: "/usr/bin/djxl"), arguments: [try Fixture.path(of: name), png])
        djxl.waitUntilExit()
        try #require(djxl.terminationStatus == 0)
        try expect(name, try Self.decoded(folder.read("djxl.png")))
    }

    private func expect(_ name: String, _ expected: Pixels) throws {
        let file = try Fixture.bytes(name)
        let reader = try Self.reader(file)
        #expect(reader.format == .jxl && reader.notes.isEmpty)
        for rows in [1, 8, 100] { #expect(try Self.decoded(file, rowCapacity: rows) == expected) }
    }

    @Test func inksAreRefused() throws {
        #expect(throws: CodecError.unsupported(detail: "libjxl: inks")) {
            try Self.reader(Fixture.bytes(Self.inks))
        }
    }

    @Test func theFirstImageOfAnAnimationIsRead() throws {
        let reader = try Self.reader(Fixture.bytes(Self.animation))
        #expect(reader.notes == [.furtherPicturesLeftOut([.picture])])
        let expected = try Pixels(pam: Fixture.bytes("rgb-8.pam"))
        #expect(try Self.decoded(Fixture.bytes(Self.animation)) == expected)
    }

    @Test func whetherAFileIsLosslessIsKnown() throws {
        for name in Self.files {
            let isLossless = try Self.reader(Fixture.bytes(name)).isLossless
            #expect(isLossless != Self.lossy.contains(name), "\(name)")
        }
    }

    /// The boxes are compressed. The image is turned already.
    @Test func metadataIsRead() throws {
        let jxl = try Self.reader(Fixture.bytes("jxl-jpeg.jxl")).metadata
        let jpeg = try Self.reader(Fixture.bytes("metadata.jpg")).metadata.upright()
        for item in jpeg.items {
            switch item {
            case .exif, .icc, .xmp: #expect(jxl.items.contains(item))
            default: break
            }
        }
        #expect(jxl.items.count >= 3 && jxl.orientation == .up)
    }

    @Test func coloursAreRead() throws {
        #expect(try Self.items("jxl-lossless.jxl").isEmpty)
        #expect(try Self.items("jxl-grey.jxl").isEmpty)
        #expect(try Self.items("jxl-p3.jxl") == [.pngChunk(name: "cICP", [12, 13, 0, 1])])
        #expect(try Self.items("jxl-pq.jxl") == [.pngChunk(name: "cICP", [9, 16, 0, 1])])
        // No code says it, so libjxl makes a profile.
        let profile = try #require(Self.reader(Fixture.bytes("jxl-gamma.jxl")).metadata.icc)
        #expect(!profile.isSRGB)
    }

    @Test func sizesAreCheckedBeforePixels() throws {
        let file = try Fixture.bytes("jxl-lossy.jxl")
        #expect(throws: CodecError.tooManyPixels(width: 35, height: 27, limit: 944)) {
            try Self.reader(file, DecodeLimits(maxPixels: 944))
        }
        let need = try Self.reader(file).decoder.memoryByteCount(decodingTo: .interleaved(.rgb, .eight))
        #expect(
            throws: CodecError.needsTooMuchMemory(reason: "a JPEG XL", byteCount: need, limit: need - 1)
        ) { try Self.reader(file, DecodeLimits(maxPixels: 945, memoryByteCount: need - 1)) }
    }

    @Test func tooMuchMetadataIsRefused() throws {
        var limits = DecodeLimits()
        limits.maxMetadataByteCount = 100
        #expect(throws: CodecError.tooMuchMetadata(limit: 100)) {
            try Self.reader(Fixture.bytes("jxl-jpeg.jxl"), limits)
        }
    }

    @Test(arguments: ["jxl-lossy.jxl", "jxl-jpeg.jxl", "jxl-16.jxl"])
    func aFileThatEndsEarlyIsTruncated(name: String) throws {
        let file = try Fixture.bytes(name)
        for count in [12, file.count / 2, file.count - 1] {
            #expect(throws: CodecError.truncated, "\(count)") { try decode(Array(file.prefix(count))) }
        }
    }

    /// A pipe is read to its end before the first pixel.
    @Test func aPipeGivesTheSame() throws {
        let file = try Fixture.bytes("jxl-alpha.jxl")
        #expect(try pixelsFromPipe(file) == Self.decoded(file))
    }

    @Test func memoryIsEstimated() throws {
        try expectMemoryIsEstimated(
            of: Self.reader(Fixture.bytes("large/gradients.jxl")), in: JXLHead.self)
    }

    /// No mutation may crash, hang or take memory beyond the limits.
    @Test(arguments: files) func mutationsEndInAnErrorOrPixels(name: String) throws {
        let whole = try Fixture.bytes(name)
        var random = SeededGenerator(seed: 5), limits = DecodeLimits(maxPixels: 100_000)
        limits.maxMetadataByteCount = 1 << 20
        var errors = 0
        for index in 0..<40 {
            var file = whole
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                file[Int.random(in: 2..<file.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            limits.toleratesDamage = index % 3 == 0
            do { try decode(file, limits: limits) } catch is CodecError { errors += 1 }
        }
        #expect(errors > 0)
    }
}
