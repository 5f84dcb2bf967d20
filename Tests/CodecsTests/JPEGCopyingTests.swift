import Foundation
import Imaging
import Testing

@testable import Codecs

struct JPEGCopyingTests {
    @Test(arguments: try Fixture.names(withExtension: "jpg"))
    func everyKindOfJPEGGoesThroughByteByByte(name: String) throws {
        let bytes = try Fixture.bytes("\(name).jpg")
        let copy = try copied(bytes)
        #expect(copy == bytes)
        #expect(Coefficients(copy) == Coefficients(bytes))
    }

    /// Samples at both ends of their range, in blocks that the inverse DCT overshoots, and steps of 1: what
    /// decoding and encoding again cannot give back.
    @Test(arguments: [(PixelLayout.yCbCr(.s420), 100), (.yCbCr(.s444), 100), (.yCbCr(.s411), 90)])
    func noiseAndClippedSamplesKeepTheirCoefficients(layout: PixelLayout, quality: Int) throws {
        let bytes = try Self.noise(layout, quality: quality)
        let source = Coefficients(bytes)
        #expect(Coefficients(try passedThrough(bytes)).components != source.components)
        #expect(Coefficients(try copied(bytes)) == source)
    }

    /// Markers lie anywhere in what is read at once.
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
        let bytes = try passedThrough(Self.noise(.yCbCr(.s420), side: 300), metadata: profile)
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

    @Test(arguments: ["ycbcr-2x2", "progressive", "restart", "arithmetic", "grey", "cmyk"])
    func fillBytesAndLateSegmentsStay(name: String) throws {
        let bytes = Self.withFillBytesAndLateSegments(try Fixture.bytes("\(name).jpg"))
        #expect(try copied(bytes) == bytes)
    }

    @Test(arguments: ["ycbcr-2x2", "progressive", "restart", "arithmetic", "grey", "cmyk"])
    func strippingLeavesNoMetadataAnywhere(name: String) throws {
        let source = try Fixture.bytes("\(name).jpg")
        let bytes = Self.withFillBytesAndLateSegments(source)
        let copy = try copied(bytes, metadata: PhotoMetadata())
        #expect(Coefficients(copy) == Coefficients(source))
        for text in ["a late comment", "Photoshop", "JFXX"] {
            #expect(!copy.contains(text), "\(text)")
        }
        #expect(copy.contains("JFIF") == source.contains("JFIF"))
        #expect(copy.contains("Adobe") == source.contains("Adobe"))
        // JFIF or Adobe, once; then tables, frame, scans and DNL in their order.
        let expected = Self.codes(source).prefix(1) + Self.codes(bytes).filter { !(0xE0...0xFE ~= $0) }
        #expect(Self.codes(copy) == Array(expected))
        #expect([0xE0, 0xEE].contains(expected.first) && expected.contains(0xDC))
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

    /// It says what the inks mean, and they are the same inks.
    @Test(arguments: [true, false])
    func cmykKeepsItsProfile(isStripped: Bool) throws {
        let profile = try ICCProfileTests.profile(space: "CMYK", description: "inks")
        let segment = try #require(
            try JPEGSegments.segments(for: PhotoMetadata(items: [.icc(profile)])).first)
        var bytes = try Fixture.bytes("cmyk.jpg")
        bytes.insert(contentsOf: Self.segment(0xE2, segment.bytes), at: 2)
        let own = try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata
        let copy = try copied(bytes, metadata: isStripped ? own.stripped() : nil)
        #expect(try PhotoReader(bytes: copy, limits: DecodeLimits()).metadata.icc == profile)
        #expect(Coefficients(copy) == Coefficients(bytes))
    }

    @Test func picturesBehindThePhotoGoWithTheirIndex() throws {
        let photo = try Fixture.bytes("ycbcr-2x2.jpg")
        let index = Self.segment(0xE2, Array("MPF\0II*\0".utf8))
        let bytes = photo[..<2] + index + photo[2...] + photo + Array("tail".utf8)
        #expect(try copied(Array(bytes)) == photo)
    }

