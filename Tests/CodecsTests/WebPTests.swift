import Foundation
import TestSupport
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

struct WebPTests {
    private static func encoded(
        _ pixels: Pixels, _ quality: Int = 90, isLossless: Bool = false, metadata: PhotoMetadata = .init(),
        rowCapacity: Int = 16
    ) throws -> [UInt8] {
        let layout = PixelLayout.interleaved(pixels.channels == 4 ? .rgba : .rgb, .eight)
        var settings = PhotoWriterSettings(
            format: .webp, geometry: PhotoGeometry(width: pixels.width, height: pixels.height),
            layout: layout,
            metadata: metadata, jpegQuality: .value(quality))
        settings.isLossless = isLossless
        return try written { descriptor in
            let writer = try PhotoWriter(fileDescriptor: descriptor, settings: settings)
            try pixels.strips(layout, rowCapacity: rowCapacity) { try writer.write($0) }
            try writer.finish()
        }
    }

    private static func reader(_ bytes: [UInt8], _ limits: DecodeLimits = .init()) throws -> PhotoReader {
        try PhotoReader(bytes: bytes, limits: limits)
    }

    private static func decoded(_ bytes: [UInt8], _ limits: DecodeLimits = .init(), rowCapacity: Int = 8)
        throws -> Pixels
    {
        let reader = try reader(bytes, limits)
        return try Pixels(reader.makeSource(layout: reader.layout), rowCapacity: rowCapacity)
    }

