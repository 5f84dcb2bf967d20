import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

struct MetadataTests {
    static func metadata(_ name: String) throws -> PhotoMetadata {
        try PhotoReader(bytes: Fixture.bytes(name), limits: DecodeLimits()).metadata
    }

    /// What Pillow and cwebp wrote: see Fixtures/make.py.
    @Test(arguments: ["metadata.jpg", "metadata.png", "metadata.webp"])
    func readsWhatOthersWrote(name: String) throws {
        let reader = try PhotoReader(bytes: Fixture.bytes(name), limits: DecodeLimits())
        let metadata = reader.metadata
        #expect(metadata.orientation == .right && reader.geometry.orientation == .right)
        #expect(try metadata.icc?.bytes == Fixture.bytes("srgb.icc"))
        #expect(
            metadata.items.contains {
                if case .xmp(let bytes) = $0 { bytes.starts(with: "<?xpacket".utf8) } else { false }
            })
        if reader.format == .jpeg {
            #expect(metadata.density == PixelDensity(x: 300, y: 200, unit: .perInch))
            #expect(metadata.items.contains(.comment(Array("a comment".utf8))))
        } else if reader.format == .png {
            // 300 and 200 / 0.0254
            #expect(metadata.density == PixelDensity(x: 11811, y: 7874, unit: .perMetre))
            #expect(metadata.items.contains(.pngChunk(name: "tEXt", Array("Comment\0a comment".utf8))))
            #expect(metadata.items.contains { if case .pngChunk("zTXt", _) = $0 { true } else { false } })
        }
    }

    @Test(arguments: ["metadata.jpg", "metadata.png", "metadata.webp"])
    func nothingIsLostWithinAFormat(name: String) throws {
        let bytes = try Fixture.bytes(name)
        let again = try PhotoReader(bytes: passedThrough(bytes), limits: DecodeLimits()).metadata
        #expect(try again == Self.metadata(name))
    }

    @Test func segmentsOfEveryKindKeepTheirOrder() throws {
        let items: [PhotoMetadata.Item] = [
            .jpegSegment(marker: 0xED, Array("Photoshop 3.0\0".utf8)), .exif(EXIF(orientation: .left).bytes),
            .jpegSegment(marker: 0xE1, Array("http://ns.adobe.com/xmp/extension/\0part".utf8)),
            .comment(Array("one".utf8)), .jpegSegment(marker: 0xEF, []), .comment(Array("two".utf8)),
            .jpegSegment(marker: 0xEE, Array("not adobe's".utf8)),
        ]
        let metadata = PhotoMetadata(items: items, density: PixelDensity(x: 3, y: 2, unit: .aspectOnly))
        let bytes = try passedThrough(Fixture.bytes("ycbcr-2x2.jpg"), metadata: metadata)
        #expect(try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata == metadata)
    }

    @Test func aLargeProfileIsSplitAndJoined() throws {
        var profile = try Fixture.bytes("srgb.icc")
        profile += (0..<150_000).map { UInt8(truncatingIfNeeded: $0 &* $0) }
        let metadata = PhotoMetadata(items: [.icc(ICCProfile(bytes: profile))])
        let segments = try JPEGSegments.segments(for: metadata)
        #expect(segments.map { Array($0.bytes[12..<14]) } == [[1, 3], [2, 3], [3, 3]])
        for order in [[0, 1, 2], [2, 0, 1]] {
            #expect(JPEGSegments.items(of: order.map { segments[$0] }) == metadata.items)
        }
        #expect(JPEGSegments.items(of: Array(segments[..<2])) == [], "a profile with a missing part is none")
        let bytes = try passedThrough(Fixture.bytes("ycbcr-2x2.jpg"), metadata: metadata)
        #expect(try PhotoReader(bytes: bytes, limits: DecodeLimits()).metadata.icc?.bytes == profile)
    }

    /// Identical copies are redundant; different ones are ambiguous.
    @Test func partsThatDoNotMakeAProfileAreNoProfile() throws {
        let profile = ICCProfile(bytes: (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* $0) })
        let parts = try JPEGSegments.segments(for: PhotoMetadata(items: [.icc(profile)]))
        func part(_ number: UInt8, of count: UInt8, _ bytes: [UInt8] = [1]) -> JPEGSegments.Segment {
            JPEGSegments.Segment(marker: 0xE2, bytes: Array("ICC_PROFILE\0".utf8) + [number, count] + bytes)
        }
        #expect(parts.count == 2 && !JPEGSegments.hasDamagedProfile(parts))
        #expect(!JPEGSegments.hasDamagedProfile(parts + parts))
        #expect(JPEGSegments.items(of: parts + parts) == [.icc(profile)])
        let damaged = [
            [parts[0]], [parts[0], parts[1], part(2, of: 2)], [parts[0], part(2, of: 3)], [part(0, of: 1)],
            [part(2, of: 1)], [part(0, of: 0)], [part(1, of: 1), part(1, of: 1, [2])],
            [JPEGSegments.Segment(marker: 0xE2, bytes: Array("ICC_PROFILE\0".utf8))],
        ]
        for segments in damaged {
            #expect(JPEGSegments.hasDamagedProfile(segments) && JPEGSegments.items(of: segments) == [])
        }
        #expect(!JPEGSegments.hasDamagedProfile([]))
    }

    @Test func aProfileTooLargeForAJPEGIsAnError() {
        let metadata = PhotoMetadata(items: [.icc(ICCProfile(bytes: [UInt8](repeating: 0, count: 17 << 20)))])
        #expect(throws: CodecError.self) { try JPEGSegments.segments(for: metadata) }
    }

    @Test func metadataOfPlainPhotosHasNoFurtherPictures() throws {
        for name in ["metadata.jpg", "metadata.png"] {
            let metadata = try Self.metadata(name)
            #expect(
                metadata.withoutFurtherPictures() == metadata && metadata.withoutExtendedXMP() == metadata)
            #expect(metadata.furtherPictures == [] && !metadata.hasExtendedXMP)
        }
    }

    @Test func metadataOfBothFormatsIsConverted() throws {
        let jpeg = try Self.metadata("metadata.jpg")
        let png = try Self.metadata("metadata.png")
        let intoPNG = try PNGFile(PNGChunk.chunks(for: jpeg)).reader().metadata
        #expect((intoPNG.exif, intoPNG.icc) == (jpeg.exif, jpeg.icc))
        #expect(intoPNG.density == png.density)
        #expect(intoPNG.items.contains(.pngChunk(name: "tEXt", Array("Comment\0a comment".utf8))))
        #expect(intoPNG.items.contains { if case .xmp = $0 { jpeg.items.contains($0) } else { false } })

        let (converted, _) = png.converted(
            from: .png, to: .jpeg, hasColour: true, limits: DecodeLimits())
        let intoJPEG = JPEGSegments.items(of: try JPEGSegments.segments(for: converted))
        #expect(intoJPEG.contains(.comment(Array("a comment".utf8))))
        #expect(
            PhotoMetadata(items: intoJPEG).exif == png.exif && PhotoMetadata(items: intoJPEG).icc == png.icc)
        #expect(png.density.map { $0.jfif == (1, 300, 200) } == true)
    }

    @Test func densitiesBeyondJFIFKeepTheirRatio() {
        func jfif(_ x: Int, _ y: Int, _ unit: PixelDensity.Unit) -> [Int32] {
            let density = PixelDensity(x: x, y: y, unit: unit).jfif
            return [density.unit, density.x, density.y]
        }
        #expect(jfif(200_000, 100_000, .aspectOnly) == [0, 65535, 32768])
        #expect(jfif(1, 4_294_967_295, .aspectOnly) == [0, 1, 65535])
        #expect(jfif(65535, 3, .perInch) == [1, 65535, 3])
        #expect(jfif(131_070, 65535, .perCentimetre) == [0, 65535, 32768])
        #expect(jfif(11811, 7874, .perMetre) == [1, 300, 200])
        #expect(jfif(0, 0, .aspectOnly) == [0, 1, 1])
    }

    @Test(arguments: ["metadata.jpg", "metadata.png"])
    func strippedKeepsOnlyColourAndOrientation(name: String) throws {
        let metadata = try Self.metadata(name)
        let stripped = metadata.stripped()
        #expect(stripped.items.count == 2 && stripped.density == nil)
        #expect((stripped.orientation, stripped.icc) == (.right, metadata.icc))
        let exif = try #require(stripped.exif)
        #expect(exif.bytes.count == 26, "one directory with one tag")
    }

    @Test func strippedKeepsWhatPNGNumbersMean() {
        let items: [PhotoMetadata.Item] = ["sRGB", "gAMA", "tEXt", "tIME", "cHRM"].map {
            .pngChunk(name: $0, [0])
        }
        let stripped = PhotoMetadata(items: items).stripped()
        #expect(stripped.items == [items[0], items[1], items[4]])
    }

    @Test func changedPixelsHaveNoTimeOfAnEarlierChange() {
        let items: [PhotoMetadata.Item] = ["tEXt", "tIME", "gAMA"].map { .pngChunk(name: $0, [0]) }
        #expect(PhotoMetadata(items: items).forFilteredPixels().items == [items[0], items[2]])
    }

    @Test func profilesForOtherNumbersAreLeftOut() throws {
        let metadata = try Self.metadata("metadata.jpg")
        #expect(metadata.icc?.isSRGB == true && metadata.allowsGreyOutput)
        #expect(metadata.matching(colour: false).icc == .sRGBGrey, "sRGB's curve stays")
        #expect(metadata.matching(colour: true) == metadata)
        #expect(PhotoMetadata(items: [.icc(.sRGBGrey)]).matching(colour: true).icc == .sRGB)
        for (space, isGrey) in [("GRAY", true), ("CMYK", false)] {
            let profile = try ICCProfileTests.profile(space: space)
            let other = PhotoMetadata(items: [.icc(profile)])
            #expect(other.matching(colour: true).icc == nil)
            #expect(other.matching(colour: false).icc == (isGrey ? profile : nil))
            #expect(other.allowsGreyOutput)
        }
        let wide = PhotoMetadata(items: [.icc(try ICCProfileTests.profile(description: "Adobe RGB (1998)"))])
        #expect(!wide.allowsGreyOutput)
        #expect(wide.matching(colour: false).icc == nil)
    }

    @Test func xmpNamesTheProfileThatIsThere() throws {
        func metadata(_ text: String, _ profile: ICCProfile?) -> PhotoMetadata {
            let packet = #"<a xmlns:p="http://ns.adobe.com/photoshop/1.0/"\#(text) b="1"/>"#
            return PhotoMetadata(items: [.xmp(Array(packet.utf8))] + (profile.map { [.icc($0)] } ?? []))
        }
        let name = #" p:ICCProfile="sRGB IEC61966-2.1""#, grey = #" p:ICCProfile="sRGB grey""#
        let sRGB = try ICCProfileTests.profile(description: "sRGB IEC61966-2.1")
        #expect(metadata(name, sRGB).matching(colour: false) == metadata(grey, .sRGBGrey))
        #expect(metadata(name, sRGB).matching(colour: true) == metadata(name, sRGB))
        let wide = try ICCProfileTests.profile(description: "Adobe RGB (1998)")
        #expect(metadata(name, wide).matching(colour: false) == metadata("", nil))
    }

    @Test func commentsInAnyEncodingBecomeText() {
        #expect(
            PNGText(comment: Array("plain\0".utf8)).chunk
                == PNGChunk(name: "tEXt", bytes: Array("Comment\0plain".utf8)))
        let international = PNGChunk(name: "iTXt", bytes: Array("Comment\0\0\0\0\0größe".utf8))
        #expect(PNGText(comment: Array("größe".utf8)).chunk == international)
        #expect(PNGText(comment: [0x67, 0x72, 0xF6, 0xDF, 0x65]).chunk == international, "Latin-1")
    }
}

