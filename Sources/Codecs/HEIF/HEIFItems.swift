import TintypeMetadata

/// An HDR gain map among the pictures of a HEIC or AVIF.
package struct HEIFGainMap: Equatable, Sendable {
    /// What the item `tmap` says of its values (ISO 21496-1); empty if that is not as it must be. Nil for Apple's map, which
    /// says it in XMP.
    package let toneMapping: [UInt8]?
    /// Whether it says that it has one channel.
    package let isGrey: Bool
    fileprivate let changes: [Int: UInt8]

    /// The photo's file, but with the map as the picture that it shows.
    package func shown(in photo: [UInt8]) -> [UInt8] {
        var file = photo
        for (place, byte) in changes { file[place] = byte }
        return file
    }

    /// Those of a file, the most explicit first.
    package static func all(in file: [UInt8]) -> [HEIFGainMap] { HEIFItems(file)?.gainMaps ?? [] }
}

/// The items of a HEIC or AVIF (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12): its pictures, and how they belong together.
///
/// Of boxes that are there twice, this reads the one that libheif reads: the last `meta`, and in it the first.
private struct HEIFItems {
    private let file: [UInt8]
    /// The contents of the boxes in `meta`.
    private let boxes: [Box]
    private let primary: Int
    /// The place of the primary item's number.
    private let primaryPlace: Range<Int>

    private typealias Box = (type: String, content: Range<Int>)

    // More are no photo's, and take time.
    private static let mostBoxes = 4096
    private static let mostItems = 1 << 16
    private static let mostReferences = 16
    private static let mostToneMappingByteCount = 256

    /// Nil if the file has no items.
    init?(_ file: [UInt8]) {
        self.file = file
        guard let meta = Self.boxes(in: file.indices, of: file).last(where: { $0.type == "meta" })
        else { return nil }
        var bytes = BoxBytes(file, meta.content)
        guard bytes.flags() != nil else { return nil }
        boxes = Self.boxes(in: bytes.rest, of: file)
        guard var place = boxes.first(where: { $0.type == "pitm" }).map({ BoxBytes(file, $0.content) }),
            let (version, _) = place.flags()
        else { return nil }
        primaryPlace = place.rest.prefix(version == 0 ? 2 : 4)
        guard let primary = place.integer(version == 0 ? 2 : 4) else { return nil }
        self.primary = primary
    }

    var gainMaps: [HEIFGainMap] {
        let entries = entries
        var maps: [HEIFGainMap] = [], items: Set<Int> = []
        for reference in references(of: "dimg") where items.count < Self.mostReferences {
            guard entries[reference.from]?.type == "tmap", reference.to.count == 2,
                reference.to[0] == primary, items.insert(reference.from).inserted,
                let map = gainMap(reference.to[1], entries, toneMapping(reference.from))
            else { continue }
            maps.append(map)
        }
        items = []
        for reference in references(of: "auxl") where items.count < Self.mostReferences {
            guard reference.to.contains(primary), items.insert(reference.from).inserted,
                let type = property("auxC", of: reference.from)?.prefix(while: { $0 != 0 }),
                type.elementsEqual(GainMapMetadata.appleType.utf8),
                let map = gainMap(reference.from, entries, nil)
            else { continue }
            maps.append(map)
        }
        return maps
    }

    private func gainMap(_ item: Int, _ entries: [Int: Entry], _ toneMapping: [UInt8]?) -> HEIFGainMap? {
        guard item != primary, let entry = entries[item], item >> (8 * primaryPlace.count) == 0
        else { return nil }
        var changes: [Int: UInt8] = [:]
        for (index, place) in primaryPlace.enumerated() {
            changes[place] = UInt8(truncatingIfNeeded: item >> (8 * (primaryPlace.count - 1 - index)))
        }
        let isHidden: UInt8 = 1
        changes[entry.flagsPlace] = file[entry.flagsPlace] & ~isHidden
        return HEIFGainMap(
            toneMapping: toneMapping, isGrey: property("pixi", of: item)?.first == 1, changes: changes)
    }

    // MARK: Boxes

    /// Boxes that follow each other, up to the first that is malformed.
    private static func boxes(in range: Range<Int>, of file: [UInt8]) -> [Box] {
        var boxes: [Box] = [], start = range.lowerBound
        while boxes.count < mostBoxes {
            var head = BoxBytes(file, start..<range.upperBound)
            guard var byteCount = head.integer(4), let type = head.name() else { break }
            if byteCount == 1, let large = head.integer(8) { byteCount = large }
            if byteCount == 0 { byteCount = range.upperBound - start }
            guard byteCount >= head.rest.lowerBound - start, byteCount <= range.upperBound - start
            else { break }
            boxes.append((type, head.rest.lowerBound..<start + byteCount))
            start += byteCount
        }
        return boxes
    }

    /// The content of the first box of a type.
    private func bytes(of type: String) -> BoxBytes? {
        boxes.first { $0.type == type }.map { BoxBytes(file, $0.content) }
    }

    private struct Entry {
        let type: String
        /// Of the byte that says whether the item is hidden.
        let flagsPlace: Int
    }

