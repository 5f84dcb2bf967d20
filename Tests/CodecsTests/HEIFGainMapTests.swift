import TestSupport
import Testing
import TintypeImaging
import TintypeMetadata

@testable import TintypeCodecs

/// HDR gain maps of HEICs and AVIFs: see Fixtures/heif_gain_maps.py.
struct HEIFGainMapTests {
    static let files = ["gain-map-apple.heic", "gain-map-iso.avif", "gain-map-colour.avif"]

    private func map(_ bytes: [UInt8]) throws -> GainMap? {
        try PhotoReader(bytes: bytes, limits: DecodeLimits()).readGainMap()
    }

    /// The map's samples are those of the file that it was before it was put beside a photo.
    @Test(arguments: files) func mapsAreDecodedAsHeifConvertDoes(name: String) throws {
        let photo = try PhotoReader(bytes: Fixture.bytes(name), limits: DecodeLimits())
        #expect(photo.notes == [.furtherPicturesLeftOut([.gainMap])])
        let map = try #require(try photo.readGainMap())
        let reader = try PhotoReader(bytes: map.file, limits: DecodeLimits())
        let expected = try Pixels(pam: Fixture.bytes("\(name.prefix { $0 != "." }).map.pam"))
        #expect(try Pixels(reader.makeSource(layout: reader.layout)) == expected)
        #expect(map.isGrey == (name != "gain-map-colour.avif") && map.obstacle == nil)
        #expect(reader.geometry.pixelCount * 4 == photo.geometry.pixelCount)
    }

    @Test func whatMapsMeanIsRead() throws {
        let apple = try #require(try map(Fixture.bytes(Self.files[0])))
        #expect(apple.meaning.standard == .apple(needsMakerNote: false) && apple.meaning.neutral == [0])
        #expect(apple.mention == GainMapMention(isInXMP: false, isInSegment: false))
        #expect(GainMapMetadata(apple.metadata) == apple.meaning)
        let iso = try #require(try map(Fixture.bytes(Self.files[1])))
        #expect(iso.meaning.standard == .logarithmic && iso.meaning.neutral == [0.25])
        #expect(iso.mention == GainMapMention(isInXMP: true, isInSegment: true))
        let colour = try #require(try map(Fixture.bytes(Self.files[2])))
        #expect(colour.meaning.neutral == [0.25, 1.0 / 7, 0.25] && !colour.meaning.hasEqualChannels)
    }

    /// Without XMP of its own, what the map is stays known by its type, and how bright it is by the maker note.
    @Test func aMapOfApplesWithoutXMPGetsItsType() throws {
        var file = try Fixture.bytes(Self.files[0])
        try file.replace("cdsc", by: "none")
        let map = try #require(try map(file))
        #expect(map.meaning.standard == .apple(needsMakerNote: true))
        #expect(GainMapMetadata(map.metadata) == map.meaning)
    }

