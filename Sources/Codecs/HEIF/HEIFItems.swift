import TintypeMetadata

/// The items of a HEIC or AVIF (ISO/IEC 14496-12, 8.11; ISO/IEC 23008-12): its pictures, and how they belong together.
package struct HEIFItems {
    private let file: [UInt8]
    /// The place of each item's entry (`infe`).
    private var entries: [Int: Entry] = [:]
    /// The box that names the primary item (`pitm`): its content.
    private var primaryPlace: Range<Int>?
    private var references: [Reference] = []
    private var properties: [(type: String, content: Range<Int>)] = []
    /// Numbers of properties, from 1, of each item.
    private var associations: [Int: [Int]] = [:]
    private var locations: Range<Int>?
    private var data: Range<Int>?

    private struct Entry {
        let type: String
        let content: Range<Int>
    }

    private struct Reference {
        let type: String
        let from: Int
        let to: [Int]
    }

    /// A gain map among the items.
    package struct GainMap: Sendable {
        package let item: Int
        /// What its values mean (`tmap`, ISO 21496-1). Nil for Apple's, which says it in XMP.
        package let toneMapping: [UInt8]?
        /// Whether the map says that it has one channel.
        let isGrey: Bool
    }

    /// Nil if the file has no items.
    package init?(_ file: [UInt8]) {
        self.file = file
        guard let meta = boxes(in: file.indices).first(where: { $0.type == "meta" }) else { return nil }
        var head = BoxBytes(file, meta.content)
        guard head.flags() != nil else { return nil }
        for box in boxes(in: head.rest) { read(box) }
        guard primary != nil else { return nil }
    }

    // MARK: Gain maps

    /// The gain maps of the primary picture. The one that says itself what its values mean comes first.
    package var gainMaps: [GainMap] {
        guard let primary else { return [] }
        let mapped = references.compactMap { reference -> GainMap? in
            guard reference.type == "dimg", entries[reference.from]?.type == "tmap",
                reference.to.count == 2, reference.to[0] == primary,
                let content = content(of: reference.from)
            else { return nil }
            return GainMap(item: reference.to[1], toneMapping: content, isGrey: isGrey(reference.to[1]))
        }
        let auxiliary = references.compactMap { reference -> GainMap? in
            guard reference.type == "auxl", reference.to.contains(primary),
                let type = property("auxC", of: reference.from)?.prefix(while: { $0 != 0 }),
                type.elementsEqual(GainMapMetadata.appleType.utf8)
            else { return nil }
            return GainMap(item: reference.from, toneMapping: nil, isGrey: isGrey(reference.from))
        }
        return (mapped + auxiliary).filter { $0.item != primary && entries[$0.item] != nil }
    }

    private func isGrey(_ item: Int) -> Bool {
        property("pixi", of: item)?.first == 1
    }

    /// A file whose primary picture is another of its items.
    package func file(showing item: Int) -> [UInt8]? {
        guard let primaryPlace, let entry = entries[item] else { return nil }
        var place = BoxBytes(file, primaryPlace)
        guard let version = place.flags()?.version else { return nil }
        let byteCount = version == 0 ? 2 : 4
        guard place.rest.count >= byteCount, item < 1 << (8 * byteCount) else { return nil }
        var copy = file
        for index in 0..<byteCount {
            copy[place.rest.lowerBound + index] = UInt8(
                truncatingIfNeeded: item >> (8 * (byteCount - 1 - index)))
        }
        let isHidden: UInt8 = 1
        copy[entry.content.lowerBound + BoxBytes.flagsByteCount - 1] &= ~isHidden
        return copy
    }

    // MARK: Boxes

    private var primary: Int? {
        guard var bytes = primaryPlace.map({ BoxBytes(file, $0) }), let (version, _) = bytes.flags() else {
            return nil
        }
        return bytes.integer(version == 0 ? 2 : 4)
    }

    /// Boxes that follow each other, up to the first that is malformed.
    private func boxes(in range: Range<Int>) -> [(type: String, content: Range<Int>)] {
        var boxes: [(type: String, content: Range<Int>)] = [], start = range.lowerBound
        while true {
            var head = BoxBytes(file, start..<range.upperBound)
            guard var byteCount = head.integer(4), let type = head.name() else { return boxes }
            if byteCount == 1, let large = head.integer(8) { byteCount = large }
            if byteCount == 0 { byteCount = range.upperBound - start }
            guard byteCount >= head.rest.lowerBound - start, byteCount <= range.upperBound - start
            else { return boxes }
            boxes.append((type, head.rest.lowerBound..<start + byteCount))
            start += byteCount
        }
    }

    private mutating func read(_ box: (type: String, content: Range<Int>)) {
        var bytes = BoxBytes(file, box.content)
        switch box.type {
        case "pitm": primaryPlace = box.content
        case "iloc": locations = box.content
        case "idat": data = box.content
        case "iinf":
            guard let (version, _) = bytes.flags(), bytes.integer(version == 0 ? 2 : 4) != nil else { return }
            for entry in boxes(in: bytes.rest) where entry.type == "infe" { readEntry(entry.content) }
        case "iref":
            guard let (version, _) = bytes.flags() else { return }
            for reference in boxes(in: bytes.rest) { readReference(reference, version == 0 ? 2 : 4) }
        case "iprp":
            for part in boxes(in: bytes.rest) {
                if part.type == "ipco" { properties = boxes(in: part.content) }
                if part.type == "ipma" { readAssociations(part.content) }
            }
        default: break
        }
    }

    private mutating func readEntry(_ content: Range<Int>) {
        var bytes = BoxBytes(file, content)
        guard let (version, _) = bytes.flags(), version >= 2, let item = bytes.integer(version == 2 ? 2 : 4),
            bytes.integer(2) != nil, let type = bytes.name()
        else { return }
        entries[item] = Entry(type: type, content: content)
    }

    private mutating func readReference(
        _ reference: (type: String, content: Range<Int>), _ byteCount: Int
    ) {
        var bytes = BoxBytes(file, reference.content), items: [Int] = []
        guard let from = bytes.integer(byteCount), let count = bytes.integer(2) else { return }
        while items.count < count, let item = bytes.integer(byteCount) { items.append(item) }
        references.append(Reference(type: reference.type, from: from, to: items))
    }

    private mutating func readAssociations(_ content: Range<Int>) {
        var bytes = BoxBytes(file, content)
        guard let (version, flags) = bytes.flags(), let itemCount = bytes.integer(4) else { return }
        let isWide = flags & 1 != 0
        for _ in 0..<itemCount {
            guard let item = bytes.integer(version == 0 ? 2 : 4), let count = bytes.integer(1) else { return }
            for _ in 0..<count {
                guard let value = bytes.integer(isWide ? 2 : 1) else { return }
                // The highest bit says whether readers must know the property.
                associations[item, default: []].append(value & (isWide ? 0x7FFF : 0x7F))
            }
        }
    }

    /// A property's bytes after its version and flags.
    private func property(_ type: String, of item: Int) -> ArraySlice<UInt8>? {
        associations[item]?.lazy.filter { properties.indices.contains($0 - 1) }.map { properties[$0 - 1] }
            .first { $0.type == type }.map { file[$0.content].dropFirst(BoxBytes.flagsByteCount) }
    }

    /// An item's bytes, if they are in one piece.
    private func content(of item: Int) -> [UInt8]? {
        guard var bytes = locations.map({ BoxBytes(file, $0) }), let (version, _) = bytes.flags(),
            let sizes = bytes.integer(2), let itemCount = bytes.integer(version < 2 ? 2 : 4)
        else { return nil }
        let offsetBytes = sizes >> 12, lengthBytes = sizes >> 8 & 15, baseBytes = sizes >> 4 & 15
        let indexBytes = version == 0 ? 0 : sizes & 15
        for _ in 0..<itemCount {
            guard let number = bytes.integer(version < 2 ? 2 : 4),
                let method = bytes.integer(version == 0 ? 0 : 2), bytes.integer(2) != nil,
                let base = bytes.integer(baseBytes), let extentCount = bytes.integer(2)
            else { return nil }
            guard number == item else {
                bytes.skip(extentCount * (indexBytes + offsetBytes + lengthBytes))
                continue
            }
            guard extentCount == 1, bytes.integer(indexBytes) != nil, let offset = bytes.integer(offsetBytes),
                let length = bytes.integer(lengthBytes)
            else { return nil }
            let isInData = method & 15 == 1
            guard method & 15 <= 1, let whole = isInData ? data : file.indices,
                base <= whole.count, offset <= whole.count - base, length <= whole.count - base - offset
            else { return nil }
            let start = whole.lowerBound + base + offset
            return Array(file[start..<(length == 0 ? whole.upperBound : start + length)])
        }
        return nil
    }
}

/// Reads numbers of a part of a file, in order. There are none behind its end.
private struct BoxBytes {
    private let file: [UInt8]
    private(set) var rest: Range<Int>

    /// Those that begin many boxes.
    static let flagsByteCount = 4

    init(_ file: [UInt8], _ range: Range<Int>) {
        self.file = file
        rest = range
    }

    /// At most 8 bytes; none are 0.
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
