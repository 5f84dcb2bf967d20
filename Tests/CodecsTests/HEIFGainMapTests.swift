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
        var brighter = try Fixture.bytes(name)
        try brighter.replace(Self.toneMapping, by: [0, 0, 0, 0, 0, 0x40, 0, 0, 0, 2, 0, 0, 0, 1])
        #expect(try map(brighter)?.obstacle == .notBrighter)
        var later = try Fixture.bytes(name)
        try later.replace(Self.toneMapping, by: [0, 0, 1, 0, 1, 0x40, 0, 0, 0, 0, 0, 0, 0, 1])
        #expect(try map(later) == nil)
        // Colours are ratios of primaries; what is grey holds for all, and says so.
        let others: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        var grey = try Fixture.bytes(name)
        try grey.replace(Self.toneMapping, by: others)
        let held = try #require(try map(grey))
        #expect(try held.obstacle == nil && held.metadata == map(Fixture.bytes(name))?.metadata)
        var colour = try Fixture.bytes(Self.files[2])
        try colour.replace([0, 0, 0, 0, 0, 0xC0, 0, 0, 0, 0], by: [0, 0, 0, 0, 0, 0x80, 0, 0, 0, 0])
        #expect(try map(colour)?.obstacle == .otherPrimaries)
    }

    /// A file with both forms gives Apple's where a JPEG cannot have the other.
    @Test func theFormThatFitsIsTaken() throws {
        let boxes = ItemBoxes(isWide: false)
        #expect(HEIFGainMap.all(in: boxes.file).map { $0.toneMapping != nil } == [true, false])
        var both = try Fixture.bytes("gain-map-both.heic")
        #expect(try map(both)?.meaning.standard == .logarithmic)
        try both.replace(Self.toneMapping, by: [0, 0, 0, 0, 0, 0x40, 0, 0, 0, 2, 0, 0, 0, 1])
        #expect(try map(both)?.meaning.standard == .apple(needsMakerNote: false))
    }

    /// The beginning of what gain-map-iso.avif says.
    private static let toneMapping: [UInt8] = [0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0, 0, 1]

    /// Boxes, with each field as wide as it may be.
    @Test(arguments: [false, true]) func boxesOfAllVersionsAreRead(isWide: Bool) throws {
        let file = ItemBoxes(isWide: isWide).file
        let maps = HEIFGainMap.all(in: file)
        #expect(maps.map(\.toneMapping) == [ItemBoxes.toneMapping, nil] && maps.allSatisfy(\.isGrey))
        let shown = maps[0].shown(in: file)
        #expect(HEIFGainMap.all(in: shown).isEmpty && maps[1].shown(in: file) == shown)
        // The last byte of the primary item's number, and the one that hides the map.
        let changed = file.indices.filter { file[$0] != shown[$0] }
        #expect(changed.map { file[$0] } == [UInt8(ItemBoxes.photo), 1])
        #expect(changed.map { shown[$0] } == [UInt8(ItemBoxes.map), 0])
    }

    /// Without what it says of its values, the map is there all the same, so that its loss is noted.
    @Test func aToneMappingElsewhereIsEmpty() {
        var boxes = ItemBoxes(isWide: true)
        boxes.isInOtherFile = true
        #expect(HEIFGainMap.all(in: boxes.file).map(\.toneMapping) == [[], nil])
    }

    /// No file may crash what reads its boxes.
    @Test(arguments: [false, true]) func damagedBoxesAreNone(isWide: Bool) throws {
        let whole = ItemBoxes(isWide: isWide).file
        var found = 0, lost = 0
        func check(_ file: [UInt8]) {
            let maps = HEIFGainMap.all(in: file)
            for map in maps {
                let changed = zip(map.shown(in: file), file).count { $0 != $1 }
                #expect(changed <= 5)
            }
            if maps.isEmpty { lost += 1 } else { found += 1 }
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

    /// Extents of no bytes are passed at once, whatever their number is.
    @Test func emptyExtentsAreNotCountedOneByOne() throws {
        var boxes = ItemBoxes(isWide: false)
        boxes.emptyItemCount = 60_000
        let clock = ContinuousClock(), start = clock.now
        #expect(HEIFGainMap.all(in: boxes.file).first?.toneMapping == [])
        // One by one, these are 4 thousand million.
        #expect(start.duration(to: clock.now) < .seconds(20))
    }

    /// A file that repeats its references has each map once, and few.
    @Test func repeatedReferencesAreOne() throws {
        var boxes = ItemBoxes(isWide: false)
        boxes.repetitions = 5000
        #expect(HEIFGainMap.all(in: boxes.file).count == 2)
        boxes.repetitions = 1
        boxes.furtherMappings = 1000
        #expect(HEIFGainMap.all(in: boxes.file).count == 17)
    }
}

/// The boxes of a file with a photo, a map, which is Apple's as well, and a tone mapping; without the pictures' own data.
private struct ItemBoxes {
    static let photo = 1, map = 2, mapping = 3, toneMapping: [UInt8] = Array(1...20)
    let isWide: Bool
    /// Items before the tone mapping, each of 65,535 extents, in a box that has no bytes for places.
    var emptyItemCount = 0
    var repetitions = 1
    /// Tone mappings of the same map.
    var furtherMappings = 0
    /// Whether the tone mapping's bytes are in another file.
    var isInOtherFile = false

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
        let kinds = ["av01", "av01", "tmap"] + Array(repeating: "tmap", count: furtherMappings)
        let entries = kinds.indices.map {
            full("infe", isWide ? 3 : 2, flags: 1, id($0 + 1) + [0, 0] + kinds[$0].utf8 + [0])
        }
        let type = Array("urn:com:apple:photo:2020:aux:hdrgainmap\0".utf8)
        let properties = full("pixi", 0, [1, 8]) + full("auxC", 0, type)
        let associations =
            isWide ? id(Self.map) + [2, 0x80, 1, 0, 2] : id(Self.map) + [2, 0x81, 2]
        let mappings = (0...furtherMappings).flatMap {
            box("dimg", id(Self.mapping + $0) + [0, 2] + id(Self.photo) + id(Self.map))
        }
        let references = Array(
            repeatElement(box("auxl", id(Self.map) + [0, 1] + id(Self.photo)) + mappings, count: repetitions)
                .joined())
        let before: [UInt8] = [9, 9, 9]
        let source: [UInt8] = [0, isInOtherFile ? 1 : 0]
        // With wide fields, an index, and a base and an offset that add up.
        let location =
            isWide
            ? id(Self.mapping) + [0, 1] + source + number(2, 8) + [0, 1] + number(0, 8) + number(1, 8)
                + number(Self.toneMapping.count, 8)
            : id(Self.mapping) + [0, 1] + source + [0, 1]
                + (emptyItemCount > 0 ? [] : number(3, 4) + number(Self.toneMapping.count, 4))
        let sizes: [UInt8] = isWide ? [0x88, 0x88] : [emptyItemCount > 0 ? 0 : 0x44, 0x00]
        let empty = repeatElement(id(9999) + [0, 1, 0, 0, 0xFF, 0xFF], count: emptyItemCount).joined()
        let locations = sizes + id(1 + emptyItemCount) + empty + location
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
