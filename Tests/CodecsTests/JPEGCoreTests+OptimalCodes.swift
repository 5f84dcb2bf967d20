import Glibc
import Testing
import TintypeImaging
import TintypeJPEGCore

@testable import TintypeCodecs

/// Huffman codes of a photo's own.
extension JPEGCoreTests {
    func encodedOptimally(
        _ strip: Strip, _ geometry: PhotoGeometry, _ quality: JPEGQuality, _ codec: JPEGCodec,
        restartRows: Int? = nil
    ) throws -> [UInt8] {
        let scratch = try #require(tmpfile())
        defer { fclose(scratch) }
        return try encoded(
            strip, geometry, quality, codec, scratch: fileno(scratch), restartRows: restartRows)
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
}
