import Synchronization
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs

private final class CountingHelpers: CodecHelpers {
    let freeThreadCount: Int
    let callCount = Atomic(0)

    init(freeThreadCount: Int) { self.freeThreadCount = freeThreadCount }

    func perform(_ count: Int, _ body: @Sendable (Int) -> Void) {
        callCount.wrappingAdd(1, ordering: .relaxed)
        for index in 0..<count { body(index) }
    }
}

/// JPEGCore at every level, compared with libjpeg-turbo.
struct JPEGCoreTests {
    static let levels = JPEGCodec.Level.supported.map(\.name)

    func codec(_ level: String) throws -> JPEGCodec {
        .core(try #require(JPEGCodec.Level.supported.first { $0.name == level }))
    }

    /// Pixels for several segments a thread, and for threads to be asked for.
    static let segments = pixels(1611, 1033, noise: 200)
    static let large = pixels(2403, 1701, noise: 200)

    func pixels(_ width: Int, _ height: Int, noise: Int = 100, seed: UInt64 = 5) -> Pixels {
        Self.pixels(width, height, noise: noise, seed: seed)
    }

    /// Noise on a ramp: `noise` of 255 is noise alone.
    static func pixels(_ width: Int, _ height: Int, noise: Int = 100, seed: UInt64 = 5) -> Pixels {
        var random = SeededGenerator(seed: seed)
        let samples = (0..<width * height * 3).map { index in
            let ramp = index / 3 % width * (255 - noise) / width
            return UInt16(ramp + Int(random.next() % UInt64(noise + 1)))
        }
        return Pixels(width: width, height: height, channels: 3, maximum: 255, samples: samples)
    }

    /// Decodes and encodes as libjpeg does, and says whether the core decoded all.
    func expectEqual(
        _ bytes: [UInt8], _ level: String, denominator: Int = 1, chunkByteCount: Int = .max, _ place: Comment
    ) throws {
        let core = CodedPlanes(
            bytes, try codec(level), denominator: denominator, chunkByteCount: chunkByteCount)
        #expect(core == CodedPlanes(bytes, .libjpeg, denominator: denominator), place)
        #expect(core.isAllCore, place)
    }

    func encoded(
        _ strip: Strip, _ geometry: PhotoGeometry, _ quality: JPEGQuality, _ codec: JPEGCodec,
        scratch: Int32? = nil, restartRows: Int? = nil, isProgressive: Bool = false
    ) throws -> [UInt8] {
        var settings = PhotoWriterSettings(
            format: .jpeg, geometry: geometry, layout: strip.layout, jpegQuality: quality)
        settings.jpegCodec = codec
        settings.scratchDescriptor = scratch
        settings.restartRows = restartRows
        settings.isProgressive = isProgressive
        return try written { descriptor in
            let writer = try PhotoWriter(fileDescriptor: descriptor, settings: settings)
            try writer.write(strip)
            try writer.finish()
        }
    }

    // MARK: Regular photos

    @Test(arguments: levels, ChromaSubsampling.common)
    func everySamplingAndAwkwardSizeIsDecoded(level: String, subsampling: ChromaSubsampling) throws {
        for (width, height) in [
            (1, 1), (7, 9), (8, 8), (17, 5), (33, 31), (64, 64), (65, 3), (3, 130), (259, 70),
        ] {
            let bytes = LibJPEG.encode(
                pixels(width, height),
                LibJPEG.Coding(
                    horizontal: Int32(subsampling.horizontal), vertical: Int32(subsampling.vertical)))
            for denominator in [1, 2, 4, 8] {
                try expectEqual(
                    bytes, level, denominator: denominator, "\(width) x \(height), 1/\(denominator)")
            }
        }
    }

    @Test(
        arguments: levels,
        ChromaSubsampling.common.map { PixelLayout.yCbCr($0) } + [.interleaved(.grey, .eight)])
    func everySamplingAndAwkwardSizeIsEncoded(level: String, layout: PixelLayout) throws {
        for (width, height) in [
            (1, 1), (7, 9), (8, 8), (17, 5), (33, 31), (64, 64), (65, 3), (3, 130), (259, 70),
        ] {
            let strip = try noise(layout, width, height)
            let geometry = PhotoGeometry(width: width, height: height)
            let expected = try encoded(strip, geometry, .value(92), .libjpeg)
            #expect(
                try encoded(strip, geometry, .value(92), codec(level)) == expected, "\(width) x \(height)")
        }
    }

