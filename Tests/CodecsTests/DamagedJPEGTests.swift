import SlowJPEG
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs

/// Flaws that make a JPEG fail, and its pixels if damage is tolerated.
struct DamagedJPEGTests {
    enum Sample: CaseIterable {
        case standardTables, ownTables, smoothWithOwnTables, restarts, multipleScans, progressive

        func bytes() throws -> [UInt8] {
            switch self {
            case .standardTables: try RawJPEG.noise(.yCbCr(.s420), side: 128, quality: 90)
            case .ownTables: try grey(hasOwnTables: true, noise: 255)
            case .smoothWithOwnTables: try grey(hasOwnTables: true, noise: 5)
            case .restarts: try grey(restartInterval: 7, noise: 255)
            case .multipleScans:
                LibJPEG.encodeInSeparateScans(
                    try pixels(like: "ycbcr-2x2", side: 80, noise: 255), quality: 90)
            case .progressive: try Fixture.bytes("progressive.jpg")
            }
        }

        private func grey(hasOwnTables: Bool = false, restartInterval: UInt32 = 0, noise: Int) throws
            -> [UInt8]
        {
            LibJPEG.encodeGrey(
                try pixels(like: "grey", side: 160, noise: noise), quality: 90,
                restartInterval: restartInterval,
                hasOwnTables: hasOwnTables)
        }

        /// A ramp with noise on it, with as many channels as the fixture.
        private func pixels(like fixture: String, side: Int, noise: Int) throws -> Pixels {
            var random = SeededGenerator(seed: 8)
            var pixels = try Pixels(pam: Fixture.bytes("\(fixture).pam"))
            (pixels.width, pixels.height) = (side, side)
            pixels.samples = (0..<side * side * pixels.channels).map { index in
                let ramp = index / pixels.channels % side * (255 - noise) / side
                return UInt16(ramp + Int.random(in: 0...noise, using: &random))
            }
            return pixels
        }
    }

    /// Even a few, which the decoder has read together with the coded data before them.
    @Test(arguments: 1...9)
    func surplusBytesBeforeARestartMarkerAreDamage(count: Int) throws {
        var bytes = try Sample.restarts.bytes()
        let marker = try #require(bytes.firstRange(of: [0xFF, 0xD1])).lowerBound
        bytes.insert(contentsOf: repeatElement(0x55, count: count), at: marker)
        #expect(Self.error(of: bytes) != nil)
    }

    /// libjpeg's slow decoder is the reference: whether a flipped bit costs pixels, and the other pixels.
    @Test(arguments: Sample.allCases)
    func flippedBitsAreFoundWhereLibjpegFindsThem(sample: Sample) throws {
        let bytes = try sample.bytes()
        let firstScan = try #require(bytes.firstRange(of: [0xFF, 0xDA])).lowerBound + 14
        var random = SeededGenerator(seed: 21)
        var damagedCount = 0
        // libjpeg takes runs that leave their block.
        var longRunCount = 0
        let longRun = CodecError.corrupt(detail: "Corrupt JPEG data: bad Huffman code")
        for _ in 0..<300 {
            var flipped = bytes
            let position = Int.random(in: firstScan..<bytes.count - 2, using: &random)
            let bit = Int.random(in: 0..<8, using: &random)
            flipped[position] ^= 1 << bit
            let expected = SlowJPEG(flipped)
            let error = Self.error(of: flipped)
            let place = "bit \(bit) of byte \(position)"
            if expected.result.loses_pixels || !expected.result.is_decoded {
                damagedCount += 1
                #expect(error != nil, "\(place)")
            } else if let error {
                let isLongRun = error as? CodecError == longRun
                if isLongRun { longRunCount += 1 }
                #expect(isLongRun || Self.isOfLeftOverData(error), "\(place): \(error)")
            }
            guard expected.result.is_decoded else { continue }
            #expect(try Self.toleratedSamples(of: flipped) == expected.samples, "\(place)")
        }
        #expect(damagedCount > 0)
        #expect(longRunCount > 0 || sample != .ownTables && sample != .standardTables)
    }

