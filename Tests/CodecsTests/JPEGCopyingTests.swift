import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

struct JPEGCopyingTests {
    @Test(arguments: try Fixture.names(withExtension: "jpg"))
    func everyKindOfJPEGGoesThroughByteByByte(name: String) throws {
        let bytes = try Fixture.bytes("\(name).jpg")
        let copy = try copied(bytes)
        #expect(copy == bytes)
        #expect(Coefficients(copy) == Coefficients(bytes))
    }

    /// Clipped samples and quantisation steps of 1, which decoding and encoding again cannot reproduce.
    @Test(arguments: [(PixelLayout.yCbCr(.s420), 100), (.yCbCr(.s444), 100), (.yCbCr(.s411), 90)])
    func noiseAndClippedSamplesKeepTheirCoefficients(layout: PixelLayout, quality: Int) throws {
        let bytes = try RawJPEG.noise(layout, quality: quality)
        let source = Coefficients(bytes)
        #expect(Coefficients(try passedThrough(bytes)).components != source.components)
        #expect(Coefficients(try copied(bytes)) == source)
    }

    /// Markers may be at any position of a read buffer.
    @Test(arguments: ["metadata", "progressive", "restart", "cmyk"], [true, false])
    func anySplitOfTheBytesGivesTheSameCopy(name: String, isStripped: Bool) throws {
        let bytes = try Fixture.bytes("\(name).jpg")
        let metadata = try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata.stripped()
        let expected = try copied(bytes, metadata: isStripped ? metadata : nil)
        for chunkByteCount in [1, 2, 3, 5, 64, bytes.count] {
            let copy = try written { descriptor in
                let copier = try JPEGCopier(
                    ByteOutput(fileDescriptor: descriptor),
                    replacing: isStripped
                        ? JPEGSegments.Replacement(metadata: metadata, hasJFIF: name != "cmyk") : nil)
                for start in stride(from: 0, to: bytes.count, by: chunkByteCount) {
                    let chunk = Array(bytes[start...].prefix(chunkByteCount))
                    try chunk.withUnsafeBytes { try copier.take($0) }
                }
                try copier.finish()
            }
            #expect(copy == expected, "\(chunkByteCount) bytes at once")
        }
    }

    /// More than any buffer holds.
    @Test func pipesAreCopiedAsFilesAre() throws {
        let profile = PhotoMetadata(
            items: [.icc(ICCProfile(bytes: (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }))])
        let bytes = try passedThrough(RawJPEG.noise(.yCbCr(.s420), side: 300), metadata: profile)
        #expect(try copied(bytes) == bytes)
        let pipe = Pipe()
        let feeder = Thread {
            for start in stride(from: 0, to: bytes.count, by: 10_007) {
                pipe.fileHandleForWriting.write(Data(bytes[start..<min(start + 10_007, bytes.count)]))
            }
            try? pipe.fileHandleForWriting.close()
        }
        feeder.start()
        let reader = try PhotoReader(
            fileDescriptor: pipe.fileHandleForReading.fileDescriptor, limits: DecodeLimits())
        #expect(try copied(reader) == bytes)
    }

    /// RST0 to RST7 look like markers of segments.
    @Test func everyRestartMarkerStays() throws {
        var random = SeededGenerator(seed: 6)
        var pixels = try Pixels(pam: Fixture.bytes("grey.pam"))
        (pixels.width, pixels.height) = (64, 64)
        pixels.samples = (0..<64 * 64).map { _ in UInt16.random(in: 0...255, using: &random) }
        let bytes = LibJPEG.encodeGrey(pixels, quality: 100, restartInterval: 1)
        #expect((0xD0...0xD7).allSatisfy { bytes.firstRange(of: [0xFF, $0]) != nil })
        #expect(try copied(bytes) == bytes)
    }

    @Test(arguments: ["ycbcr-2x2", "progressive", "restart", "arithmetic", "grey", "cmyk"])
    func fillBytesAndLateSegmentsStay(name: String) throws {
        let bytes = RawJPEG.withFillBytesAndLateSegments(try Fixture.bytes("\(name).jpg"))
        #expect(try copied(bytes) == bytes)
    }

    @Test(arguments: ["ycbcr-2x2", "progressive", "restart", "arithmetic", "grey", "cmyk"])
    func strippingLeavesNoMetadataAnywhere(name: String) throws {
        let source = try Fixture.bytes("\(name).jpg")
        let bytes = RawJPEG.withFillBytesAndLateSegments(source)
        let copy = try copied(bytes, metadata: PhotoMetadata())
        #expect(Coefficients(copy) == Coefficients(source))
        for text in ["a late comment", "Photoshop", "JFXX"] {
            #expect(!copy.contains(text), "\(text)")
        }
        #expect(copy.contains("JFIF") == source.contains("JFIF"))
        #expect(copy.contains("Adobe") == source.contains("Adobe"))
        // JFIF or Adobe, once; then tables, frame, scans and DNL in their order.
        let expected = RawJPEG.codes(source).prefix(1) + RawJPEG.codes(bytes).filter { !(0xE0...0xFE ~= $0) }
        #expect(RawJPEG.codes(copy) == Array(expected))
        #expect([0xE0, 0xEE].contains(expected.first) && expected.contains(0xDC))
    }

