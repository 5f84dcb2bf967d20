import CJPEG
import Glibc
import Imaging
import JPEGCore
import Synchronization
import Testing

@testable import Codecs

private final class CountingHelpers: DecodingHelpers {
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

    private func codec(_ level: String) throws -> JPEGCodec {
        .core(try #require(JPEGCodec.Level.supported.first { $0.name == level }))
    }

    /// Pixels for several segments a thread, and for threads to be asked for.
    private static let segments = pixels(1611, 1033, noise: 200)
    private static let large = pixels(2403, 1701, noise: 200)

    private func pixels(_ width: Int, _ height: Int, noise: Int = 100, seed: UInt64 = 5) -> Pixels {
        Self.pixels(width, height, noise: noise, seed: seed)
    }

    /// Noise on a ramp: `noise` of 255 is noise alone.
    private static func pixels(_ width: Int, _ height: Int, noise: Int = 100, seed: UInt64 = 5) -> Pixels {
        var random = SplitMix(seed: seed)
        let samples = (0..<width * height * 3).map { index in
            let ramp = index / 3 % width * (255 - noise) / width
            return UInt16(ramp + Int(random.next() % UInt64(noise + 1)))
        }
        return Pixels(width: width, height: height, channels: 3, maximum: 255, samples: samples)
    }

    /// Decodes and encodes as libjpeg does, and says whether the core decoded all.
    private func expectEqual(
        _ bytes: [UInt8], _ level: String, denominator: Int = 1, chunkByteCount: Int = .max, _ place: Comment
    ) throws {
        let core = CodedPlanes(
            bytes, try codec(level), denominator: denominator, chunkByteCount: chunkByteCount)
        #expect(core == CodedPlanes(bytes, .libjpeg, denominator: denominator), place)
        #expect(core.isAllCore, place)
    }

    private func encoded(
        _ strip: Strip, _ geometry: PhotoGeometry, _ quality: JPEGQuality, _ codec: JPEGCodec,
        scratch: Int32? = nil
    ) throws -> [UInt8] {
        var settings = PhotoWriterSettings(
            format: .jpeg, geometry: geometry, layout: strip.layout, jpegQuality: quality)
        settings.jpegCodec = codec
        settings.scratchDescriptor = scratch
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
    private func noise(_ layout: PixelLayout, _ width: Int, _ height: Int) throws -> Strip {
        var random = SplitMix(seed: UInt64(width + height))
        let strip = try Strip(layout: layout, width: width, rowCapacity: height)
        strip.rowCount = height
        for index in strip.memory.indices { strip.memory[index] = UInt8.random(in: 0...255, using: &random) }
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

    @Test(arguments: [0, 7] as [UInt32])
    func damageInSeveralThreadsEndsAsWithLibjpegAlone(restartInterval: UInt32) throws {
        let bytes = LibJPEG.encode(
            Self.segments, LibJPEG.Coding(quality: 95, restartInterval: restartInterval))
        let irregularCount = try expectEqualDamage(bytes, rounds: 12, seed: 4) { damaged, codec, round in
            CodedPlanes(
                damaged, codec, isLenient: true, threadCount: 3, rowsAtOnce: 1 + round % 3 * 20)
        }
        #expect(irregularCount > 6)
    }

    @Test(arguments: [LibJPEG.Coding.Tables.standard, .optimised])
    func damageInTwoStreamsEndsAsWithLibjpegAlone(tables: LibJPEG.Coding.Tables) throws {
        let bytes = LibJPEG.encode(pixels(811, 533), LibJPEG.Coding(tables: tables))
        let irregularCount = try expectEqualDamage(bytes, rounds: 24, seed: 3) { damaged, codec, _ in
            CodedPlanes(damaged, codec, isLenient: true)
        }
        #expect(irregularCount > 10)
    }

    /// Damages a photo in each round, and expects libjpeg's result at every level.
    ///
    /// - Returns: how often the core gave up.
    private func expectEqualDamage(
        _ bytes: [UInt8], rounds: Int, seed: UInt64, decode: ([UInt8], JPEGCodec, Int) -> CodedPlanes
    ) throws -> Int {
        let scan = try #require(bytes.firstRange(of: [0xFF, 0xDA])).lowerBound + 14
        var random = SplitMix(seed: seed)
        var irregularCount = 0
        for round in 0..<rounds {
            let damaged = Self.damage(bytes, from: scan, using: &random)
            let expected = CodedPlanes(damaged, .libjpeg, isLenient: true)
            for level in Self.levels {
                let core = decode(damaged, try codec(level), round)
                #expect(core == expected)
                if !core.isAllCore { irregularCount += 1 }
            }
        }
        return irregularCount
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

    // MARK: Codes of a photo's own

    private func encodedOptimally(
        _ strip: Strip, _ geometry: PhotoGeometry, _ quality: JPEGQuality, _ codec: JPEGCodec
    ) throws -> [UInt8] {
        let scratch = try #require(tmpfile())
        defer { fclose(scratch) }
        return try encoded(strip, geometry, quality, codec, scratch: fileno(scratch))
    }

    @Test(
        arguments: levels,
        ChromaSubsampling.common.map { PixelLayout.yCbCr($0) } + [.interleaved(.grey, .eight)])
    func optimalCodesAreLibjpegs(level: String, layout: PixelLayout) throws {
        for (width, height) in [(1, 1), (7, 9), (33, 31), (65, 3), (3, 130), (259, 70)] {
            for quality in [1, 50, 92, 100] {
                let strip = try noise(layout, width, height)
                let geometry = PhotoGeometry(width: width, height: height)
                let expected = try encodedOptimally(strip, geometry, .value(quality), .libjpeg)
                #expect(
                    try encodedOptimally(strip, geometry, .value(quality), codec(level)) == expected,
                    "\(width) x \(height), quality \(quality)")
            }
        }
    }

    /// Smaller files with the same samples; large enough for two streams.
    @Test(arguments: levels)
    func optimalCodesKeepAllSamples(level: String) throws {
        let photo = LibJPEG.encode(pixels(811, 533, noise: 30), LibJPEG.Coding(quality: 85))
        let reader = try PhotoReader(bytes: photo, limits: DecodeLimits())
        let strip = try Strip(layout: reader.layout, width: 811, rowCapacity: 533)
        try reader.makeSource(layout: reader.layout).read(into: strip)
        let keep = JPEGQuality.keep(try #require(reader.jpegCoding))
        let standard = try encoded(strip, reader.geometry, keep, codec(level))
        let optimal = try encodedOptimally(strip, reader.geometry, keep, codec(level))
        #expect(optimal == (try encodedOptimally(strip, reader.geometry, keep, .libjpeg)))
        #expect(optimal.count < standard.count)
        #expect(CodedPlanes(optimal, .libjpeg).planes == CodedPlanes(standard, .libjpeg).planes)
    }

    /// A row of MCUs has more bytes than any buffer at first.
    @Test(arguments: levels)
    func widePhotosGetOptimalCodes(level: String) throws {
        let strip = try noise(.yCbCr(.s444), 12_000, 16)
        let geometry = PhotoGeometry(width: 12_000, height: 16)
        let expected = try encodedOptimally(strip, geometry, .value(100), .libjpeg)
        #expect(expected.count > 600_000)
        #expect(try encodedOptimally(strip, geometry, .value(100), codec(level)) == expected)
    }

    @Test func aFullScratchFileIsAFailure() throws {
        let full = open("/dev/full", O_RDWR)
        defer { close(full) }
        let strip = try noise(.yCbCr(.s420), 259, 70)
        #expect(throws: CodecError.writeFailed(.noSpace)) {
            try encoded(
                strip, PhotoGeometry(width: 259, height: 70), .value(100), .best, scratch: full)
        }
    }

    /// Frequencies like Fibonacci's numbers give the longest codes: up to 45 bits before they are limited.
    @Test(arguments: [1, 2, 3, 17, 33, 45])
    func optimalCodesHaveAtMost16Bits(symbolCount: Int) {
        var counts = [UInt32](repeating: 0, count: 256)
        var (this, next): (UInt32, UInt32) = (1, 1)
        for symbol in 0..<symbolCount {
            counts[symbol * 5] = this
            (this, next) = (next, this &+ next)
        }
        let table = jpegcore_optimal_table(counts)
        let lengths = withUnsafeBytes(of: table.counts) { Array($0) }
        let symbols = withUnsafeBytes(of: table.symbols) { Array($0.prefix(symbolCount)) }
        #expect(lengths.reduce(0) { $0 + Int($1) } == symbolCount)
        #expect(Set(symbols) == Set((0..<symbolCount).map { UInt8($0 * 5) }))
        // The code of ones alone is free.
        let used = lengths.indices.dropFirst().reduce(0) { $0 + Int(lengths[$1]) << (16 - $1) }
        #expect(used < 1 << 16)
    }

    // MARK: Reduced planes

    /// The means of squares of decoded samples, but rounded once: libjpeg alone and the core.
    @Test(arguments: [2, 4, 8], ChromaSubsampling.common)
    func reducedPlanesAreMeansOfDecodedSamples(denominator: Int, subsampling: ChromaSubsampling) throws {
        let bytes = LibJPEG.encode(
            pixels(96, 80, noise: 60),
            LibJPEG.Coding(
                horizontal: Int32(subsampling.horizontal), vertical: Int32(subsampling.vertical), quality: 95)
        )
        let full = CodedPlanes(bytes, .libjpeg)
        for codec in [.libjpeg] + JPEGCodec.Level.supported.map({ JPEGCodec.core($0) }) {
            let reduced = CodedPlanes(bytes, codec, denominator: denominator)
            for plane in 0..<3 {
                let means = full.means(of: plane, side: denominator)
                let samples = reduced.samples(of: plane)
                #expect(means.count == samples.count)
                #expect(
                    zip(means, samples).allSatisfy { mean, sample in
                        mean.map { abs($0 - Double(sample)) <= 1 } ?? true
                    })
                #expect(means.count { $0 != nil } > means.count / 2)
            }
        }
    }

    /// libjpeg's own scaled decoding of luma needs no plane of another size.
    @Test(arguments: [1, 2, 4, 8])
    func reducedLumaIsThatOfGreyRows(denominator: Int) throws {
        let bytes = LibJPEG.encode(pixels(96, 80), LibJPEG.Coding())
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let rows = try Pixels(reader.makeReducedSource(layout: .interleaved(.grey, .eight), by: denominator))
        for codec in [.libjpeg] + JPEGCodec.Level.supported.map({ JPEGCodec.core($0) }) {
            let luma = CodedPlanes(bytes, codec, denominator: denominator).samples(of: 0)
            #expect(luma.map(UInt16.init) == rows.samples)
        }
    }

    // MARK: Irregular data

    /// Where a bit is flipped, the verdict, its message and all samples are those of libjpeg's careful decoder.
    @Test(arguments: levels, [false, true])
    func damageEndsAsWithLibjpegAlone(level: String, isLenient: Bool) throws {
        let codings = LibJPEG.Coding.Tables.allCases.flatMap { tables in
            [0, 5].map { LibJPEG.Coding(quality: 85, restartInterval: $0, tables: tables) }
        }
        var random = SplitMix(seed: 77)
        var irregularCount = 0
        for coding in codings {
            let bytes = LibJPEG.encode(pixels(120, 100), coding)
            let scan = try #require(bytes.firstRange(of: [0xFF, 0xDA])).lowerBound + 14
            for round in 0..<150 {
                let damaged = Self.damage(bytes, from: scan, using: &random)
                let denominator = 1 << (round % 4)
                let core = CodedPlanes(
                    damaged, try codec(level), denominator: denominator, chunkByteCount: 1000,
                    isLenient: isLenient)
                let libjpeg = CodedPlanes(
                    damaged, .libjpeg, denominator: denominator, isLenient: isLenient)
                #expect(core == libjpeg)
                if !core.isAllCore { irregularCount += 1 }
            }
        }
        #expect(irregularCount > 100)
    }

    /// Flips a bit, removes or repeats bytes, or writes a marker.
    private static func damage(
        _ bytes: [UInt8], from scan: Int, using random: inout SplitMix
    ) -> [UInt8] {
        var damaged = bytes
        let position = Int.random(in: scan..<bytes.count - 2, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: damaged.remove(at: position)
        case 1: damaged.insert(damaged[position], at: position)
        case 2: damaged.removeLast(bytes.count - position)
        case 3: damaged[position] = 0xFF
        case 4:
            damaged.replaceSubrange(
                position...position, with: [0xFF, UInt8.random(in: 0xC0...0xDF, using: &random)])
        default: damaged[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        }
        return damaged
    }

    /// libjpeg has read all scans before the first row. The last one looks like a photo's only scan.
    @Test(arguments: levels)
    func aScanOfAllComponentsAfterAnotherIsLibjpegs(level: String) throws {
        let pixels = pixels(40, 40)
        let lone = RawJPEG.parts(LibJPEG.encodeInSeparateScans(pixels, quality: 90))
        let scan = try #require(lone.first { $0.code == 0xDA }).bytes
        var bytes: [UInt8] = []
        for (code, part) in RawJPEG.parts(LibJPEG.encode(pixels, LibJPEG.Coding())) {
            bytes += code == 0xDA ? scan + part : part
        }
        let core = CodedPlanes(bytes, try codec(level))
        #expect(core == CodedPlanes(bytes, .libjpeg))
        #expect(!core.isAllCore && core.status == CJPEG_STATUS_OK)
    }

    /// libjpeg-turbo's SIMD code wraps at 16 bits where coefficients are larger than any photo's.
    @Test(arguments: levels)
    func coefficientsBeyondAnyPhotosEndAsWithLibjpegAlone(level: String) throws {
        let tables = [[UInt16](repeating: 255, count: 64), [UInt16](repeating: 16384, count: 64)]
        let bytes = LibJPEG.encode(pixels(64, 64, noise: 255), LibJPEG.Coding(quality: 100))
        for table in tables {
            let core = CodedPlanes(try withQuantTables(table, bytes), try codec(level))
            #expect(core == CodedPlanes(try withQuantTables(table, bytes), .libjpeg))
            #expect(!core.isAllCore)
        }
    }

    /// The same coefficients with other steps, in tables of 16 bits.
    private func withQuantTables(_ table: [UInt16], _ bytes: [UInt8]) throws -> [UInt8] {
        let steps: [UInt8] = table.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
        let segment = RawJPEG.segment(0xDB, [0x10] + steps + [0x11] + steps)
        var result: [UInt8] = []
        for (code, part) in RawJPEG.parts(bytes) where code != 0xDB {
            if code == 0xC0 { result += segment }
            result += part
        }
        return result
    }
}