    @Test func nothingIsAddedThatThePhotoDidNotSay() throws {
        // Without JFIF, libjpeg goes by the components' names.
        let whole = try Fixture.bytes("ycbcr-2x2.jpg")
        let bytes = Array(whole[..<2] + whole[20...])
        #expect(Self.codes(bytes).first == 0xDB)
        #expect(try copied(bytes, metadata: PhotoMetadata()) == bytes)
    }
}

// MARK: Failures

extension JPEGCopyingTests {
    @Test(arguments: DamageTests.samples.filter { $0.hasSuffix("jpg") })
    func aFileThatIsCutOffAnywhereIsNotCopied(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let step = max(1, bytes.count / 300)
        for count in Set(stride(from: 1, to: bytes.count, by: step)).union((bytes.count - 12)..<bytes.count) {
            #expect(throws: CodecError.truncated, "\(count) of \(bytes.count) bytes") {
                try copied(Array(bytes[..<count]))
            }
        }
    }

    /// What the decoder takes is copied, and nothing else; the copy is as good as what it was made from.
    @Test(arguments: DamageTests.samples.filter { $0.hasSuffix("jpg") }, [true, false])
    func damagedBytesNeverCrash(name: String, isStripped: Bool) throws {
        let bytes = try Fixture.bytes(name)
        let limits = DecodeLimits(maxPixels: 1 << 20, memoryByteCount: 16 << 20)
        var random = SplitMix(seed: 12)
        var copyCount = 0
        for _ in 0..<300 {
            var damaged = bytes
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<bytes.count, using: &random)
                let isMarker = Bool.random(using: &random)
                damaged[position] = isMarker ? 0xFF : UInt8.random(in: 0...255, using: &random)
            }
            let isSound = (try? decode(damaged, limits: limits)) != nil
            let copy = try? copied(damaged, metadata: isStripped ? PhotoMetadata() : nil, limits: limits)
            #expect((copy != nil) == isSound)
            guard let copy else { continue }
            copyCount += 1
            #expect(try samples(copy) == samples(damaged))
            if !isStripped { #expect(damaged.starts(with: copy) && copy.suffix(2) == [0xFF, 0xD9]) }
        }
        #expect(copyCount > 20 && copyCount < 280)
    }

    @Test(arguments: ["ycbcr-2x2.jpg", "progressive.jpg"])
    func aFailedWriteIsReported(name: String) throws {
        let bytes = try Fixture.bytes(name)
        #expect(throws: CodecError.writeFailed(reason: "Bad file descriptor")) {
            try copy(try PhotoReader(bytes: bytes, limits: DecodeLimits()), to: -1)
        }
    }

    /// The disk fills up in the middle of the photo: the rest of it need not be decoded.
    @Test func aFailedWriteStopsTheDecoder() throws {
        let bytes = try Self.noise(.yCbCr(.s444), side: 600)
        #expect(bytes.count > 256 << 10)
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        _ = try written { descriptor in
            let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
            let writer = try PhotoWriter(fileDescriptor: descriptor, copying: reader)
            let source = try reader.makeSource(layout: reader.layout)
            let kept = dup(descriptor)
            defer {
                dup2(kept, descriptor)
                close(kept)
            }
            #expect(dup2(full, descriptor) == descriptor)
            let strip = Strip(layout: reader.layout, width: 600, rowCapacity: 400)
            #expect(throws: CodecError.writeFailed(reason: "No space left on device")) {
                try source.read(into: strip)
            }
            withExtendedLifetime(writer) {}
        }
    }

    @Test func aCopyWithoutAnEndIsNone() throws {
        let bytes = try Fixture.bytes("ycbcr-2x2.jpg")
        let copier = try JPEGCopier(ByteOutput(fileDescriptor: -1), replacing: nil)
        try Array(bytes.dropLast()).withUnsafeBytes { try copier.take($0) }
        #expect(throws: CodecError.self) { try copier.finish() }
    }
}

// MARK: Photos

