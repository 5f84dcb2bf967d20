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

extension PhotoMetadata {
    /// Of a gain map's file, what tells what its values mean: nothing else is of use, and may be about people or places.
    package var ofGainMap: PhotoMetadata {
        let kept = mapItems { item in
            switch item {
            case .icc: item
            case .xmp(let bytes):
                XMPPacket(bytes: bytes).hasProperties(of: .gainMap)
                    || XMPPacket(bytes: bytes).isOfAppleGainMap
                    ? item : nil
            case .jpegSegment(let marker, let bytes):
                JPEGSegments.isGainMapVersion(marker, bytes) ? item : nil
            default: nil
            }
        }
        return PhotoMetadata(items: kept.items)
    }
}

extension XMPPacket {
    fileprivate var isOfAppleGainMap: Bool {
        hasProperties(of: .appleGainMap) || bytes.contains(text: "urn:com:apple:photo:2020:aux:hdrgainmap")
    }
}

/// The meaning of one channel's values: the value to the power of 1 / `gamma` is a place between both ratios.
private struct Channel: Hashable {
    /// The ratios of 0 and of 1, in stops.
    var minimum = 0.0, maximum = 1.0
    var gamma = 1.0

    /// The value of the ratio 1, or the nearest.
    var neutral: Double {
        guard maximum != minimum else { return 0 }
        return pow(min(max(-minimum / (maximum - minimum), 0), 1), gamma)
    }

    private var isValid: Bool {
        [minimum, maximum, gamma].allSatisfy(\.isFinite) && maximum >= minimum && gamma > 0
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
            let gamma = values("Gamma")
        else { return nil }
        return channels(count: max(minimum.count, maximum.count, gamma.count)) { channel, index in
            func value(_ values: [Double]) -> Double? {
                values.count > index ? values[index] : values.count == 1 ? values[0] : nil
            }
            channel.minimum = value(minimum) ?? 0
            channel.maximum = value(maximum) ?? 1
            channel.gamma = value(gamma) ?? 1
        }
    }

    /// - Parameter segment: after the prefix. A photo's own has the versions alone.
    static func channels(segment: ArraySlice<UInt8>) -> [Channel]? {
        let versionsByteCount = 4, isMultichannel: UInt8 = 0x80, hasCommonDenominator: UInt8 = 0x08
        var rest = segment.dropFirst(versionsByteCount)
        guard let flags = rest.popFirst() else { return nil }
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
                let gamma = fraction(isSigned: false), fraction(isSigned: true) != nil,
                fraction(isSigned: true) != nil
            else {
                isComplete = false
                return
            }
            (channel.minimum, channel.maximum, channel.gamma) = (minimum, maximum, gamma)
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
