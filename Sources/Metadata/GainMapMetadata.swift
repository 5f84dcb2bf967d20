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
    /// - Parameter metadata: those of the map's file, a JPEG.
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
        if let channels = segments.lazy.compactMap(Channel.channels(segment:)).first
            ?? packets.lazy.compactMap(Channel.channels(xmp:)).first
        {
            standard = .logarithmic
            neutral = channels.map(\.neutral)
            hasEqualChannels = Set(channels).count == 1
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

    fileprivate static let appleType = "urn:com:apple:photo:2020:aux:hdrgainmap"
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

extension XMPPacket {
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
        if isApples {
            attributes += #" xmlns:apdi="http://ns.apple.com/pixeldatainfo/1.0/""#
            attributes += #" apdi:AuxiliaryImageType="\#(GainMapMetadata.appleType)""#
        }
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

/// The meaning of one channel's values: the value to the power of 1 / `gamma` is a place between both ratios.
private struct Channel: Hashable {
    /// The ratios of 0 and of 1, in stops.
    var minimum = 0.0, maximum = 1.0
    var gamma = 1.0
    /// What is added to the light of both renditions before their ratio is taken.
    var offsets = [1.0 / 64, 1.0 / 64]

    /// The value of the ratio 1, or the nearest.
    var neutral: Double {
        guard maximum != minimum else { return 0 }
        return pow(min(max(-minimum / (maximum - minimum), 0), 1), gamma)
    }

    private var isValid: Bool {
        ([minimum, maximum, gamma] + offsets).allSatisfy(\.isFinite) && maximum >= minimum && gamma > 0
    }

    /// - Parameter xmp: attributes or elements; a list has one value for each of red, green and blue.
    static func channels(xmp packet: XMPPacket) -> [Channel]? {
        let start = XMPWalk(
            bytes: packet.bytes, isRemoved: { _ in false }, isEdited: { $0.namespace == .gainMap })
        guard let walk = packet.walk(start, [XMPPacket.Namespace.gainMap.rawValue]) else { return nil }
        func texts(_ name: String) -> [Range<Int>] {
            if let attribute = walk.editedAttributes.first(where: { $0.name.local == name }) {
                return [attribute.attribute.value]
            }
            guard let element = walk.edited.first(where: { $0.name.local == name })?.element else {
                return []
            }
            return element.items.isEmpty ? [element.content] : element.items.map(\.content)
        }
        func values(_ name: String) -> [Double]? {
            let values = texts(name).map {
                Double(packet.text($0).trimmingCharacters(in: .whitespacesAndNewlines))
            }
            return values.contains(nil) ? nil : values.compactMap(\.self)
        }
        guard let minimum = values("GainMapMin"), let maximum = values("GainMapMax"), !maximum.isEmpty,
            let gamma = values("Gamma"), let offsetSDR = values("OffsetSDR"),
            let offsetHDR = values("OffsetHDR")
        else { return nil }
        let lists = [minimum, maximum, gamma, offsetSDR, offsetHDR]
        return channels(count: lists.map(\.count).max() ?? 1) { channel, index in
            func value(_ values: [Double]) -> Double? {
                values.count > index ? values[index] : values.count == 1 ? values[0] : nil
            }
            channel.minimum = value(minimum) ?? 0
            channel.maximum = value(maximum) ?? 1
            channel.gamma = value(gamma) ?? 1
            channel.offsets = [offsetSDR, offsetHDR].map { value($0) ?? 1.0 / 64 }
        }
    }

    /// - Parameter segment: after the prefix. A photo's own has the versions alone.
    static func channels(segment: ArraySlice<UInt8>) -> [Channel]? {
        let versionsByteCount = 4, isMultichannel: UInt8 = 0x80, hasCommonDenominator: UInt8 = 0x08
        // The first version tells which readers may read on: 0 is the standard's.
        var rest = segment.dropFirst(versionsByteCount)
        guard segment.prefix(2).allSatisfy({ $0 == 0 }), let flags = rest.popFirst() else { return nil }
        let common = flags & hasCommonDenominator != 0 ? rest.popUInt32() : nil
        func fraction(isSigned: Bool) -> Double? {
            guard let numerator = rest.popUInt32(), let denominator = common ?? rest.popUInt32(),
                denominator != 0
            else { return nil }
            return (isSigned ? Double(Int32(bitPattern: numerator)) : Double(numerator)) / Double(denominator)
        }
        // How bright both renditions are.
        guard fraction(isSigned: false) != nil, fraction(isSigned: false) != nil else { return nil }
        var isComplete = true
        let channels = channels(count: flags & isMultichannel != 0 ? 3 : 1) { channel, _ in
            guard let minimum = fraction(isSigned: true), let maximum = fraction(isSigned: true),
                let gamma = fraction(isSigned: false), let offset = fraction(isSigned: true),
                let otherOffset = fraction(isSigned: true)
            else {
                isComplete = false
                return
            }
            (channel.minimum, channel.maximum, channel.gamma) = (minimum, maximum, gamma)
            channel.offsets = [offset, otherOffset]
        }
        return isComplete ? channels : nil
    }

    private static func channels(count: Int, _ fill: (inout Channel, Int) -> Void) -> [Channel]? {
        guard count == 1 || count == 3 else { return nil }
        let channels = (0..<count).map { index in
            var channel = Channel()
            fill(&channel, index)
            return channel
        }
        return channels.allSatisfy(\.isValid) ? channels : nil
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func popUInt32() -> UInt32? {
        guard count >= 4 else { return nil }
        defer { removeFirst(4) }
        return prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
