import TestSupport
import Testing
import TintypeImaging

@testable import TintypeMetadata

struct EXIFTests {
    /// As cameras write it: a first directory at 8, EXIF's at 50, the thumbnail's at 80, the thumbnail at
    /// 110.
    static func camera(isBigEndian: Bool, thumbnail: Bool = true) -> [UInt8] {
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(3)
        words.entry(0x0112, 3, 6)
        words.entry(0x0100, 4, 4000)
        words.entry(0x8769, 4, 50)
        words.long(thumbnail ? 80 : 0)
        words.short(2)
        words.entry(0xA002, 3, 4000)
        words.entry(0xA003, 4, 3000)
        words.long(0)
        guard thumbnail else { return words.bytes }
        words.short(2)
        words.entry(0x0201, 4, 110)
        words.entry(0x0202, 4, 20)
        words.long(0)
        return words.bytes + [UInt8](repeating: 0xAB, count: 20)
    }

    @Test(arguments: Orientation.allCases, [true, false])
    func readsTheOrientation(orientation: Orientation, isBigEndian: Bool) throws {
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(1)
        words.entry(0x0112, 3, orientation.rawValue)
        words.long(0)
        #expect(EXIF(bytes: words.bytes)?.orientation == orientation)
        #expect(EXIF(orientation: orientation).orientation == orientation)
        if isBigEndian { #expect(EXIF(orientation: orientation).bytes == words.bytes) }
    }

    @Test(arguments: [0, 9, 65535])
    func noOtherNumberIsAnOrientation(number: Int) {
        var words = TIFFWords(isBigEndian: false)
        words.long(8)
        words.short(1)
        words.entry(0x0112, 3, number)
        words.long(0)
        #expect(EXIF(bytes: words.bytes)?.orientation == nil)
    }

    @Test(arguments: [true, false])
    func theThumbnailIsCutOff(isBigEndian: Bool) throws {
        let exif = try #require(EXIF(bytes: Self.camera(isBigEndian: isBigEndian)))
        #expect(exif.withoutThumbnail().bytes == Self.camera(isBigEndian: isBigEndian, thumbnail: false))
        #expect(exif.withoutThumbnail().withoutThumbnail() == exif.withoutThumbnail())
    }

    /// The thumbnail is a JPEG, or samples in strips.
    @Test(arguments: [true, false], [(0x0201, 0x0202), (0x0111, 0x0117)])
    func bytesAroundTheThumbnailKeepTheirOffsets(isBigEndian: Bool, tags: (Int, Int)) throws {
        let thumbnail = [UInt8](repeating: 0xAB, count: 20)
        let blank = [UInt8](repeating: 0, count: 30 + thumbnail.count)
        for tail in [[], [7, 8, 9]] as [[UInt8]] {
            let exif = try #require(
                EXIF(
                    bytes: TIFFWords.cameraWithMakerNote(
                        isBigEndian: isBigEndian, tags: tags, thumbnail: thumbnail, tail: tail)))
            let expected = TIFFWords.cameraWithMakerNote(
                isBigEndian: isBigEndian, tags: nil, thumbnail: tail.isEmpty ? [] : blank, tail: tail)
            #expect(exif.withoutThumbnail().bytes == expected)
        }
    }

    /// A thumbnail's length may be wrong, and its directory may overlap data that is kept.
    @Test func theThumbnailTakesNothingWithIt() throws {
        let thumbnail = [UInt8](repeating: 0xAB, count: 20)
        var bytes = TIFFWords.cameraWithMakerNote(
            isBigEndian: true, tags: (0x0201, 0x0202), thumbnail: thumbnail, tail: [])
        // The thumbnail's offset: that of the EXIF directory; its length: all the rest, and more.
        bytes.replaceSubrange(72..<76, with: [0, 0, 0, 26])
        bytes.replaceSubrange(84..<88, with: [0, 0, 1, 0])
        let expected = TIFFWords.cameraWithMakerNote(isBigEndian: true, tags: nil, thumbnail: [], tail: [])
        #expect(EXIF(bytes: bytes)?.withoutThumbnail().bytes == expected)
    }

    /// Some writers omit the offset of the next directory. What stands in its place is the camera's name, or the
    /// next directory's number of entries.
    @Test(arguments: [true, false])
    func valuesInPlaceOfTheNextDirectorysOffsetStay(isBigEndian: Bool) throws {
        var named = TIFFWords(isBigEndian: isBigEndian)
        named.long(8)
        named.short(1)
        named.entry(0x010F, 2, count: 8, at: 22)
        named.bytes += Array("Camera!\0".utf8)

        var withDirectory = TIFFWords(isBigEndian: isBigEndian)
        withDirectory.long(8)
        withDirectory.short(1)
        withDirectory.entry(0x8769, 4, 22)
        withDirectory.short(1)
        withDirectory.entry(0xA002, 3, 4000)
        withDirectory.long(0)

        for bytes in [named.bytes, withDirectory.bytes] {
            #expect(EXIF(bytes: bytes)?.withoutThumbnail().bytes == bytes)
        }
    }