    /// An EXIF segment whose length is wrong: libjpeg skips the rest up to the next marker.
    @Test(arguments: [0, 2, 8] as [UInt8], ["ycbcr-2x2", "progressive", "restart", "cmyk"])
    func bytesBetweenSegmentsAreStripped(length: UInt8, name: String) throws {
        let source = try Fixture.bytes("\(name).jpg")
        var strays = [0xFF, 0xE1, 0, length] + Array("Exif\0\0MM\0*".utf8)
        strays += [0xFF, 0x00] + Array("a secret".utf8) + [0xFF, 0xFF, 0x00, 1]
        let scan = try #require(source.firstRange(of: [0xFF, 0xDA])).lowerBound
        let bytes = Array(source[..<2] + strays + source[2..<scan] + strays + source[scan...])
        let copy = try copied(bytes, metadata: PhotoMetadata())
        #expect(!copy.contains("secret"))
        // Fill bytes stay.
        let plain = try copied(source, metadata: PhotoMetadata())
        #expect(RawJPEG.codes(copy) == RawJPEG.codes(plain) && copy.count <= plain.count + 2)
        #expect(try libjpegSamples(copy) == libjpegSamples(source))
        #expect(try copied(bytes) == bytes)
    }

    @Test func adobesSegmentIsCutToWhatIsKnown() throws {
        let source = try Fixture.bytes("cmyk.jpg")
        let adobe = try #require(source.firstRange(of: Array("Adobe".utf8))).lowerBound
        var bytes = source
        bytes.insert(contentsOf: Array("a secret".utf8), at: adobe + 12)
        bytes[adobe - 1] += 8
        #expect(try copied(bytes, metadata: PhotoMetadata()) == copied(source, metadata: PhotoMetadata()))
        #expect(try copied(bytes) == bytes)
    }

    @Test func otherMetadataReplacesThePhotosOwn() throws {
        let bytes = try Fixture.bytes("metadata.jpg")
        let metadata = PhotoMetadata(
            items: [.exif(EXIF(orientation: .left).bytes), .comment(Array("new".utf8))],
            density: PixelDensity(x: 258, y: 3, unit: .perCentimetre))
        let copy = try copied(bytes, metadata: metadata)
        let reader = try PhotoReader(bytes: copy, limits: DecodeLimits())
        #expect(reader.metadata == metadata && reader.geometry.orientation == .left)
        #expect(Coefficients(copy) == Coefficients(bytes))
        // JFIF 1.02, appendix: length, name, version, unit, two densities, no thumbnail.
        let jfif: [UInt8] = [0xFF, 0xE0, 0, 16] + Array("JFIF\0".utf8) + [1, 1, 2, 1, 2, 0, 3, 0, 0]
        #expect(Array(copy[2..<20]) == jfif)
    }

    @Test func strippedMetadataIsWhatTheEncoderWrites() throws {
        let bytes = try Fixture.bytes("metadata.jpg")
        let metadata = try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata.stripped()
        let copy = try copied(bytes, metadata: metadata)
        let encoded = try passedThrough(bytes, metadata: metadata)
        let tables = try #require(encoded.firstRange(of: [0xFF, 0xDB]))
        #expect(copy.starts(with: encoded[..<tables.lowerBound]))
    }

    /// The profile still applies, because the inks do not change.
    @Test(arguments: [true, false])
    func cmykKeepsItsProfile(isStripped: Bool) throws {
        let profile = try ICCProfileTests.profile(space: "CMYK", description: "inks")
        let segment = try #require(
            try JPEGSegments.segments(for: PhotoMetadata(items: [.icc(profile)])).first)
        var bytes = try Fixture.bytes("cmyk.jpg")
        bytes.insert(contentsOf: RawJPEG.segment(0xE2, segment.bytes), at: 2)
        let own = try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata
        let copy = try copied(bytes, metadata: isStripped ? own.stripped() : nil)
        #expect(try PhotoReader(bytes: copy, limits: DecodeLimits()).metadata.icc == profile)
        #expect(Coefficients(copy) == Coefficients(bytes))
    }

    /// Offsets in the index and lengths in XMP stay valid, because no byte moves.
    @Test(arguments: [0, 1, 200_000])
    func bytesAfterThePhotoAreCopied(byteCount: Int) throws {
        let photo = try Fixture.bytes("ycbcr-2x2.jpg")
        let index = RawJPEG.segment(0xE2, Array("MPF\0II*\0".utf8))
        let video = (0..<byteCount).map { UInt8(truncatingIfNeeded: $0 &* $0) }
        let bytes = Array(photo[..<2] + index + photo[2...] + photo + video)
        #expect(try copied(bytes) == bytes)
        _ = try written { file in
            #expect(write(file, bytes, bytes.count) == bytes.count && lseek(file, 0, SEEK_SET) == 0)
            let copy = try copied(PhotoReader(fileDescriptor: file, limits: DecodeLimits()))
            #expect(copy == bytes)
        }
        #expect(try copied(bytes, metadata: PhotoMetadata()) == copied(photo, metadata: PhotoMetadata()))
    }

    @Test func nothingIsAddedThatThePhotoDidNotSay() throws {
        // Without JFIF, libjpeg goes by the components' names.
        let whole = try Fixture.bytes("ycbcr-2x2.jpg")
        let bytes = Array(whole[..<2] + whole[20...])
        #expect(RawJPEG.codes(bytes).first == 0xDB)
        #expect(try copied(bytes, metadata: PhotoMetadata()) == bytes)
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}