struct ICCProfileTests {
    /// IEC 61966-2-1: linear below 0.04045, a power of 2.4 above. Little CMS 2.14 reads the profile as version
    /// 4.3, "sRGB grey", and turns 8-bit grey into the same sRGB values.
    @Test func greyHasTheCurveOfSRGB() throws {
        let profile = ICCProfile.sRGBGrey
        #expect(profile.colourSpace == .grey && profile.profileDescription == "sRGB grey")
        #expect(!profile.isSRGB && profile.bytes.count < 500 && profile.bytes.count % 4 == 0)
        let word = { (position: Int) in profile.bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
        }
        #expect(word(0) == profile.bytes.count)
        let start = try #require(profile.bytes.firstRange(of: Array("para".utf8))).lowerBound
        let numbers = (0..<5).map { Double(word(start + 12 + 4 * $0)) / 65536 }
        for value in stride(from: 0.0, through: 1, by: 1.0 / 255) {
            let curve =
                value >= numbers[4] ? pow(numbers[1] * value + numbers[2], numbers[0]) : numbers[3] * value
            let expected = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
            #expect(abs(curve - expected) < 1e-4)
        }
    }

    /// A header, and a description in version 2's form or version 4's.
    static func profile(space: String = "RGB ", description: String = "", version: Int = 2) throws
        -> ICCProfile
    {
        var bytes = [UInt8](repeating: 0, count: 128)
        bytes.replaceSubrange(16..<20, with: space.utf8)
        bytes += [0, 0, 0, 1] + Array("desc".utf8) + [0, 0, 0, 144, 0, 0, 0, 0]
        if version == 2 {
            bytes +=
                Array("desc\0\0\0\0".utf8) + [0, 0, 0, UInt8(description.utf8.count + 1)]
                + Array("\(description)\0".utf8)
        } else {
            let name = description.utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
            bytes += Array("mluc\0\0\0\0".utf8) + [0, 0, 0, 1, 0, 0, 0, 12] + Array("enUS".utf8)
            bytes += [0, 0, 0, UInt8(name.count), 0, 0, 0, 28] + name
        }
        return ICCProfile(bytes: bytes)
    }