    /// A name that reads as the offset of a directory with a picture.
    @Test func aValueThatLooksLikeAnOffsetStays() throws {
        var words = TIFFWords(isBigEndian: true)
        words.long(8)
        words.short(1)
        words.entry(0x010F, 2, count: 5, at: 22)
        // "\0\0\0\u{1C}", which is 28, and the end of the text.
        words.long(28)
        words.short(0)
        words.short(2)
        words.entry(0x0201, 4, 58)
        words.entry(0x0202, 4, 4)
        words.long(0)
        words.long(0x1234_5678)
        #expect(EXIF(bytes: words.bytes)?.withoutThumbnail().bytes == words.bytes)
    }

    /// The file may have ended before that directory.
    @Test func anOffsetThatLeadsNowhereStays() throws {
        let bytes = Array(Self.camera(isBigEndian: true).prefix(80))
        #expect(EXIF(bytes: bytes)?.withoutThumbnail().bytes == bytes)
    }

    @Test func aPreviewInTheMakerNoteIsFound() throws {
        func exif(thumbnail: [UInt8], tail: [UInt8]) throws -> EXIF {
            let bytes = TIFFWords.cameraWithMakerNote(
                isBigEndian: true, tags: (0x0201, 0x0202), thumbnail: thumbnail, tail: tail)
            return try #require(EXIF(bytes: bytes))
        }
        let jpeg: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE1, 0, 4, 1, 2, 0xFF]
        #expect(try !exif(thumbnail: jpeg, tail: []).hasPreviewInMakerNote)
        #expect(try exif(thumbnail: jpeg, tail: jpeg).hasPreviewInMakerNote)
        // Minolta's.
        #expect(try exif(thumbnail: jpeg, tail: [0] + jpeg.dropFirst()).hasPreviewInMakerNote)
        // Small negative numbers, and a segment that ends nowhere.
        #expect(try !exif(thumbnail: jpeg, tail: [0xFF, 0xD8, 0xFF, 0xFF, 0xFF, 0xFF]).hasPreviewInMakerNote)
        #expect(try !exif(thumbnail: jpeg, tail: [0xFF, 0xD8, 0xFF, 0xE2, 0, 2, 0]).hasPreviewInMakerNote)
        for count in 0..<jpeg.count {
            #expect(try !exif(thumbnail: jpeg, tail: Array(jpeg[..<count])).hasPreviewInMakerNote)
        }
        #expect(EXIF(orientation: .up).hasPreviewInMakerNote == false)
    }

    @Test(arguments: [true, false])
    func theSizeIsUpdatedWhereItStands(isBigEndian: Bool) throws {
        let exif = try #require(EXIF(bytes: Self.camera(isBigEndian: isBigEndian)))
        let resized = exif.withPixelSize(width: 2001, height: 1502)
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(3)
        words.entry(0x0112, 3, 6)
        words.entry(0x0100, 4, 2001)
        words.entry(0x8769, 4, 50)
        words.long(80)
        words.short(2)
        words.entry(0xA002, 3, 2001)
        words.entry(0xA003, 4, 1502)
        #expect(Array(resized.bytes[..<words.bytes.count]) == words.bytes)
        #expect(resized.bytes.count == exif.bytes.count)
    }

    /// A first directory at 8, and EXIF's at 26, with the subject's area and location; the area is behind it.
    static func subject(isBigEndian: Bool, hasPlace: Bool = true) -> [UInt8] {
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(1)
        words.entry(0x8769, 4, 26)
        words.long(0)
        words.short(hasPlace ? 4 : 2)
        if hasPlace {
            words.entry(0x9214, 3, count: 4, at: 80)
        }
        words.entry(0xA002, 3, 4000)
        words.entry(0xA003, 3, 3000)
        if hasPlace {
            words.short(0xA214)
            words.short(3)
            words.long(2)
            words.short(2000)
            words.short(1500)
        } else {
            for _ in 0..<6 { words.long(0) }
        }
        words.long(0)
        for value in [2000, 1500, 300, 200] { words.short(value) }
        return words.bytes
    }

    @Test(arguments: [true, false])
    func theSubjectsPlaceIsTakenOutOfItsDirectory(isBigEndian: Bool) throws {
        let exif = try #require(EXIF(bytes: Self.subject(isBigEndian: isBigEndian)))
        let without = Self.subject(isBigEndian: isBigEndian, hasPlace: false)
        #expect(exif.withoutSubjectPlace().bytes == without)
        #expect(EXIF(bytes: without)?.withoutSubjectPlace().bytes == without)
        let metadata = PhotoMetadata(items: [.exif(exif.bytes)])
        let resized = metadata.resized(to: PhotoGeometry(width: 40, height: 30), isWhole: false).exif
        #expect(resized == EXIF(bytes: without)?.withPixelSize(width: 40, height: 30))
    }

    /// A first directory at 8, EXIF's at 26 with the colour space, and that of interoperability at 56.
    static func interoperability(_ index: String, colourSpace: Int, isBigEndian: Bool) -> [UInt8] {
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(1)
        words.entry(0x8769, 4, 26)
        words.long(0)
        words.short(2)
        words.entry(0xA001, 3, colourSpace)
        words.entry(0xA005, 4, 56)
        words.long(0)
        words.short(1)
        words.short(1)
        words.short(2)
        words.long(index.utf8.count + 1)
        words.bytes += Array("\(index)\0".utf8)
        words.long(0)
        return words.bytes
    }

    @Test(arguments: [true, false])
    func theOptionFileOfDCFIsInAdobeRGB(isBigEndian: Bool) throws {
        func exif(_ index: String, _ colourSpace: Int) throws -> EXIF {
            let bytes = Self.interoperability(index, colourSpace: colourSpace, isBigEndian: isBigEndian)
            return try #require(EXIF(bytes: bytes))
        }
        #expect(try exif("R03", 0xFFFF).saysAdobeRGB && exif("R03", 2).saysAdobeRGB)
        #expect(try !exif("R03", 1).saysAdobeRGB && !exif("R98", 0xFFFF).saysAdobeRGB)
        #expect(try !exif("R03 or so", 0xFFFF).saysAdobeRGB)
        #expect(try exif("R03", 0xFFFF).inSRGB() == exif("R98", 1))
        #expect(try exif("THM", 0xFFFF).inSRGB() == exif("THM", 1))
    }

    /// A white point, primaries and a gamma, in ten-thousandths: of Adobe RGB, or of sRGB (ITU-R BT.709).
    static func chromaticities(_ green: [Int], gamma: Int, isBigEndian: Bool) -> [UInt8] {
        var words = TIFFWords(isBigEndian: isBigEndian)
        words.long(8)
        words.short(3)
        words.entry(0x013E, 5, count: 2, at: 68)
        words.entry(0x013F, 5, count: 6, at: 84)
        words.entry(0x8769, 4, 50)
        words.long(0)
        words.short(1)
        words.entry(0xA500, 5, count: 1, at: 132)
        words.long(0)
        for value in [3127, 3290, 6400, 3300] + green + [1500, 600, gamma] {
            words.long(value)
            words.long(10_000)
        }
        return words.bytes
    }

    @Test(arguments: [true, false])
    func primariesBecomeThoseOfSRGB(isBigEndian: Bool) throws {
        let adobe = Self.chromaticities([2100, 7100], gamma: 21992, isBigEndian: isBigEndian)
        let sRGB = Self.chromaticities([3000, 6000], gamma: 22000, isBigEndian: isBigEndian)
        #expect(try #require(EXIF(bytes: adobe)).inSRGB().bytes == sRGB)
        damage(adobe)
    }

    /// The values at 1 and 128 are worked out from IEC 61966-2-1.
    @Test func aTransferFunctionBecomesThatOfSRGB() throws {
        var words = TIFFWords(isBigEndian: true)
        words.long(8)
        words.short(1)
        words.entry(0x012D, 3, count: 768, at: 26)
        words.long(0)
        for _ in 0..<3 { for value in 0..<256 { words.short(value * 257) } }
        let bytes = try #require(EXIF(bytes: words.bytes)).inSRGB().bytes
        func value(_ index: Int) -> Int { Int(bytes[26 + 2 * index]) << 8 | Int(bytes[27 + 2 * index]) }
        #expect([0, 1, 128, 255].map(value) == [0, 20, 14146, 65535] && value(512 + 128) == 14146)
    }

    @Test func damagedEXIFNeverCrashes() {
        for bytes in [
            Self.camera(isBigEndian: false),
            Self.interoperability("R03", colourSpace: 0xFFFF, isBigEndian: true),
            Self.subject(isBigEndian: true),
        ] {
            damage(bytes)
        }
    }

    private func damage(_ bytes: [UInt8]) {
        var random = SeededGenerator(seed: 3)
        for count in 0...bytes.count { exercise(Array(bytes[..<count])) }
        for _ in 0..<5000 {
            var damaged = bytes
            for _ in 0..<3 {
                damaged[Int.random(in: 4..<bytes.count, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            exercise(damaged)
        }
    }

    private func exercise(_ bytes: [UInt8]) {
        guard let exif = EXIF(bytes: bytes) else { return }
        _ = (exif.orientation, exif.hasPreviewInMakerNote, exif.saysAdobeRGB)
        #expect(exif.inSRGB().bytes.count == bytes.count)
        #expect(exif.withoutSubjectPlace().bytes.count == bytes.count)
        #expect(exif.withoutThumbnail().bytes.count <= bytes.count)
        #expect(exif.withPixelSize(width: 5, height: 6).bytes.count == bytes.count)
        var lost: Set<PlaceInPhoto> = []
        let turned = FrameChange(of: PhotoGeometry(width: 40, height: 30, orientation: .left)).upright()
        #expect(exif.moved(by: turned, &lost).bytes.count == bytes.count)
    }
}
