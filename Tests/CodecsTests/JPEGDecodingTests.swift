import Testing
import TintypeImaging

@testable import TintypeCodecs

struct JPEGDecodingTests {
    /// The expected samples are what Pillow decodes: see Fixtures/make.py.
    @Test(arguments: try Fixture.names(withExtension: "jpg").filter { $0 != "metadata" })
    func decodesToThePixelsThatPillowSees(name: String) throws {
        let expected = try Pixels(pam: Fixture.bytes("\(name).pam"))
        for rowCapacity in [8, 16, 64] {
            let reader = try PhotoReader(bytes: Fixture.bytes("\(name).jpg"), limits: DecodeLimits())
            #expect(reader.format == .jpeg)
            let source = try reader.makeSource(
                layout: .interleaved(expected.channels == 1 ? .grey : .rgb, .eight))
            #expect(try Pixels(source, rowCapacity: rowCapacity) == expected)
        }
    }

    @Test(arguments: [
        ("ycbcr-1x1", PixelLayout.yCbCr(.s444)), ("ycbcr-2x1", .yCbCr(.s422)), ("ycbcr-2x2", .yCbCr(.s420)),
        ("ycbcr-1x2", .yCbCr(.s440)), ("ycbcr-4x1", .yCbCr(.s411)), ("ycbcr-4x2", .yCbCr(.s410)),
        ("progressive", .yCbCr(.s420)), ("restart", .yCbCr(.s420)), ("arithmetic", .yCbCr(.s420)),
        ("grey", .interleaved(.grey, .eight)), ("grey-2x2", .interleaved(.grey, .eight)),
        ("odd-factors", .interleaved(.rgb, .eight)), ("unequal-chroma", .interleaved(.rgb, .eight)),
        ("rgb-coded", .interleaved(.rgb, .eight)), ("cmyk", .interleaved(.rgb, .eight)),
        ("ycck", .interleaved(.rgb, .eight)),
    ])
    func keepsPlanesWhereItCan(name: String, layout: PixelLayout) throws {
        let reader = try PhotoReader(bytes: Fixture.bytes("\(name).jpg"), limits: DecodeLimits())
        #expect(reader.layout == layout)
        #expect((reader.geometry.width, reader.geometry.height) == (35, 27))
    }

    @Test(arguments: [
        ("ycbcr-2x2", ChromaSubsampling.s420), ("odd-factors", .s422), ("rgb-coded", .s444), ("cmyk", .s444),
        ("unequal-chroma", nil), ("grey", nil),
    ])
    func knowsTheSubsamplingOfFilesThatAreNotReadAsPlanes(name: String, subsampling: ChromaSubsampling?)
        throws
    {
        let reader = try PhotoReader(bytes: Fixture.bytes("\(name).jpg"), limits: DecodeLimits())
        #expect(reader.jpegCoding?.subsampling == subsampling)
    }

    @Test func lumaOfAColourPhotoIsItsGrey() throws {
        let bytes = try Fixture.bytes("ycbcr-2x2.jpg")
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let grey = try Pixels(reader.makeSource(layout: .interleaved(.grey, .eight)))
        let planes = try PhotoReader(bytes: bytes, limits: DecodeLimits()).makeSource(layout: .yCbCr(.s420))
        let strip = try Strip(layout: .yCbCr(.s420), width: 35, rowCapacity: 32)
        try planes.read(into: strip)
        for row in 0..<27 {
            let luma = strip.planes[0].row(row).assumingMemoryBound(to: UInt8.self)
            #expect((0..<35).allSatisfy { UInt16(luma[$0]) == grey.samples[35 * row + $0] })
        }
        #expect(strip.hasBlockPadding)
    }

    @Test func greyBecomesRGBWhereAsked() throws {
        let expected = try Pixels(pam: Fixture.bytes("grey.pam"))
        let reader = try PhotoReader(bytes: Fixture.bytes("grey.jpg"), limits: DecodeLimits())
        let pixels = try Pixels(reader.makeSource(layout: .interleaved(.rgb, .eight)))
        #expect(pixels.samples == expected.samples.flatMap { [$0, $0, $0] })
    }

    /// A 12-bit sample depth in the frame header (ITU-T T.81, B.2.2): libjpeg 6b's interface has 8 bits.
    @Test func refusesTwelveBits() throws {
        var bytes = try Fixture.bytes("ycbcr-2x2.jpg")
        let frame = try #require(bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) })
        bytes[frame + 4] = 12
        #expect(throws: CodecError.unsupported(detail: "Unsupported JPEG data precision 12")) {
            try decode(bytes)
        }
    }
}