    @Test(arguments: [2, 4])
    func knowsSRGBByItsDescription(version: Int) throws {
        let profile = try Self.profile(description: "sRGB IEC61966-2.1", version: version)
        #expect(profile.profileDescription?.hasPrefix("sRGB IEC61966-2.1") == true)
        #expect(profile.isSRGB)
        #expect(try !Self.profile(description: "Display P3", version: version).isSRGB)
        #expect(try !Self.profile(space: "GRAY", description: "sRGB grey", version: version).isSRGB)
    }

    /// Linear profiles with sRGB's primaries are called sRGB, too.
    @Test func aProfileWithAnotherCurveIsNotSRGB() {
        func isSRGB(_ curve: [UInt8]) -> Bool {
            ICCProfile(tags: [("desc", ICCTag.text("Linear sRGB")), ("rTRC", curve)], space: "RGB ").isSRGB
        }
        func sampled(_ entries: [UInt16]) -> [UInt8] {
            Array("curv\0\0\0\0".utf8) + UInt32(entries.count).bigEndianBytes
                + entries.flatMap(\.bigEndianBytes)
        }
        func table(_ count: Int, _ curve: (Double) -> Double) -> [UInt8] {
            sampled((0..<count).map { UInt16(65535 * curve(Double($0) / Double(count - 1))) })
        }
        let sRGB = { (value: Double) in
            value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        let power = [2.4, 1 / 1.055, 0.055 / 1.055]
        let ofSRGB: [[UInt8]] = [
            sampled([563]), table(1024, sRGB), table(255, sRGB), ICCTag.curve(type: 0, [2.2]),
            ICCTag.curve(type: 1, power), ICCTag.curve(type: 2, power + [0]),
            ICCTag.curve(type: 3, power + [1 / 12.92, 0.04045]),
            ICCTag.curve(type: 4, power + [1 / 12.92, 0.04045, 0, 0]),
        ]
        for curve in ofSRGB { #expect(isSRGB(curve), "\(curve.prefix(60))") }
        let others: [[UInt8]] = [
            sampled([]), sampled([256]), sampled([0, 65535]), table(1024) { $0 }, ICCTag.curve(type: 0, [1]),
            ICCTag.curve(type: 3, [2.4, 1, 0, 1, 1]), ICCTag.curve(type: 4, power + [1, 0.04045, 0.5, 0]),
        ]
        for curve in others { #expect(!isSRGB(curve), "\(curve.prefix(60))") }
    }

    @Test func damagedProfilesAreNotSRGB() throws {
        let bytes = try Self.profile(description: "sRGB", version: 4).bytes
        for count in 0..<bytes.count {
            #expect(!ICCProfile(bytes: Array(bytes[..<count])).isSRGB)
        }
        var random = SeededGenerator(seed: 5)
        for _ in 0..<2000 {
            var damaged = bytes
            damaged[Int.random(in: 128..<bytes.count, using: &random)] = UInt8.random(
                in: 0...255, using: &random)
            _ = ICCProfile(bytes: damaged).isSRGB
        }
    }
}