    /// Flags are in the item's sixth byte, and the headrooms follow.
    @Test func mapsThatDoNotFitAJPEGSayWhy() throws {
        let name = Self.files[1]
        var otherPrimaries = try Fixture.bytes(name)
        try otherPrimaries.replace(Self.toneMapping, by: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(try map(otherPrimaries)?.obstacle == .otherPrimaries)
        var brighter = try Fixture.bytes(name)
        try brighter.replace(Self.toneMapping, by: [0, 0, 0, 0, 0, 0x40, 0, 0, 0, 2, 0, 0, 0, 1])
        #expect(try map(brighter)?.obstacle == .photoIsBrighter)
        var later = try Fixture.bytes(name)
        try later.replace(Self.toneMapping, by: [0, 0, 1, 0, 1, 0x40, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(try map(later) == nil)
    }

    /// The beginning of what gain-map-iso.avif says.
    private static let toneMapping: [UInt8] = [0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 1]

    /// Boxes, with each field as wide as it may be.
    @Test(arguments: [false, true]) func boxesOfAllVersionsAreRead(isWide: Bool) throws {
        let file = ItemBoxes(isWide: isWide).file
        let items = try #require(HEIFItems(file))
        let map = try #require(items.gainMaps.first)
        #expect(items.gainMaps.count == 2 && map.item == ItemBoxes.map && map.isGrey)
        #expect(map.toneMapping == ItemBoxes.toneMapping && items.gainMaps[1].toneMapping == nil)
        let copy = try #require(items.file(showing: ItemBoxes.map))
        let shown = try #require(HEIFItems(copy))
        #expect(shown.gainMaps.isEmpty)
        #expect(items.file(showing: 17) == nil)
    }

    /// No file may crash what reads its boxes, or change its size.
    @Test(arguments: [false, true]) func damagedBoxesAreNone(isWide: Bool) throws {
        let whole = ItemBoxes(isWide: isWide).file
        var found = 0, lost = 0
        func check(_ file: [UInt8]) {
            let items = HEIFItems(file)
            for map in items?.gainMaps ?? [] {
                #expect((items?.file(showing: map.item)?.count ?? file.count) == file.count)
                found += 1
            }
            if items?.gainMaps.isEmpty ?? true { lost += 1 }
        }
        for index in whole.indices {
            check(Array(whole[..<index]))
            for value in [0, 1, 0x7F, 0x80, 0xFF] {
                var file = whole
                file[index] = UInt8(value)
                check(file)
            }
        }
        #expect(found > 0 && lost > 0)
    }

    /// A part of many extents of no bytes is passed at once.
    @Test func manyEmptyExtentsTakeNoTime() throws {
        var boxes = ItemBoxes(isWide: false)
        boxes.emptyExtentsBefore = true
        #expect(HEIFItems(boxes.file)?.gainMaps.first?.toneMapping == ItemBoxes.toneMapping)
    }
}

/// The boxes of a file with a photo, a map, which is Apple's as well, and a tone mapping; without the pictures' own data.
private struct ItemBoxes {
    static let photo = 1, map = 2, mapping = 3, toneMapping: [UInt8] = Array(1...20)
    let isWide: Bool
    var emptyExtentsBefore = false

    init(isWide: Bool) { self.isWide = isWide }

    private func number(_ value: Int, _ byteCount: Int) -> [UInt8] {
        (0..<byteCount).reversed().map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private func id(_ value: Int) -> [UInt8] { number(value, isWide ? 4 : 2) }

    private func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
        // A size of 64 bits where fields are wide.
        isWide
            ? number(1, 4) + type.utf8 + number(16 + content.count, 8) + content
            : number(8 + content.count, 4) + type.utf8 + content
    }

    private func full(_ type: String, _ version: UInt8, flags: UInt8 = 0, _ content: [UInt8]) -> [UInt8] {
        box(type, [version, 0, 0, flags] + content)
    }

    var file: [UInt8] {
        let kinds = ["av01", "av01", "tmap"]
        let entries = kinds.indices.map {
            full("infe", isWide ? 3 : 2, flags: 1, id($0 + 1) + [0, 0] + kinds[$0].utf8 + [0])
        }
        let type = Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8)
        let properties = full("pixi", 0, [1, 8]) + full("auxC", 0, type)
        let associations =
            isWide ? id(Self.map) + [2, 0x80, 1, 0, 2] : id(Self.map) + [2, 0x81, 2]
        let references =
            box("auxl", id(Self.map) + [0, 1] + id(Self.photo))
            + box("dimg", id(Self.mapping) + [0, 2] + id(Self.photo) + id(Self.map))
        let before: [UInt8] = [9, 9, 9]
        // With wide fields, an index, and a base and an offset that add up; else a construction method of the older version's kind.
        let location =
            isWide
            ? id(Self.mapping) + [0, 1, 0, 0] + number(2, 8) + [0, 1] + number(0, 8) + number(1, 8)
                + number(Self.toneMapping.count, 8)
            : id(Self.mapping) + [0, 1, 0, 0, 0, 1] + number(3, 4) + number(Self.toneMapping.count, 4)
        let empty = emptyExtentsBefore ? 1 : 0
        let sizes: [UInt8] = isWide ? [0x88, 0x88] : [0x44, 0x00]
        let skipped: [UInt8] = empty == 1 ? id(7) + [0, 1, 0, 0, 0, 2] + Array(repeating: 0, count: 16) : []
        let locations = sizes + id(1 + empty) + skipped + location
        let meta =
            full("pitm", isWide ? 1 : 0, id(Self.photo))
            + full("iloc", isWide ? 2 : 1, locations)
            + full("iinf", isWide ? 1 : 0, id(entries.count) + entries.joined())
            + full("iref", isWide ? 1 : 0, references)
            + box(
                "iprp",
                box("ipco", properties)
                    + full("ipma", isWide ? 1 : 0, flags: isWide ? 1 : 0, number(1, 4) + associations))
            + box("idat", before + Self.toneMapping)
        return box("ftyp", Array("avif".utf8) + [0, 0, 0, 0]) + full("meta", 0, meta) + box("mdat", [])
    }
}

extension [UInt8] {
    fileprivate mutating func replace(_ old: String, by new: String) throws {
        try replace(Array(old.utf8), by: Array(new.utf8))
    }

    /// - Precondition: both have the same length.
    fileprivate mutating func replace(_ old: [UInt8], by new: [UInt8]) throws {
        precondition(old.count == new.count)
        let place = try #require(firstRange(of: old))
        replaceSubrange(place, with: new)
    }
}