extension JPEGCopyingTests {
    private static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 0xFF)] + bytes
    }

    /// Planes of samples that are 0, 255, or anything between.
    private static func noise(_ layout: PixelLayout, side: Int = 67, quality: Int = 100) throws -> [UInt8] {
        var random = SplitMix(seed: 3)
        let strip = Strip(layout: layout, width: side, rowCapacity: side)
        strip.rowCount = side
        for plane in strip.planes {
            for row in 0..<plane.rowCapacity * side / strip.rowCapacity {
                let samples = UnsafeMutableRawBufferPointer(start: plane.row(row), count: plane.width)
                for column in samples.indices {
                    let value = Int.random(in: -200...455, using: &random)
                    samples[column] = UInt8(min(max(value, 0), 255))
                }
            }
        }
        return try written { descriptor in
            let writer = try PhotoWriter(
                fileDescriptor: descriptor,
                settings: PhotoWriterSettings(
                    format: .jpeg, geometry: PhotoGeometry(width: side, height: side), layout: layout,
                    jpegQuality: .value(quality)))
            try writer.write(strip)
            try writer.finish()
        }
    }

    /// With every oddity that the format allows: fill bytes before markers, a JFXX thumbnail, a segment of
    /// Photoshop's with 0xFF in it, comments between and behind the scans, and DNL.
    private static func withFillBytesAndLateSegments(_ bytes: [UInt8]) -> [UInt8] {
        let comment = segment(0xFE, Array("a late comment".utf8))
        var result: [UInt8] = []
        var isFirstScan = true
        for (code, part) in parts(bytes) {
            switch code {
            case 0xD8:
                result += part + segment(0xE0, Array("JFXX\0\u{10}".utf8))
                result += segment(0xED, Array("Photoshop 3.0\0".utf8) + [0xFF, 0xD9, 0xFF, 0xDA, 0xFF])
            case 0xDA:
                result += comment + [0xFF, 0xFF] + part
                // The number of lines, which the frame has said already.
                if isFirstScan { result += segment(0xDC, [0, 27]) }
                isFirstScan = false
            case 0xD9:
                result += [0xFF] + comment + [0xFF, 0xFF, 0xFF] + part
            default:
                result += [0xFF] + part
            }
        }
        return result
    }

    /// The markers that have a segment, in order.
    private static func codes(_ bytes: [UInt8]) -> [UInt8] {
        parts(bytes).map(\.code).filter { $0 != 0xD8 && $0 != 0xD9 }
    }

    /// SOI, each segment, a scan with its data, and EOI; without fill bytes.
    private static func parts(_ bytes: [UInt8]) -> [(code: UInt8, bytes: [UInt8])] {
        var parts: [(code: UInt8, bytes: [UInt8])] = []
        var position = 0
        while position < bytes.count {
            while bytes[position + 1] == 0xFF { position += 1 }
            let code = bytes[position + 1]
            var end = position + 2
            if code != 0xD8, code != 0xD9 { end += Int(bytes[end]) << 8 | Int(bytes[end + 1]) }
            if code == 0xDA {
                while bytes[end] != 0xFF || bytes[end + 1] == 0 || 0xD0...0xD7 ~= bytes[end + 1] { end += 1 }
            }
            parts.append((code, Array(bytes[position..<end])))
            position = end
        }
        return parts
    }
}

extension [UInt8] {
    fileprivate func contains(_ text: String) -> Bool { firstRange(of: Array(text.utf8)) != nil }
}

/// All rows go from the reader to the copying writer.
private func copy(_ reader: PhotoReader, metadata: PhotoMetadata? = nil, to descriptor: Int32) throws {
    let writer = try PhotoWriter(fileDescriptor: descriptor, copying: reader, metadata: metadata)
    let source = try reader.makeSource(layout: reader.layout)
    let strip = Strip(layout: reader.layout, width: reader.geometry.width, rowCapacity: 64)
    repeat {
        try source.read(into: strip)
        try writer.write(strip)
    } while strip.rowCount > 0
    try writer.finish()
}

private func copied(_ reader: PhotoReader) throws -> [UInt8] { try written { try copy(reader, to: $0) } }

private func copied(
    _ bytes: [UInt8], metadata: PhotoMetadata? = nil, limits: DecodeLimits = DecodeLimits()
) throws -> [UInt8] {
    try written { try copy(try PhotoReader(bytes: bytes, limits: limits), metadata: metadata, to: $0) }
}

/// As libjpeg turns them into RGB, or into grey.
private func samples(_ jpeg: [UInt8]) throws -> Pixels {
    let reader = try PhotoReader(bytes: jpeg, limits: DecodeLimits())
    return try Pixels(reader.makeSource(layout: .interleaved(reader.layout.hasColour ? .rgb : .grey, .eight)))
}