    /// What libwebp's own simple function makes of a file.
    private static func reference(_ bytes: [UInt8], channels: Int) throws -> Pixels {
        typealias Decode =
            @convention(c) (
                UnsafePointer<UInt8>?, Int, UnsafeMutablePointer<Int32>, UnsafeMutablePointer<Int32>
            )
            -> UnsafeMutablePointer<UInt8>?
        let library = try #require(dlopen("libwebp.so.7", RTLD_NOW))
        let function = try #require(dlsym(library, channels == 4 ? "WebPDecodeRGBA" : "WebPDecodeRGB"))
        var width: Int32 = 0, height: Int32 = 0
        let samples = try #require(
            unsafeBitCast(function, to: Decode.self)(bytes, bytes.count, &width, &height))
        defer { free(samples) }
        let count = Int(width) * Int(height) * channels
        return Pixels(
            width: Int(width), height: Int(height), channels: channels, maximum: 255,
            samples: UnsafeBufferPointer(start: samples, count: count).map(UInt16.init))
    }

    /// Files of cwebp and img2webp, and what dwebp makes of them: see Fixtures/make.py.
    @Test(arguments: try Fixture.names(withExtension: "webp").filter { $0 != "metadata" })
    func filesOfOthersAreDecodedAsTheyDo(name: String) throws {
        let file = try Fixture.bytes("\(name).webp")
        #expect(try Self.decoded(file) == Pixels(pam: Fixture.bytes("\(name).pam")))
        #expect(
            try Self.reader(file).notes == (name == "animation" ? [.animationLeftOut(frameCount: 3)] : []))
    }

    private static let sizes = [(1, 1), (17, 13), (2, 300), (300, 2), (131, 97)]

    @Test(arguments: sizes, [false, true])
    func samplesAreLibwebps(size: (Int, Int), alpha: Bool) throws {
        for (quality, isLossless) in [(10, false), (90, false), (90, true)] {
            let file = try Self.encoded(
                Pixels.smooth(size.0, size.1, alpha: alpha), quality, isLossless: isLossless)
            let reader = try Self.reader(file)
            #expect(
                reader.format == .webp && reader.isLossless == isLossless && reader.layout.hasAlpha == alpha)
            for rows in [1, 8, 64] {
                #expect(
                    try Self.decoded(file, rowCapacity: rows) == Self.reference(file, channels: alpha ? 4 : 3)
                )
            }
        }
    }

    @Test(arguments: sizes, [false, true])
    func withoutLossAllSamplesComeBack(size: (Int, Int), alpha: Bool) throws {
        let pixels = Pixels.smooth(size.0, size.1, alpha: alpha)
        for rows in [1, 16, 1000] {
            let file = try Self.encoded(pixels, isLossless: true, rowCapacity: rows)
            #expect(try Self.decoded(file) == pixels)
        }
    }

    @Test func aBetterQualityIsNearer() throws {
        let pixels = Pixels.smooth(131, 97, alpha: false)
        func error(_ quality: Int) throws -> Int {
            let decoded = try Self.decoded(Self.encoded(pixels, quality))
            return zip(decoded.samples, pixels.samples).reduce(0) { $0 + abs(Int($1.0) - Int($1.1)) }
        }
        let errors = try [10, 50, 100].map(error)
        #expect(errors == errors.sorted(by: >) && Set(errors).count == 3)
    }

    // MARK: Metadata

    private static let metadata = PhotoMetadata(items: [
        .icc(.adobeRGB), .exif(EXIF(orientation: .left).bytes), .xmp(Array("<x:xmpmeta/>".utf8)),
    ])

    @Test(arguments: [false, true], [false, true])
    func metadataComesBack(alpha: Bool, isLossless: Bool) throws {
        let pixels = Pixels.smooth(30, 20, alpha: alpha)
        let plain = try Self.encoded(pixels, isLossless: isLossless)
        let file = try Self.encoded(pixels, isLossless: isLossless, metadata: Self.metadata)
        let reader = try Self.reader(file)
        #expect(
            reader.metadata == Self.metadata && reader.geometry.orientation == .left && reader.notes.isEmpty)
        #expect(try Self.decoded(file) == Self.decoded(plain))
        #expect(
            try Self.reference(file, channels: alpha ? 4 : 3)
                == Self.reference(plain, channels: alpha ? 4 : 3))
        // The chunks' order is RFC 9649's.
        #expect(
            Self.chunkNames(file).filter { $0 != "ALPH" }
                == ["VP8X", "ICCP", isLossless ? "VP8L" : "VP8 ", "EXIF", "XMP "])
    }

    private static func chunks(_ file: [UInt8]) -> [ArraySlice<UInt8>] {
        var chunks: [ArraySlice<UInt8>] = [], rest = file.dropFirst(12)
        while rest.count >= 8 {
            let count = rest.dropFirst(4).prefix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
            chunks.append(rest.prefix(8 + count + count % 2))
            rest = rest.dropFirst(8 + count + count % 2)
        }
        return chunks
    }

    private static func chunkNames(_ file: [UInt8]) -> [String] {
        chunks(file).map { String(decoding: $0.prefix(4), as: UTF8.self) }
    }

    private static func file(of chunks: [UInt8]) -> [UInt8] {
        Array("RIFF".utf8) + littleEndian(4 + chunks.count, 4) + Array("WEBP".utf8) + chunks
    }

    private static func chunk(_ name: String, _ bytes: [UInt8]) -> [UInt8] {
        Array(name.utf8) + littleEndian(bytes.count, 4) + bytes + (bytes.count % 2 == 1 ? [0] : [])
    }

    private static func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    @Test func aJPEGsHeadBeforeEXIFIsNoPartOfIt() throws {
        let exif = EXIF(orientation: .down).bytes
        let file = try Self.encoded(Pixels.smooth(8, 8, alpha: false), metadata: .init(items: [.exif(exif)]))
        var chunks = Self.chunks(file).map(Array.init)
        chunks[2] = Self.chunk("EXIF", Array("Exif\0\0".utf8) + exif)
        #expect(try Self.reader(Self.file(of: chunks.flatMap(\.self))).metadata.items == [.exif(exif)])
    }

    /// What follows the image is found in a pipe, too.
    @Test func aPipeGivesTheSame() throws {
        let pixels = Pixels.smooth(300, 200, alpha: true)
        let file = try Self.encoded(pixels, isLossless: true, metadata: Self.metadata)
        let pipe = Pipe()
        let writing = Thread {
            try? pipe.fileHandleForWriting.write(contentsOf: file); try? pipe.fileHandleForWriting.close()
        }
        writing.start()
        let reader = try PhotoReader(
            fileDescriptor: pipe.fileHandleForReading.fileDescriptor, limits: DecodeLimits())
        #expect(reader.metadata == Self.metadata)
        #expect(try Pixels(reader.makeSource(layout: reader.layout)) == pixels)
    }

    @Test func bytesBehindTheEndAreNamed() throws {
        let file = try Self.encoded(Pixels.smooth(8, 8, alpha: false))
        #expect(try Self.reader(file + [1, 2, 3]).notes == [.bytesBehindEnd(count: 3)])
        try decode(file + [1, 2, 3])
    }

    @Test func whatAWebPCannotHoldIsNamed() {
        let (metadata, notes) = PhotoMetadata(items: [.comment([65]), .exif([1])], density: nil)
            .converted(from: .jpeg, to: .webp, hasColour: true, limits: DecodeLimits())
        #expect(metadata.items == [.exif([1])])
        #expect(notes == [.metadataLeftOut(names: ["comment"], by: .webp)])
    }

    // MARK: Copies

    @Test(arguments: [false, true]) func aCopyIsTheFileOrItsImage(alpha: Bool) throws {
        let pixels = Pixels.smooth(40, 30, alpha: alpha)
        let file = try Self.encoded(pixels, 50, metadata: Self.metadata) + [7]
        #expect(try copied(file) == file)
        #expect(try copied(file, metadata: PhotoMetadata()) == Self.encoded(pixels, 50))
    }

    // MARK: Animations

    private static func animation(
        canvas: (Int, Int), origin: (Int, Int), _ frame: Pixels, frames: Int = 2
    ) throws -> [UInt8] {
        func size(_ width: Int, _ height: Int) -> [UInt8] {
            littleEndian(width - 1, 3) + littleEndian(height - 1, 3)
        }
        let image = try encoded(frame, isLossless: true).dropFirst(12)
        let place = littleEndian(origin.0 / 2, 3) + littleEndian(origin.1 / 2, 3)
        let head = place + size(frame.width, frame.height) + littleEndian(100, 3) + [0]
        return file(
            of: chunk("VP8X", [0x12, 0, 0, 0] + size(canvas.0, canvas.1)) + chunk("ANIM", [0, 0, 0, 0, 0, 0])
                + (0..<frames).flatMap { _ in chunk("ANMF", head + image) })
    }

    @Test func theFirstFrameOfAnAnimationIsThePhoto() throws {
        let frame = Pixels.smooth(20, 10, alpha: false)
        let file = try Self.animation(canvas: (31, 17), origin: (4, 6), frame, frames: 3)
        let reader = try Self.reader(file)
        #expect(
            reader.notes == [.animationLeftOut(frameCount: 3)]
                && !reader.canBeCopied(as: .webp, replacingMetadata: false))
        let pixels = try Self.decoded(file)
        #expect((pixels.width, pixels.height, pixels.channels) == (31, 17, 4))
        for y in 0..<17 {
            for x in 0..<31 {
                let isInside = 4..<24 ~= x && 6..<16 ~= y, place = ((y - 6) * 20 + x - 4) * 3
                let expected = isInside ? Array(frame.samples[place..<place + 3]) + [255] : [0, 0, 0, 0]
                #expect(Array(pixels.samples[(y * 31 + x) * 4..<(y * 31 + x + 1) * 4]) == expected)
            }
        }
        let whole = try Self.decoded(Self.animation(canvas: (20, 10), origin: (0, 0), frame))
        #expect(whole == frame)
    }

    @Test func aFrameBeyondTheCanvasIsDamage() throws {
        let file = try Self.animation(canvas: (20, 10), origin: (2, 0), Pixels.smooth(20, 10, alpha: false))
        #expect(throws: CodecError.corrupt(detail: "a frame beyond the canvas")) { try Self.reader(file) }
    }

    // MARK: Damage and limits

    @Test(arguments: [false, true]) func filesThatAreCutOffAreDamage(isLossless: Bool) throws {
        let file = try Self.encoded(
            Pixels.smooth(64, 48, alpha: true), isLossless: isLossless, metadata: Self.metadata)
        for count in stride(from: 12, to: file.count - 1, by: 7) {
            #expect(throws: CodecError.truncated, "\(count) of \(file.count) bytes") {
                try decode(Array(file.prefix(count)))
            }
        }
        #expect(throws: CodecError.truncated) { try Self.reader(Array(file.prefix(8))) }
    }

    @Test func theRowsBeforeDamageAreSalvaged() throws {
        let pixels = Pixels.smooth(64, 256, alpha: false)
        var limits = DecodeLimits()
        limits.toleratesDamage = true
        let file = try Self.encoded(pixels, isLossless: true)
        let salvaged = try Self.decoded(Array(file.prefix(file.count / 2)), limits)
        let rows = (0..<256).map { Array(salvaged.samples[$0 * 192..<($0 + 1) * 192]) }
        let firstLost = try #require(rows.firstIndex { $0.allSatisfy { $0 == 0 } })
        #expect(firstLost > 64 && firstLost < 192)
        #expect(
            Array(salvaged.samples.prefix(firstLost * 192)) == Array(pixels.samples.prefix(firstLost * 192)))
        #expect(rows[firstLost...].allSatisfy { $0.allSatisfy { $0 == 0 } })
    }

    /// No mutation may crash, hang or take memory beyond the limits.
    @Test(arguments: 0..<4) func mutationsEndInAnErrorOrPixels(seed: Int) throws {
        let alpha = seed % 2 == 1
        let files = try [
            Self.encoded(Pixels.smooth(33, 21, alpha: alpha), metadata: Self.metadata),
            Self.encoded(Pixels.smooth(33, 21, alpha: alpha), isLossless: true),
            Self.animation(canvas: (40, 30), origin: (2, 4), Pixels.smooth(33, 21, alpha: alpha)),
        ]
        var random = SeededGenerator(seed: UInt64(seed)), limits = DecodeLimits(maxPixels: 100_000)
        limits.maxMetadataByteCount = 1 << 20
        var errors = 0, decoded = 0
        for index in 0..<600 {
            var file = files[index % files.count]
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                // The heads of chunks are what this package reads itself.
                let end = Bool.random(using: &random) ? min(64, file.count) : file.count
                file[Int.random(in: 12..<end, using: &random)] = UInt8.random(in: 0...255, using: &random)
            }
            if index % 5 == 0 { file.removeLast(Int.random(in: 1..<file.count - 12, using: &random)) }
            limits.toleratesDamage = index % 3 == 0
            do {
                try decode(file, limits: limits)
                decoded += 1
            } catch is CodecError { errors += 1 }
        }
        #expect(errors > 50 && decoded > 50)
    }

    @Test func sizesAreCheckedBeforePixels() throws {
        let file = try Self.encoded(Pixels.smooth(64, 48, alpha: false))
        #expect(throws: CodecError.tooManyPixels(width: 64, height: 48, limit: 3071)) {
            try Self.reader(file, DecodeLimits(maxPixels: 3071))
        }
        let need = try Self.reader(file).decoder.memoryByteCount(decodingTo: .interleaved(.rgb, .eight))
        #expect(throws: CodecError.needsTooMuchMemory(reason: "a WebP", byteCount: need, limit: need - 1)) {
            try Self.reader(file, DecodeLimits(maxPixels: 3072, memoryByteCount: need - 1))
        }
        var limits = DecodeLimits()
        limits.maxMetadataByteCount = 100
        let full = try Self.encoded(Pixels.smooth(8, 8, alpha: false), metadata: Self.metadata)
        #expect(throws: CodecError.tooMuchMetadata(limit: 100)) { try Self.reader(full, limits) }
    }

    /// In a pipe, bytes up to the image are held.
    @Test func anImageOfTooMuchDataIsDamage() throws {
        let pixels = Pixels.smooth(8, 8, alpha: true)
        var chunks = try Self.chunks(Self.encoded(pixels)).map(Array.init)
        #expect(String(decoding: chunks[1].prefix(4), as: UTF8.self) == "ALPH")
        chunks[1] = Self.chunk("ALPH", [UInt8](repeating: 0, count: 100_000))
        #expect(throws: CodecError.corrupt(detail: "more data than pixels")) {
            try Self.reader(Self.file(of: chunks.flatMap(\.self)))
        }
    }

    @Test func aSideHasAtMost16383Pixels() throws {
        for (width, isPossible) in [(16383, true), (16384, false)] {
            let pixels = Pixels(
                width: width, height: 1, channels: 3, maximum: 255,
                samples: .init(repeating: 9, count: width * 3))
            if isPossible {
                #expect(try Self.decoded(Self.encoded(pixels, isLossless: true)) == pixels)
            } else {
                #expect(throws: CodecError.self) { try Self.encoded(pixels) }
            }
        }
    }
}
