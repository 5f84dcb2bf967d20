import Foundation

/// What a gain map's file says of its values: how much brighter another rendition is than the photo.
package struct GainMapMetadata: Hashable, Sendable {
    /// Who has defined the values.
    package enum Standard: Hashable, Sendable {
        /// Ultra HDR 1.0, in XMP, or ISO 21496-1, in a segment.
        case logarithmic
        /// Apple's: 0 is as bright as the photo. How bright 1 is may be known from the photo's maker note alone.
        case apple(needsMakerNote: Bool)
    }

    package let standard: Standard
    /// The values, in 0...1, at which the renditions are equally bright: one, or red, green and blue.
    package let neutral: [Double]
    /// Whether a value means the same in all channels.
    package let hasEqualChannels: Bool

    /// Nil if the metadata are not those of a gain map.
    ///
    /// - Parameter metadata: what a JPEG of the map says of itself.
    package init?(_ metadata: PhotoMetadata) {
        let packets = metadata.items.compactMap { item in
            if case .xmp(let bytes) = item { XMPPacket(bytes: bytes) } else { nil }
        }
        let segments = metadata.items.compactMap { item -> ArraySlice<UInt8>? in
            guard case .jpegSegment(let marker, let bytes) = item,
                JPEGSegments.isGainMapVersion(marker, bytes)
            else { return nil }
            return bytes.dropFirst(JPEGSegments.gainMapPrefix.count)
        }
        if let ratios = segments.lazy.compactMap(GainMapRatios.init(segment:)).first
            ?? packets.lazy.compactMap(GainMapRatios.init(xmp:)).first
        {
            standard = .logarithmic
            neutral = ratios.channels.map(\.neutral)
            hasEqualChannels = Set(ratios.channels).count == 1
        } else if let packet = packets.first(where: \.isOfAppleGainMap) {
            standard = .apple(needsMakerNote: !packet.bytes.contains(text: "HDRGainMapHeadroom"))
            neutral = [0]
            hasEqualChannels = true
        } else {
            return nil
        }
    }
}

extension GainMapMetadata {
    /// Whether a file may be a map: its first bytes have one of the names that all maps have.
    package static func mayBeIn(_ head: [UInt8]) -> Bool {
        [XMPPacket.Namespace.gainMap.rawValue, JPEGSegments.gainMapName, "HDRGainMap", appleType]
            .contains { head.contains(text: $0) }
    }

    /// The type of Apple's maps, in HEICs and in XMP.
    package static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"
}

extension PhotoMetadata {
    /// Of a gain map's file, what tells what its values mean: the rest is about another size, or about people and places.
    package var ofGainMap: PhotoMetadata {
        let kept = mapItems { item in
            switch item {
            case .icc: item
            case .xmp(let bytes): XMPPacket(bytes: bytes).ofGainMap.map { .xmp($0) }
            case .jpegSegment(let marker, let bytes):
                JPEGSegments.isGainMapVersion(marker, bytes) ? item : nil
            default: nil
            }
        }
        return PhotoMetadata(items: kept.items)
    }
}

extension PhotoMetadata {
    /// Of an auxiliary picture with the type of Apple's maps, what a JPEG's map tells.
    package var ofAppleGainMap: PhotoMetadata {
        let described = PhotoMetadata(items: items.filter { if case .xmp = $0 { true } else { false } })
            .ofGainMap
        guard described.items.isEmpty else { return described }
        return PhotoMetadata(items: [.xmp(XMPPacket.ofAppleGainMap)])
    }
}

extension XMPPacket {
    /// It tells the type alone.
    fileprivate static let ofAppleGainMap = packet { about in
        #"<rdf:Description rdf:about="\#(about)"\#(appleTypeAttributes)/>"#
    }

    private static let appleTypeAttributes =
        #" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/""#
        + #" apdi:AuxiliaryImageType="\#(GainMapMetadata.appleType)""#

    /// A packet of the properties about a gain map alone; nil if there are none.
    fileprivate var ofGainMap: [UInt8]? {
        let spaces: [(space: Namespace, prefix: String)] = [
            (.gainMap, "hdrgm"), (.appleGainMap, "HDRGainMap"),
        ]
        let start = XMPWalk(
            bytes: bytes, isRemoved: { _ in false },
            isEdited: { name in spaces.contains { $0.space == name.namespace } })
        let isApples = isOfAppleGainMap
        let walk = walk(start, spaces.map(\.space.rawValue) + [GainMapMetadata.appleType])
        guard let walk, walk.isComplete, isApples || !(walk.edited.isEmpty && walk.editedAttributes.isEmpty)
        else { return nil }
        func prefix(_ name: Name) -> String { spaces.first { $0.space == name.namespace }?.prefix ?? "" }
        var attributes = "", elements = ""
        for (name, attribute) in walk.editedAttributes {
            let value = String(decoding: bytes[attribute.value], as: UTF8.self)
            if !value.contains("\"") { attributes += #" \#(prefix(name)):\#(name.local)="\#(value)""# }
        }
        for (name, element) in walk.edited {
            let items = element.items.map {
                "<rdf:li>\(String(decoding: bytes[$0.content], as: UTF8.self))</rdf:li>"
            }
            let content =
                items.isEmpty
                ? String(decoding: bytes[element.content], as: UTF8.self)
                : "<rdf:Seq>\(items.joined())</rdf:Seq>"
            // Other structures have names that need their own declarations.
            guard !items.isEmpty || element.children.isEmpty else { continue }
            elements += "<\(prefix(name)):\(name.local)>\(content)</\(prefix(name)):\(name.local)>"
        }
        if isApples { attributes += Self.appleTypeAttributes }
        let declarations = spaces.map { #" xmlns:\#($0.prefix)="\#($0.space.rawValue)""# }.joined()
        return Self.packet(of: { about in
            #"<rdf:Description rdf:about="\#(about)"\#(declarations)\#(attributes)>\#(elements)</rdf:Description>"#
        })
    }
}

extension XMPPacket {
    fileprivate var isOfAppleGainMap: Bool {
        hasProperties(of: .appleGainMap) || bytes.contains(text: GainMapMetadata.appleType)
    }
}
