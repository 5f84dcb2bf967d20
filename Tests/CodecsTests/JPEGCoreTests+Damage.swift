import CTintypeJPEG
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs

/// Irregular data, which libjpeg decides.
extension JPEGCoreTests {
    /// Where a bit is flipped, the verdict, its message and all samples are those of libjpeg's careful decoder.
    @Test(arguments: levels, [false, true])
    func damageEndsAsWithLibjpegAlone(level: String, isLenient: Bool) throws {
        let codings = LibJPEG.Coding.Tables.allCases.flatMap { tables in
            [0, 5].map { LibJPEG.Coding(quality: 85, restartInterval: $0, tables: tables) }
        }
        var random = SeededGenerator(seed: 77)
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
        _ bytes: [UInt8], from scan: Int, using random: inout SeededGenerator
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
        let lone = JPEGPart.parts(of: LibJPEG.encodeInSeparateScans(pixels, quality: 90))
        let scan = try #require(lone.first { $0.code == 0xDA }).bytes
        var bytes: [UInt8] = []
        for part in JPEGPart.parts(of: LibJPEG.encode(pixels, LibJPEG.Coding())) {
            bytes += part.code == 0xDA ? scan + part.bytes : part.bytes
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
        for part in JPEGPart.parts(of: bytes) where part.code != 0xDB {
            if part.code == 0xC0 { result += segment }
            result += part.bytes
        }
        return result
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

    /// Fill bytes look like the beginning of a marker to whoever looks for a boundary between segments.
    @Test(arguments: [0, 7] as [UInt32])
    func dataThatEndsInFillBytesEndsAsWithLibjpegAlone(restartInterval: UInt32) throws {
        let bytes = LibJPEG.encode(
            Self.segments, LibJPEG.Coding(quality: 95, restartInterval: restartInterval))
        for share in [3, 6, 9] {
            let damaged = bytes.prefix(bytes.count * share / 10) + [UInt8](repeating: 0xFF, count: 20_000)
            let expected = CodedPlanes(Array(damaged), .libjpeg, isLenient: true)
            for level in Self.levels {
                let core = CodedPlanes(
                    Array(damaged), try codec(level), isLenient: true, threadCount: 3, rowsAtOnce: 1000)
                #expect(core == expected && core.concurrentCallCount > 0)
            }
        }
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
        var random = SeededGenerator(seed: seed)
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
}
