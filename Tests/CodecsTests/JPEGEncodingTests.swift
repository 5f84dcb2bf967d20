import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs

struct JPEGEncodingTests {
    /// Files that are decoded to planes and encoded from them without conversion.
    static let planar = [
        "ycbcr-1x1", "ycbcr-2x1", "ycbcr-2x2", "ycbcr-1x2", "ycbcr-4x1", "ycbcr-4x2", "progressive",
        "restart",
        "arithmetic", "grey", "grey-progressive", "size-1x1", "size-1x19", "size-19x1", "size-16x16",
        "size-17x33",
    ]

    @Test(arguments: planar, [8, 64])
    func unchangedPlanesGiveTheSameCoefficients(name: String, rowCapacity: Int) throws {
        let bytes = try Fixture.bytes("\(name).jpg")
        let source = Coefficients(bytes)
        let result = Coefficients(try passedThrough(bytes, rowCapacity: rowCapacity))
        #expect((result.width, result.height) == (source.width, source.height))
        #expect(!result.isProgressive)
        #expect(result.components == source.components)
    }

    /// libjpeg pads by repeating the last column and row, so its own encoder must come to the same
    /// coefficients.
    @Test(arguments: [(1, 1), (7, 9), (8, 8), (17, 5), (33, 31)])
    func padsAsLibjpegDoes(width: Int, height: Int) throws {
        var random = SeededGenerator(seed: UInt64(width * 100 + height))
        var pixels = try Pixels(pam: Fixture.bytes("grey.pam"))
        (pixels.width, pixels.height) = (width, height)
        pixels.samples = (0..<width * height).map { _ in UInt16(random.next() % 256) }
        let ours = try written { descriptor in
            let writer = try PhotoWriter(
                fileDescriptor: descriptor,
                settings: PhotoWriterSettings(
                    format: .jpeg, geometry: PhotoGeometry(width: width, height: height),
                    layout: .interleaved(.grey, .eight), jpegQuality: .value(80)))
            try pixels.strips(.interleaved(.grey, .eight)) { try writer.write($0) }
            try writer.finish()
        }
        #expect(Coefficients(ours) == Coefficients(LibJPEG.encodeGrey(pixels, quality: 80)))
    }

    @Test func qualityIsLibjpegs() throws {
        // ITU-T T.81, table K.1 and K.2: at quality 50 libjpeg takes them as they are.
        let result = Coefficients(try passedThrough(Fixture.bytes("ycbcr-2x2.jpg"), quality: .value(50)))
        #expect(result.components.map { $0.quantTable[0] } == [16, 17, 17])
        #expect(result.components.map { $0.quantTable[63] } == [99, 99, 99])
        #expect(result.components[0].quantTable[1] == 11 && result.components[1].quantTable[1] == 18)
    }

    @Test func keepsTablesThatDifferInEachComponentAndHaveSixteenBits() throws {
        let tables = [1, 301, 601].map { first in
            [UInt16](stride(from: UInt16(first), to: UInt16(first + 1280), by: 20))
        }
        let coding = JPEGCoding(subsampling: .s420, quantTables: tables)
        let bytes = try passedThrough(Fixture.bytes("ycbcr-2x2.jpg"), quality: .keep(coding))
        #expect(Coefficients(bytes).components.map(\.quantTable) == tables)
        try decode(bytes)
    }

    @Test func aGreySourcesTableServesAllComponents() throws {
        let grey = try PhotoReader(bytes: Fixture.bytes("grey.jpg"), limits: DecodeLimits())
        let coding = try #require(grey.jpegCoding)
        let bytes = try passedThrough(Fixture.bytes("ycbcr-2x2.jpg"), quality: .keep(coding))
        #expect(
            Coefficients(bytes).components.map(\.quantTable)
                == Array(repeating: coding.quantTables[0], count: 3))
    }

    @Test func quantisationStepsAreLimitedToLibjpegsRange() {
        let coding = JPEGCoding(
            subsampling: nil, quantTables: [[0, 8191, 65535] + [UInt16](repeating: 1, count: 61)])
        #expect(coding.quantTables[0].prefix(3) == [1, 8191, 8191])
    }

    @Test func aPhotoThatIsTooWideForAJPEGSaysSo() throws {
        let settings = PhotoWriterSettings(
            format: .jpeg, geometry: PhotoGeometry(width: 65501, height: 1), layout: .yCbCr(.s420))
        let error = #expect(throws: CodecError.self) {
            _ = try PhotoWriter(fileDescriptor: -1, settings: settings)
        }
        #expect(error?.description.contains("65501 x 1 pixels") == true)
    }

    @Test func aFailedWriteIsReported() throws {
        let bytes = try Fixture.bytes("ycbcr-2x2.jpg")
        for format in PhotoFormat.written {
            let layout = try #require(
                [.interleaved(.grey, .eight), .interleaved(.rgb, .eight)].first(where: format.codec.canWrite))
            let error = #expect(throws: CodecError.self) {
                let writer = try PhotoWriter(
                    fileDescriptor: -1,
                    settings: PhotoWriterSettings(
                        format: format, geometry: PhotoGeometry(width: 35, height: 27), layout: layout))
                let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
                let strip = try Strip(layout: layout, width: 35, rowCapacity: 32)
                try reader.makeSource(layout: layout).read(into: strip)
                try writer.write(strip)
                try writer.finish()
            }
            #expect(error == .writeFailed(.badFileDescriptor), "\(format)")
        }
    }

    @Test func outputsTakeTheLayoutOfTheirSource() throws {
        let coding = JPEGCoding(subsampling: .s422, quantTables: [[UInt16](repeating: 1, count: 64)])
        typealias Case = (PhotoFormat, PixelLayout, Bool, JPEGCoding?, PixelLayout)
        let cases: [Case] = [
            (.jpeg, .yCbCr(.s422), false, coding, .yCbCr(.s422)),
            (.jpeg, .interleaved(.rgb, .eight), false, coding, .yCbCr(.s422)),
            (.jpeg, .interleaved(.rgba, .sixteen), false, nil, .yCbCr(.s420)),
            (.jpeg, .yCbCr(.s422), true, coding, .interleaved(.grey, .eight)),
            (.png, .yCbCr(.s420), false, coding, .interleaved(.rgb, .eight)),
            (.png, .interleaved(.rgba, .sixteen), true, nil, .interleaved(.greyAlpha, .sixteen)),
            (.png, .interleaved(.grey, .sixteen), false, nil, .interleaved(.rgb, .sixteen)),
        ]
        for (format, source, grey, coding, expected) in cases {
            let layout = PhotoWriter.layout(for: format, source: source, grey: grey, jpegCoding: coding)
            #expect(layout == expected)
        }
    }
}