    /// Planes of noise, with padding up to whole blocks.
    func noise(_ layout: PixelLayout, _ width: Int, _ height: Int) throws -> Strip {
        var random = SeededGenerator(seed: UInt64(width + height))
        let strip = try Strip(layout: layout, width: width, rowCapacity: height)
        strip.rowCount = height
        random.fill(strip.memory)
        return strip
    }

    @Test(arguments: levels)
    func everyQualityIsDecodedAndEncoded(level: String) throws {
        let geometry = PhotoGeometry(width: 48, height: 40)
        for quality in 1...100 {
            for noise in [6, 255] {
                let bytes = LibJPEG.encode(
                    pixels(48, 40, noise: noise), LibJPEG.Coding(quality: Int32(quality)))
                for denominator in [1, 2, 4, 8] {
                    let core = CodedPlanes(bytes, try codec(level), denominator: denominator)
                    #expect(
                        core == CodedPlanes(bytes, .libjpeg, denominator: denominator),
                        "quality \(quality), noise \(noise), 1/\(denominator)")
                }
                let source = try PhotoReader(bytes: bytes, limits: DecodeLimits())
                let strip = try Strip(layout: source.layout, width: 48, rowCapacity: 48)
                try source.makeSource(layout: source.layout).read(into: strip)
                for settings in [JPEGQuality.value(quality), .keep(try #require(source.jpegCoding))] {
                    #expect(
                        try encoded(strip, geometry, settings, codec(level))
                            == encoded(strip, geometry, settings, .libjpeg),
                        "quality \(quality), noise \(noise)")
                }
            }
        }
    }

    @Test(arguments: levels, LibJPEG.Coding.Tables.allCases)
    func allTablesAndRestartIntervalsAreDecoded(level: String, tables: LibJPEG.Coding.Tables) throws {
        for restartInterval in [0, 1, 2, 7, 13, 1000] as [UInt32] {
            for quality in [30, 95] as [Int32] {
                let bytes = LibJPEG.encode(
                    pixels(200, 90),
                    LibJPEG.Coding(quality: quality, restartInterval: restartInterval, tables: tables))
                try expectEqual(bytes, level, "interval \(restartInterval), quality \(quality)")
            }
        }
    }

    @Test(arguments: levels)
    func greyPhotosAreDecoded(level: String) throws {
        for name in ["grey", "grey-2x2", "restart", "size-1x1", "size-1x19", "size-19x1", "size-17x33"] {
            guard let bytes = try? Fixture.bytes("\(name).jpg") else { continue }
            let core = CodedPlanes(bytes, try codec(level))
            #expect(core == CodedPlanes(bytes, .libjpeg), "\(name)")
        }
    }

    @Test(arguments: levels, [1, 2, 3, 17, 511, 4096])
    func inputComesInAnyChunks(level: String, chunkByteCount: Int) throws {
        for restartInterval in [0, 3] as [UInt32] {
            let bytes = LibJPEG.encode(
                pixels(700, 60, noise: 255), LibJPEG.Coding(quality: 100, restartInterval: restartInterval))
            try expectEqual(bytes, level, chunkByteCount: chunkByteCount, "interval \(restartInterval)")
        }
    }

    /// A row of MCUs has more bytes than any buffer at first.
    @Test(arguments: levels)
    func widePhotosAreDecoded(level: String) throws {
        let bytes = LibJPEG.encode(
            pixels(12_000, 16, noise: 255), LibJPEG.Coding(horizontal: 1, vertical: 1, quality: 100))
        #expect(bytes.count > 600_000)
        try expectEqual(bytes, level, "12,000 x 16")
    }

    /// Photos with enough blocks for a second stream.
    @Test(arguments: ChromaSubsampling.common, [10, 255])
    func twoStreamsDecodeAsOne(subsampling: ChromaSubsampling, noise: Int) throws {
        let bytes = LibJPEG.encode(
            pixels(811, 533, noise: noise),
            LibJPEG.Coding(
                horizontal: Int32(subsampling.horizontal), vertical: Int32(subsampling.vertical)))
        let expected = CodedPlanes(bytes, .libjpeg)
        for level in Self.levels {
            let core = CodedPlanes(bytes, try codec(level))
            #expect(core == expected, "\(level)")
            #expect(core.isAllCore, "\(level)")
            let hasTwoStreams = subsampling == .s420 && level != "baseline"
            #expect(!hasTwoStreams || core.secondStreamBlocks > 500, "\(level)")
        }
    }

    /// Large enough for several segments a thread.
    @Test(arguments: levels, [0, 7, 500] as [UInt32])
    func severalThreadsDecodeAsOne(level: String, restartInterval: UInt32) throws {
        let bytes = LibJPEG.encode(
            Self.segments, LibJPEG.Coding(quality: 95, restartInterval: restartInterval))
        for denominator in [1, 4] {
            let expected = CodedPlanes(bytes, .libjpeg, denominator: denominator)
            for (threadCount, rowsAtOnce) in [(2, 1), (3, 16), (8, 1000)] {
                let core = CodedPlanes(
                    bytes, try codec(level), denominator: denominator, threadCount: threadCount,
                    rowsAtOnce: rowsAtOnce)
                #expect(core == expected, "\(threadCount) threads, \(rowsAtOnce) rows at once")
                #expect(core.isAllCore && core.concurrentCallCount > 0)
            }
        }
    }

    @Test(arguments: [(true, 4, true), (true, 2, false), (false, 4, false)])
    func freeThreadsHelpWithLargePhotos(isLarge: Bool, free: Int, isHelped: Bool) throws {
        let bytes = LibJPEG.encode(isLarge ? Self.large : Self.segments, LibJPEG.Coding(quality: 95))
        let helpers = CountingHelpers(freeThreadCount: free)
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        reader.use(helpers)
        let source = try reader.makeSource(layout: reader.layout)
        let strip = try Strip(layout: reader.layout, width: reader.geometry.width, rowCapacity: 64)
        repeat { try source.read(into: strip) } while strip.rowCount > 0
        #expect(helpers.callCount.load(ordering: .relaxed) > 0 || !isHelped)
        #expect(helpers.callCount.load(ordering: .relaxed) == 0 || isHelped)
    }

    @Test(arguments: levels)
    func allFixturesGiveTheSameFiles(level: String) throws {
        for name in try Fixture.names(withExtension: "jpg") {
            let bytes = try Fixture.bytes("\(name).jpg")
            #expect(
                try passedThrough(bytes, codec: codec(level)) == passedThrough(bytes, codec: .libjpeg),
                "\(name)")
        }
    }

    private func passedThrough(_ bytes: [UInt8], codec: JPEGCodec) throws -> [UInt8] {
        var limits = DecodeLimits()
        limits.jpegCodec = codec
        let reader = try PhotoReader(bytes: bytes, limits: limits)
        let layout = PhotoWriter.layout(
            for: .jpeg, source: reader.layout, grey: !reader.layout.hasColour, jpegCoding: reader.jpegCoding)
        guard layout == reader.layout else { return [] }
        let size = reader.geometry
        let strip = try Strip(layout: layout, width: size.width, rowCapacity: size.height)
        try reader.makeSource(layout: layout).read(into: strip)
        return try encoded(strip, size, reader.jpegCoding.map { .keep($0) } ?? .value(90), codec)
    }
}