    private var entries: [Int: Entry] {
        guard var bytes = bytes(of: "iinf"), let (version, _) = bytes.flags(),
            bytes.integer(version == 0 ? 2 : 4) != nil
        else { return [:] }
        var entries: [Int: Entry] = [:]
        for box in Self.boxes(in: bytes.rest, of: file) where box.type == "infe" {
            var bytes = BoxBytes(file, box.content)
            guard let (version, _) = bytes.flags(), version >= 2,
                let item = bytes.integer(version == 2 ? 2 : 4), bytes.integer(2) != nil,
                let type = bytes.name(), entries[item] == nil
            else { continue }
            entries[item] = Entry(
                type: type, flagsPlace: box.content.lowerBound + BoxBytes.flagsByteCount - 1)
        }
        return entries
    }

    /// References of a type, each with its first items.
    private func references(of type: String) -> [(from: Int, to: [Int])] {
        guard var bytes = bytes(of: "iref"), let (version, _) = bytes.flags() else { return [] }
        let byteCount = version == 0 ? 2 : 4
        return Self.boxes(in: bytes.rest, of: file).filter { $0.type == type }.compactMap { box in
            var bytes = BoxBytes(file, box.content), items: [Int] = []
            guard let from = bytes.integer(byteCount), let count = bytes.integer(2) else { return nil }
            while items.count < min(count, Self.mostReferences), let item = bytes.integer(byteCount) {
                items.append(item)
            }
            return (from, items)
        }
    }

    /// The bytes of an item's property, after its version and flags.
    private func property(_ type: String, of item: Int) -> ArraySlice<UInt8>? {
        guard let bytes = bytes(of: "iprp") else { return nil }
        let parts = Self.boxes(in: bytes.rest, of: file)
        guard let container = parts.first(where: { $0.type == "ipco" }) else { return nil }
        let properties = Self.boxes(in: container.content, of: file)
        for part in parts where part.type == "ipma" {
            let numbers = associations(of: item, in: part.content).filter(properties.indices.contains)
            guard let number = numbers.first(where: { properties[$0].type == type }) else { continue }
            return file[properties[number].content].dropFirst(BoxBytes.flagsByteCount)
        }
        return nil
    }

    /// Numbers of an item's properties, from 0.
    private func associations(of item: Int, in content: Range<Int>) -> [Int] {
        var bytes = BoxBytes(file, content)
        guard let (version, flags) = bytes.flags(), let itemCount = bytes.integer(4) else { return [] }
        let isWide = flags & 1 != 0, byteCount = isWide ? 2 : 1
        for _ in 0..<min(itemCount, Self.mostItems) {
            guard let number = bytes.integer(version == 0 ? 2 : 4), let count = bytes.integer(1) else {
                break
            }
            guard number == item else {
                bytes.skip(count * byteCount)
                continue
            }
            // The highest bit says whether readers must know the property.
            let numbers = (0..<count).compactMap { _ in bytes.integer(byteCount) }
            return numbers.map { ($0 & (isWide ? 0x7FFF : 0x7F)) - 1 }
        }
        return []
    }

    /// An item's bytes, if they are in one piece in this file.
    private func toneMapping(_ item: Int) -> [UInt8] {
        guard var bytes = bytes(of: "iloc"), let (version, _) = bytes.flags(),
            let sizes = bytes.integer(2), let itemCount = bytes.integer(version < 2 ? 2 : 4)
        else { return [] }
        let offsetBytes = sizes >> 12, lengthBytes = sizes >> 8 & 15, baseBytes = sizes >> 4 & 15
        let indexBytes = version == 0 ? 0 : sizes & 15
        for _ in 0..<min(itemCount, Self.mostItems) {
            guard let number = bytes.integer(version < 2 ? 2 : 4),
                let method = bytes.integer(version == 0 ? 0 : 2), let source = bytes.integer(2),
                let base = bytes.integer(baseBytes), let extentCount = bytes.integer(2)
            else { break }
            guard number == item else {
                bytes.skip(extentCount * (indexBytes + offsetBytes + lengthBytes))
                continue
            }
            let isInFile = method & 15 == 0, isInData = method & 15 == 1
            guard extentCount == 1, bytes.integer(indexBytes) != nil,
                let offset = bytes.integer(offsetBytes), let length = bytes.integer(lengthBytes),
                source == 0, length <= Self.mostToneMappingByteCount, isInFile || isInData,
                let whole = isInFile ? file.indices : self.bytes(of: "idat")?.rest,
                base <= whole.count, offset <= whole.count - base, length <= whole.count - base - offset
            else { break }
            let start = whole.lowerBound + base + offset
            return Array(file[start..<start + length])
        }
        return []
    }
}

/// Reads numbers of a part of a file, in order. Behind its end, they are nil.
private struct BoxBytes {
    private let file: [UInt8]
    private(set) var rest: Range<Int>

    /// Bytes of a version and flags, with which many boxes begin.
    static let flagsByteCount = 4

    init(_ file: [UInt8], _ range: Range<Int>) {
        self.file = file
        rest = range
    }

    /// Of at most 8 bytes; of none, it is 0.
    mutating func integer(_ byteCount: Int) -> Int? {
        guard byteCount <= min(rest.count, 8) else { return nil }
        defer { skip(byteCount) }
        return file[rest.prefix(byteCount)].integer(isBigEndian: true)
    }

    mutating func name() -> String? {
        guard rest.count >= 4 else { return nil }
        defer { skip(4) }
        return String(decoding: file[rest.prefix(4)], as: UTF8.self)
    }

    mutating func flags() -> (version: Int, flags: Int)? {
        integer(Self.flagsByteCount).map { ($0 >> 24, $0 & 0xFF_FFFF) }
    }

    mutating func skip(_ byteCount: Int) { rest = rest.dropFirst(byteCount) }
}
