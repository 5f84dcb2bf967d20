import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs

struct DamageTests {
    static let samples = [
        "ycbcr-2x2.jpg", "progressive.jpg", "restart.jpg", "arithmetic.jpg", "cmyk.jpg", "grey.jpg",
        "metadata.jpg",
        "rgb-8.png", "palette-4-trns-interlaced.png", "grey-16-interlaced.png", "metadata.png",
        "lossy-alpha.webp", "lossless.webp", "metadata.webp", "animation.webp",
        "hevc-alpha.heic", "metadata.heic", "av1.avif",
    ]

    /// Not even the last byte may be missing: it is JPEG's EOI, the checksum of PNG's IEND, or of the last chunk.
    @Test(arguments: samples)
    func aFileThatIsCutOffAnywhereIsAnError(name: String) throws {
        let bytes = try Fixture.bytes(name)
        try decode(bytes)
        let step = max(1, bytes.count / 500)
        for count in Set(stride(from: 1, to: bytes.count, by: step)).union((bytes.count - 12)..<bytes.count) {
            #expect(throws: CodecError.truncated, "\(count) of \(bytes.count) bytes") {
                try decode(Array(bytes[..<count]))
            }
        }
    }

    /// Where scans begin.
    private func scans(of bytes: [UInt8]) -> [Int] {
        bytes.indices.dropLast().filter { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xDA }
    }

    /// As a download that was cut between two scans, and got its end from a tool.
    @Test(arguments: ["progressive.jpg", "grey-progressive.jpg"])
    func aPhotoWithoutItsLastScansIsNotCalledWhole(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let scans = scans(of: bytes)
        #expect(try PhotoReader(bytes: bytes, limits: DecodeLimits()).notes.isEmpty && scans.count > 3)
        for start in scans.dropFirst() {
            let reader = try PhotoReader(bytes: bytes[..<start] + [0xFF, 0xD9], limits: DecodeLimits())
            let source = try reader.makeSource(layout: reader.layout)
            let strip = try Strip(layout: reader.layout, width: reader.geometry.width, rowCapacity: 64)
            repeat { try source.read(into: strip) } while strip.rowCount > 0
            #expect(reader.notes.count == 1, "\(start)")
        }
    }

    @Test func aPhotoWithoutTheScanOfAComponentIsDamaged() throws {
        var bytes = try Fixture.bytes("grey.jpg")
        let header = try #require(
            bytes.indices.dropLast().first { bytes[$0] == 0xFF && bytes[$0 + 1] == 0xC0 })
        let component = header + 10
        #expect(bytes[(component - 1)...].prefix(2) == [1, 1])
        // Two more components, of which there is no scan.
        bytes[header + 3] += 6
        bytes[component - 1] = 3
        bytes.insert(contentsOf: [2, 0x11, 0, 3, 0x11, 0], at: component + 3)
        #expect(throws: CodecError.corrupt(detail: "Corrupt JPEG data: a component has no data")) {
            try decode(bytes)
        }
        var limits = DecodeLimits()
        limits.toleratesDamage = true
        try decode(bytes, limits: limits)
    }

    @Test(arguments: samples)
    func damagedBytesNeverCrash(name: String) throws {
        let bytes = try Fixture.bytes(name)
        var random = SeededGenerator(seed: 11)
        var failures = 0
        for _ in 0..<400 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                damaged[Int.random(in: 0..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            do {
                try decode(damaged, limits: DecodeLimits(maxPixels: 1 << 20, memoryByteCount: 16 << 20))
            } catch is CodecError {
                failures += 1
            }
        }
        // Every PNG chunk has a checksum, though metadata is left out where it is wrong; other pixels have
        // none.
        #expect(failures > (name.hasSuffix("png") && name != "metadata.png" ? 390 : 20))
    }

    @Test func anEmptyFileIsCalledEmpty() {
        #expect(throws: CodecError.empty) { try decode([]) }
    }

    @Test(arguments: [
        ("GIF89a......", "a GIF"), ("\0\0\0\u{18}ftypavis....", "a sequence of AVIFs"),
        ("<!DOCTYPE html>\n<p>404", "an HTML page"), ("  <HTML><body>", "an HTML page"),
        ("not found\n", "text"),
        ("8BPS....", "a Photoshop document"), ("\u{1}\u{2}\u{3}\u{4}\u{5}", nil),
    ])
    func aFileOfAnotherKindIsNamed(text: String, name: String?) {
        let bytes = Array(text.utf8)
        #expect(throws: CodecError.notAPhoto(firstBytes: bytes, looksLike: name)) { try decode(bytes) }
    }

    @Test func unknownBytesAreShown() {
        let error = CodecError.notAPhoto(firstBytes: [0, 0x1F, 0xAB], looksLike: nil)
        #expect(
            error.description
                == "This is not a JPEG, PNG, WebP, HEIC, AVIF, JPEG XL, TIFF or RAW: it begins with 00 1F AB."
        )
    }

    @Test(arguments: ["ycbcr-2x2.jpg", "rgb-8.png"])
    func pixelsAreLimited(name: String) throws {
        let bytes = try Fixture.bytes(name)
        try decode(bytes, limits: DecodeLimits(maxPixels: 35 * 27))
        #expect(throws: CodecError.tooManyPixels(width: 35, height: 27, limit: 35 * 27 - 1)) {
            try decode(bytes, limits: DecodeLimits(maxPixels: 35 * 27 - 1))
        }
    }

    /// A PNG header may claim 2^31 x 2^31 pixels.
    @Test func aHugeClaimIsRefusedBeforeMemoryIsTaken() throws {
        var bytes = try Fixture.bytes("rgb-8.png")
        bytes.replaceSubrange(16..<24, with: [0x7F, 0xFF, 0xFF, 0xFF, 0x7F, 0xFF, 0xFF, 0xFF])
        bytes.replaceSubrange(29..<33, with: CRC32.of(bytes[12..<29]))
        let side = Int(Int32.max)
        #expect(throws: CodecError.tooManyPixels(width: side, height: side, limit: 1_000_000_000)) {
            try decode(bytes)
        }
    }

    @Test func coefficientsOfAProgressiveJPEGAreLimited() throws {
        // 35 x 27 in 4:2:0: 3 x 2 MCUs of 6 blocks with 64 coefficients of 2 bytes.
        let byteCount = 3 * 2 * 6 * 128
        let bytes = try Fixture.bytes("progressive.jpg")
        try decode(bytes, limits: DecodeLimits(maxPixels: 10_000, memoryByteCount: byteCount))
        #expect(
            throws: CodecError.needsTooMuchMemory(
                reason: "a progressive JPEG", byteCount: byteCount, limit: byteCount - 1)
        ) { try decode(bytes, limits: DecodeLimits(maxPixels: 10_000, memoryByteCount: byteCount - 1)) }
    }

    @Test func scansAreLimited() throws {
        var limits = DecodeLimits()
        limits.maxScans = 10
        try decode(try Fixture.bytes("progressive.jpg"), limits: limits)
        limits.maxScans = 3
        #expect(throws: CodecError.tooManyScans(limit: 3)) {
            try decode(Fixture.bytes("progressive.jpg"), limits: limits)
        }
    }

    /// An empty scan takes ten bytes of the file, and time for each of the image's blocks. Grey: 20 blocks,
    /// all of them in each scan. Colour: 32 blocks, 6 of them Cr's.
    @Test(arguments: [("grey-progressive", 1, 20, 50, 64), ("progressive", 3, 6, 300, 350)])
    func emptyScansAreLimited(
        name: String, component: UInt8, blockCount: Int, accepted: Int, refused: Int
    ) throws {
        let bytes = try Fixture.bytes("\(name).jpg")
        let withScans = { RawJPEG.withEmptyScans($0, of: component, blockCount: blockCount, bytes) }
        #expect(try libjpegSamples(withScans(accepted)) == libjpegSamples(bytes))
        #expect(throws: CodecError.tooManyScans(limit: 64)) { try decode(withScans(refused)) }
        var limits = DecodeLimits()
        limits.maxScans = 100
        try decode(withScans(refused), limits: limits)
    }

    /// Before gigabytes of coefficients are allocated. Each scan covers one of the components.
    @Test(arguments: [1, 3])
    func scansOfALargePhotoAreCountedAhead(componentCount: Int) throws {
        var frame: [UInt8] = [8, 0x1F, 0x40, 0x1F, 0x40, UInt8(componentCount)]
        for component in 1...componentCount { frame += [UInt8(component), 0x11, 0] }
        let scan = RawJPEG.segment(0xDA, [1, 1, 0, 1, 1, 0]) + [0xFF, 0, 1]
        var head: [UInt8] = [0xFF, 0xD8] + RawJPEG.segment(0xE1, [0xFF, 0xDA])
        head += RawJPEG.segment(0xDB, [UInt8](repeating: 1, count: 65)) + RawJPEG.segment(0xC2, frame)
        func photo(_ scanCount: Int) -> [UInt8] {
            head + Array(repeating: scan, count: scanCount).joined() + [0xFF, 0xD9]
        }
        let most = 64 * componentCount
        for count in [1, most] {
            _ = try PhotoReader(bytes: photo(count), limits: DecodeLimits())
        }
        #expect(throws: CodecError.tooManyScans(limit: 64)) {
            try PhotoReader(bytes: photo(most + 1), limits: DecodeLimits())
        }
        var limits = DecodeLimits()
        limits.maxScans = 65
        _ = try PhotoReader(bytes: photo(most + 1), limits: limits)
    }

    @Test(arguments: ["metadata.jpg", "metadata.png", "metadata.webp", "metadata.heic"])
    func metadataIsLimited(name: String) throws {
        var limits = DecodeLimits()
        limits.maxMetadataByteCount = 500
        #expect(throws: CodecError.tooMuchMetadata(limit: 500)) {
            try decode(Fixture.bytes(name), limits: limits)
        }
    }

    @Test func aDescriptorThatCannotBeReadIsReported() {
        #expect(throws: CodecError.readFailed(.badFileDescriptor)) {
            _ = try PhotoReader(fileDescriptor: -1, limits: DecodeLimits())
        }
    }

    /// A pipe hands out a few bytes at a time and cannot seek.
    @Test(arguments: [
        "metadata.jpg", "metadata.png", "rgb-16.png", "metadata.webp", "animation.webp", "metadata.heic",
    ])
    func pipesAreReadAsFilesAre(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let pipe = Pipe()
        let feeder = Thread {
            for start in stride(from: 0, to: bytes.count, by: 100) {
                pipe.fileHandleForWriting.write(Data(bytes[start..<min(start + 100, bytes.count)]))
            }
            try? pipe.fileHandleForWriting.close()
        }
        feeder.start()
        let descriptor = pipe.fileHandleForReading.fileDescriptor
        let reader = try PhotoReader(fileDescriptor: descriptor, limits: DecodeLimits())
        let layout: PixelLayout = reader.format == .jpeg ? .interleaved(.rgb, .eight) : reader.layout
        let fromPipe = try Pixels(reader.makeSource(layout: layout))
        let fromMemory = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        #expect(reader.metadata == fromMemory.metadata)
        #expect(try fromPipe == Pixels(fromMemory.makeSource(layout: layout)))
    }
}
