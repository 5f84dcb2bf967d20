import Dispatch
import Glibc
import Synchronization
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs

struct PNGTests {
    /// The files and what they decode to were made from the same numbers, without libpng: see
    /// Fixtures/make.py.
    @Test(arguments: try Fixture.names(withExtension: "png").filter { $0 != "metadata" })
    func decodesEveryColourTypeAndDepth(name: String) throws {
        let plain = name.hasSuffix("-interlaced") ? String(name.dropLast("-interlaced".count)) : name
        let expected = try Pixels(pam: Fixture.bytes("\(plain).pam"))
        let reader = try PhotoReader(bytes: Fixture.bytes("\(name).png"), limits: DecodeLimits())
        #expect(reader.format == .png && reader.jpegCoding == nil)
        #expect(try Pixels(reader.makeSource(layout: reader.layout)) == expected)
    }

    @Test(arguments: try Fixture.names(withExtension: "png").filter { $0 != "metadata" }, [8, 16])
    func givesBackWhatItGot(name: String, rowCapacity: Int) throws {
        let bytes = try Fixture.bytes("\(name).png")
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let again = try PhotoReader(
            bytes: passedThrough(bytes, rowCapacity: rowCapacity), limits: DecodeLimits())
        #expect(again.layout == reader.layout)
        #expect(
            try Pixels(again.makeSource(layout: again.layout))
                == Pixels(reader.makeSource(layout: reader.layout)))
    }

    @Test func aWrongChecksumIsAnError() throws {
        var bytes = try Fixture.bytes("rgb-8.png")
        bytes[bytes.count - 13] ^= 1  // the last byte of IDAT's checksum; IEND has 12
        #expect(throws: CodecError.corrupt(detail: "IDAT: CRC error")) { try decode(bytes) }
    }

    @Test func interlacedImagesNeedTheirWholeSize() throws {
        let bytes = try Fixture.bytes("rgba-16-interlaced.png")
        let byteCount = 35 * 27 * 4 * 2
        try decode(bytes, limits: DecodeLimits(maxPixels: 35 * 27, memoryByteCount: byteCount))
        #expect(
            throws: CodecError.needsTooMuchMemory(
                reason: "an interlaced PNG", byteCount: byteCount, limit: byteCount - 1)
        ) { try decode(bytes, limits: DecodeLimits(maxPixels: 35 * 27, memoryByteCount: byteCount - 1)) }
    }

    /// In each row, the noise of 20 pixels again and again.
    @Test func levelsDifferInTheFilesAlone() throws {
        let geometry = PhotoGeometry(width: 320, height: 64), layout = PixelLayout.interleaved(.rgb, .eight)
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        var random = SeededGenerator(seed: 5)
        for row in 0..<geometry.height {
            let noise = random.bytes(count: 60)
            for byte in 0..<3 * geometry.width {
                strip.planes[0].row(row).storeBytes(of: noise[byte % 60], toByteOffset: byte, as: UInt8.self)
            }
        }
        strip.rowCount = geometry.height
        let files = try PNGLevel.allCases.map { level in
            var settings = PhotoWriterSettings(format: .png, geometry: geometry, layout: layout)
            settings.pngLevel = level
            return try #require(
                try PhotoWriter.file(settings, atMost: .max) { writer in
                    try writer.write(strip)
                    try writer.finish()
                })
        }
        let pixels = try files.map { file in
            let reader = try PhotoReader(bytes: file, limits: DecodeLimits())
            return try Pixels(reader.makeSource(layout: layout))
        }
        #expect(PNGLevel.allCases == [.small, .fast] && pixels[0] == pixels[1])
        #expect(3 * files[0].count < files[1].count)
    }

    /// Four pieces of six rows, and one of two. Threads come and go, and memory is for none, some or all.
    @Test(arguments: [PixelLayout.Channels.grey, .rgb, .rgba], [PNGLevel.small, .fast])
    func threadsChangeNoByte(channels: PixelLayout.Channels, level: PNGLevel) throws {
        let layout = PixelLayout.interleaved(channels, .eight)
        let width = 200_000 / layout.bytesPerPixel, geometry = PhotoGeometry(width: width, height: 26)
        let byteCount = width * layout.bytesPerPixel
        let strip = try Strip(layout: layout, width: width, rowCapacity: geometry.height)
        var random = SeededGenerator(seed: 7)
        let noise = random.bytes(count: 1 << 12)
        let samples = (0..<byteCount + 100 * geometry.height).map { (index: Int) -> UInt8 in
            noise[index * 7 % (1 << 12)] / 32 &+ UInt8(truncatingIfNeeded: index / 800)
        }
        samples.withUnsafeBytes { samples in
            for row in 0..<geometry.height {
                memcpy(strip.planes[0].row(row), samples.baseAddress! + 97 * row, byteCount)
            }
        }
        strip.rowCount = geometry.height
        var settings = PhotoWriterSettings(format: .png, geometry: geometry, layout: layout)
        settings.pngLevel = level
        let memory = PNGPiece.memoryByteCount(PNGRows(layout, geometry))
        func file(_ helpers: ComingAndGoingHelpers?, memory byteCount: Int = .max) throws -> [UInt8] {
            let file = try PhotoWriter.file(settings, atMost: .max) { writer in
                #expect(!writer.needsHelpers)
                if let helpers {
                    writer.use(helpers, memory: byteCount)
                    #expect(
                        writer.needsHelpers == (level == .small && layout.hasColour && byteCount >= memory))
                }
                try writer.write(strip)
                try writer.finish()
            }
            return try #require(file)
        }
        let alone = try file(nil)
        let read = try PhotoReader(bytes: alone, limits: DecodeLimits())
        let decoded = try Strip(layout: layout, width: width, rowCapacity: geometry.height)
        try read.makeSource(layout: layout).read(into: decoded)
        for row in 0..<geometry.height {
            #expect(
                memcmp(decoded.planes[0].row(row), strip.planes[0].row(row), width * layout.bytesPerPixel)
                    == 0)
        }
        for (counts, byteCount, expected) in [
            ([1], .max, []), ([2], .max, [2, 2]), ([16], .max, [5]), ([16], memory - 1, []),
            ([16], 2 * memory + 1, [3, 2]), ([3, 1, 5, 2, 1], .max, nil),
        ] as [([Int], Int, [Int]?)] {
            let helpers = ComingAndGoingHelpers(counts)
            #expect(try file(helpers, memory: byteCount) == alone)
            if let expected { #expect(helpers.asked == expected) } else { #expect(helpers.asked.count > 1) }
        }
    }
}

/// Threads of which others are free each time.
private final class ComingAndGoingHelpers: CodecHelpers {
    private let counts: [Int]
    private let state = Mutex((calls: 0, asked: [Int]()))

    init(_ counts: [Int]) { self.counts = counts }

    /// What was worked on at once.
    var asked: [Int] { state.withLock { $0.asked } }

    var freeThreadCount: Int {
        state.withLock { state in
            state.calls += 1
            return counts[(state.calls - 1) % counts.count]
        }
    }

    func perform(_ count: Int, _ body: @Sendable (Int) -> Void) {
        state.withLock { $0.asked.append(count) }
        DispatchQueue.concurrentPerform(iterations: count, execute: body)
    }
}
