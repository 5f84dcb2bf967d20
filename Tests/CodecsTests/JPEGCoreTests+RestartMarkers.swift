import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs

/// Restart markers after whole rows of MCUs.
extension JPEGCoreTests {
    @Test(
        arguments: levels,
        ChromaSubsampling.common.map { PixelLayout.yCbCr($0) } + [.interleaved(.grey, .eight)])
    func restartMarkersAreLibjpegs(level: String, layout: PixelLayout) throws {
        for (width, height) in [(1, 1), (7, 9), (33, 31), (65, 3), (3, 270), (259, 70)] {
            let strip = try noise(layout, width, height)
            let geometry = PhotoGeometry(width: width, height: height)
            for rows in [1, 2, 3, 1000] {
                let expected = try encoded(strip, geometry, .value(92), .libjpeg, restartRows: rows)
                let optimal = try encodedOptimally(
                    strip, geometry, .value(92), .libjpeg, restartRows: rows)
                let comment: Comment = "\(width) x \(height), \(rows) rows"
                #expect(
                    try encoded(strip, geometry, .value(92), codec(level), restartRows: rows) == expected,
                    comment)
                #expect(
                    try encodedOptimally(strip, geometry, .value(92), codec(level), restartRows: rows)
                        == optimal, comment)
            }
        }
    }

    /// libjpeg as its documentation shows it has the interval in MCUs.
    @Test(arguments: levels)
    func restartMarkersOfGreyPhotosAreThoseOfTheInterval(level: String) throws {
        let (width, height) = (259, 270)
        var random = SeededGenerator(seed: 11)
        let samples = (0..<width * height).map { _ in UInt16(random.next() % 256) }
        let pixels = Pixels(width: width, height: height, channels: 1, maximum: 255, samples: samples)
        let strip = try Strip(
            layout: .interleaved(.grey, .eight), width: width, rowCapacity: height)
        strip.rowCount = height
        for row in 0..<height {
            for column in 0..<width {
                strip.planes[0].row(row).storeBytes(
                    of: UInt8(samples[row * width + column]), toByteOffset: column, as: UInt8.self)
            }
        }
        let geometry = PhotoGeometry(width: width, height: height)
        for (rows, hasOwnTables) in [(1, false), (3, true), (5, false), (1000, true)] {
            let expected = LibJPEG.encodeGrey(
                pixels, quality: 92, restartInterval: UInt32(33 * rows), hasOwnTables: hasOwnTables)
            let made =
                hasOwnTables
                ? try encodedOptimally(strip, geometry, .value(92), codec(level), restartRows: rows)
                : try encoded(strip, geometry, .value(92), codec(level), restartRows: rows)
            #expect(made == expected, "\(rows) rows")
        }
    }

    /// A row of MCUs has more bytes than any buffer at first.
    @Test(arguments: levels)
    func widePhotosGetRestartMarkersAndOptimalCodes(level: String) throws {
        let strip = try noise(.yCbCr(.s444), 12_000, 24)
        let geometry = PhotoGeometry(width: 12_000, height: 24)
        let expected = try encodedOptimally(strip, geometry, .value(100), .libjpeg, restartRows: 1)
        #expect(
            try encodedOptimally(strip, geometry, .value(100), codec(level), restartRows: 1) == expected)
    }

    /// An interval has at most 65535 MCUs: 8 rows of 8188.
    @Test(arguments: [JPEGCodec.libjpeg, .best])
    func aLongIntervalBecomesTheMostWholeRows(codec: JPEGCodec) throws {
        let strip = try noise(.interleaved(.grey, .eight), 65_500, 72)
        let geometry = PhotoGeometry(width: 65_500, height: 72)
        let plain = try encoded(strip, geometry, .value(50), codec)
        for rows in [8, 9, 1000] {
            let bytes = try encoded(strip, geometry, .value(50), codec, restartRows: rows)
            #expect(bytes.firstRange(of: [0xFF, 0xDD, 0, 4, 0xFF, 0xE0]) != nil)
            #expect(bytes.firstRange(of: [0xFF, 0xD0]) != nil && bytes.firstRange(of: [0xFF, 0xD1]) == nil)
            #expect(CodedPlanes(bytes, .libjpeg).planes == CodedPlanes(plain, .libjpeg).planes)
        }
    }

    /// The header of an image that a device encodes.
    @Test(arguments: [PixelLayout.yCbCr(.s420), .interleaved(.grey, .eight)])
    func theIntervalStandsJustBeforeTheScan(layout: PixelLayout) throws {
        let strip = try noise(layout, 259, 70), geometry = PhotoGeometry(width: 259, height: 70)
        var settings = PhotoWriterSettings(format: .jpeg, geometry: geometry, layout: layout)
        settings.restartRows = 2
        let standard = try #require(try CompressedWriter.image(settings)).header
        let file = try encoded(strip, geometry, settings.jpegQuality, .libjpeg, restartRows: 2)
        #expect(standard == JPEGCompressedHeader(of: file, keepsJFIF: false)?.bytes)
        settings.scratchDescriptor = 0
        let codeless = try #require(try CompressedWriter.image(settings)).header
        let optimal = try encodedOptimally(strip, geometry, settings.jpegQuality, .libjpeg, restartRows: 2)
        #expect(
            codeless == JPEGCompressedHeader(of: optimal, keepsJFIF: false, keepsCodes: false)?.bytes)
        let mcusAcross: UInt8 = layout.hasColour ? 17 : 33, scan = layout.hasColour ? 14 : 10
        for header in [standard, codeless] {
            #expect(header.dropLast(scan).suffix(6) == [0xFF, 0xDD, 0, 4, 0, 2 * mcusAcross])
        }
        #expect(codeless.count < standard.count)
    }

    @Test func intervalsOutOfRangeAreRefused() throws {
        let strip = try noise(.interleaved(.grey, .eight), 9, 9),
            geometry = PhotoGeometry(width: 9, height: 9)
        for rows in [-1, 0, 1001] {
            #expect(
                throws: CodecError.unsupported(detail: "restart markers every \(rows) rows; it is 1 to 1000")
            ) { try encoded(strip, geometry, .value(90), .best, restartRows: rows) }
        }
    }
}