    /// 16 ones are no code in any table. libjpeg-turbo's fast decoder reads them as the end of a block.
    @Test func bitsThatAreNoCodeAreDamage() throws {
        var bytes = try Sample.standardTables.bytes()
        let firstScan = try #require(bytes.firstRange(of: [0xFF, 0xDA])).lowerBound + 14
        bytes.replaceSubrange(firstScan + 40..<firstScan + 46, with: [0xFF, 0, 0xFF, 0, 0xFF, 0])
        #expect(throws: CodecError.corrupt(detail: "Corrupt JPEG data: bad Huffman code")) {
            try decode(bytes)
        }
    }

    @Test(arguments: ["ycbcr-2x2.jpg", "progressive.jpg", "restart.jpg", "arithmetic.jpg"])
    func strayBytesInTheHeaderGiveANote(name: String) throws {
        let sound = try Fixture.bytes(name)
        let table = try #require(sound.firstRange(of: [0xFF, 0xDB])).lowerBound
        let bytes = Array(sound[..<table] + [1, 2, 3, 0xFF, 0, 4] + sound[table...])
        #expect(
            try Self.notes(of: bytes)
                == [.harmlessDamage(detail: "Corrupt JPEG data: 6 extraneous bytes before marker 0xdb")])
        #expect(try libjpegSamples(bytes) == libjpegSamples(sound))
        #expect(try copied(bytes) == bytes)
        #expect(try Self.notes(of: sound).isEmpty)
    }

    @Test(
        arguments: ["ycbcr-2x2.jpg", "grey.jpg", "restart.jpg", "cmyk.jpg"],
        [[0], [0, 0, 0, 0, 0, 0, 0, 0, 0], [0xFF, 0x00], Array("stray".utf8)])
    func strayBytesAfterThePixelsGiveANote(name: String, strays: [UInt8]) throws {
        let sound = try Fixture.bytes(name)
        let bytes = Array(sound.dropLast(2) + strays + sound.suffix(2))
        #expect(try Self.notes(of: bytes).count == 1)
        #expect(try libjpegSamples(bytes) == libjpegSamples(sound))
        #expect(try copied(bytes) == bytes)
    }

    /// A flipped bit often has this effect: the blocks after it take fewer bytes.
    @Test func manyBytesBehindThePixelsAreDamage() throws {
        let sound = try Fixture.bytes("grey.jpg")
        let bytes = Array(sound.dropLast(2) + "Stray bytes of a camera's firmware.".utf8 + sound.suffix(2))
        #expect(throws: CodecError.corrupt(detail: "Corrupt JPEG data: more data than the photo has")) {
            try decode(bytes)
        }
    }

    /// If the data has more blocks than the photo, a flaw made the decoder lose some.
    @Test(arguments: [1, 5, 40])
    func blocksBehindThePixelsAreDamage(extraRows: Int) throws {
        var pixels = try Pixels(pam: Fixture.bytes("grey.pam"))
        var random = SeededGenerator(seed: 9)
        pixels.width = 64
        pixels.height = 64 + 8 * extraRows
        pixels.samples = (0..<64 * pixels.height).map { _ in UInt16.random(in: 0...255, using: &random) }
        var bytes = LibJPEG.encodeGrey(pixels, quality: 90)
        let frame = try #require(bytes.firstRange(of: [0xFF, 0xC0])).lowerBound
        bytes.replaceSubrange(frame + 5..<frame + 7, with: [0, 64])
        #expect(throws: CodecError.corrupt(detail: "Corrupt JPEG data: more data than the photo has")) {
            try decode(bytes)
        }
    }

    @Test func fieldsThatBaselineFixesMayBeZero() throws {
        var bytes = try Fixture.bytes("ycbcr-2x2.jpg")
        let samples = try libjpegSamples(bytes)
        let scan = try #require(bytes.firstRange(of: [0xFF, 0xDA])).lowerBound
        #expect(Array(bytes[scan + 11..<scan + 14]) == [0, 63, 0])
        bytes[scan + 12] = 0
        #expect(
            try Self.notes(of: bytes)
                == [.harmlessDamage(detail: "Invalid SOS parameters for sequential JPEG")])
        #expect(try libjpegSamples(bytes) == samples)
        #expect(try copied(bytes) == bytes)
    }

    @Test func anUnknownColourTransformGivesANote() throws {
        var bytes = try Fixture.bytes("ycck.jpg")
        let samples = try libjpegSamples(bytes)
        let adobe = try #require(bytes.firstRange(of: Array("Adobe".utf8))).lowerBound
        #expect(bytes[adobe + 11] == 2)
        bytes[adobe + 11] = 7
        #expect(
            try Self.notes(of: bytes) == [.harmlessDamage(detail: "Unknown Adobe color transform code 7")])
        #expect(try libjpegSamples(bytes) == samples)
    }

    @Test(arguments: ["rgb-8.png", "grey-16-interlaced.png", "progressive.jpg", nil])
    func aTruncatedPhotoIsReadUpToItsEnd(name: String?) throws {
        let sound = try name.map(Fixture.bytes) ?? Sample.standardTables.bytes()
        let whole = try Self.toleratedSamples(of: sound)
        // In the last scan, or in the middle of the pixels.
        let count = name == "progressive.jpg" ? sound.count - 20 : sound.count * 3 / 4
        let left = try Self.toleratedSamples(of: Array(sound[..<count]))
        #expect(left.count == whole.count && left != whole)
        if name == "rgb-8.png" || name == nil { #expect(left.prefix(100) == whole.prefix(100)) }
    }

    @Test(arguments: ["rgb-8.png", "palette-4-trns-interlaced.png"])
    func aWrongChecksumCostsNoPixels(name: String) throws {
        var bytes = try Fixture.bytes(name)
        let whole = try Self.toleratedSamples(of: bytes)
        let end = try #require(bytes.firstRange(of: Array("IEND".utf8))).lowerBound
        bytes[end - 5] ^= 1
        #expect(throws: CodecError.self) { try decode(bytes) }
        #expect(try Self.toleratedSamples(of: bytes) == whole)
    }

    private static func error(of bytes: [UInt8]) -> (any Error)? {
        do {
            try decode(bytes)
            return nil
        } catch {
            return error
        }
    }

    /// Data that libjpeg skips silently, or with a warning that it also gives for harmless bytes.
    private static func isOfLeftOverData(_ error: any Error) -> Bool {
        guard case CodecError.corrupt(let detail) = error else { return false }
        return detail.contains("extraneous bytes before") || detail.contains("more data than")
    }

    private static func notes(of bytes: [UInt8]) throws -> [PhotoNote] {
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let source = try reader.makeSource(layout: reader.layout)
        let strip = try Strip(layout: reader.layout, width: reader.geometry.width, rowCapacity: 64)
        repeat { try source.read(into: strip) } while strip.rowCount > 0
        return reader.notes
    }

    private static func toleratedSamples(of bytes: [UInt8]) throws -> [UInt16] {
        var limits = DecodeLimits()
        limits.toleratesDamage = true
        let reader = try PhotoReader(bytes: bytes, limits: limits)
        let layout: PixelLayout =
            reader.format == .png
            ? reader.layout : .interleaved(reader.layout.hasColour ? .rgb : .grey, .eight)
        return try Pixels(reader.makeSource(layout: layout)).samples
    }
}

/// A JPEG as libjpeg's slow decoder sees it.
struct SlowJPEG {
    let result: slow_jpeg_result
    let samples: [UInt16]

    init(_ bytes: [UInt8]) {
        var buffer = [UInt8](repeating: 0, count: 256 * 256 * 3)
        result = slow_jpeg_decode(bytes, bytes.count, &buffer, buffer.count)
        samples = buffer.prefix(Int(result.width * result.height * result.channels)).map(UInt16.init)
    }
}
