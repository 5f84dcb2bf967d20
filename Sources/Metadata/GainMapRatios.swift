import Foundation

/// What the values of a gain map mean (ISO 21496-1; Ultra HDR 1.0 has the same numbers).
struct GainMapRatios: Hashable {
    /// One, or red, green and blue.
    let channels: [Channel]
    /// How much brighter than white a screen shows, in stops: where the photo is right, and where the other rendition is.
    let headrooms: [Double]

    /// The meaning of one channel's values: the value to the power of 1 / `gamma` is a place between both ratios.
    struct Channel: Hashable {
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

        fileprivate var isValid: Bool {
            ([minimum, maximum, gamma] + offsets).allSatisfy(\.isFinite) && maximum >= minimum && gamma > 0
        }
    }

    private init?(headrooms: [Double], channelCount: Int, _ fill: (inout Channel, Int) -> Void) {
        guard channelCount == 1 || channelCount == 3 else { return nil }
        self.headrooms = headrooms
        channels = (0..<channelCount).map { index in
            var channel = Channel()
            fill(&channel, index)
            return channel
        }
        guard channels.allSatisfy(\.isValid) else { return nil }
    }

    // MARK: XMP

    private static let names = (
        minimum: "GainMapMin", maximum: "GainMapMax", gamma: "Gamma", offsets: ["OffsetSDR", "OffsetHDR"],
        headrooms: ["HDRCapacityMin", "HDRCapacityMax"]
    )

    /// - Parameter xmp: attributes or elements; a list has one value for each of red, green and blue.
    init?(xmp packet: XMPPacket) {
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
        guard let minimum = values(Self.names.minimum), let maximum = values(Self.names.maximum),
            !maximum.isEmpty, let gamma = values(Self.names.gamma)
        else { return nil }
        let offsets = Self.names.offsets.compactMap(values)
        guard offsets.count == Self.names.offsets.count else { return nil }
        let lists = [minimum, maximum, gamma] + offsets
        let headrooms = Self.names.headrooms.map { values($0)?.first }
        self.init(
            headrooms: [headrooms[0] ?? 0, headrooms[1] ?? maximum[0]],
            channelCount: lists.map(\.count).max() ?? 1
        ) { channel, index in
            func value(_ values: [Double]) -> Double? {
                values.count > index ? values[index] : values.count == 1 ? values[0] : nil
            }
            channel.minimum = value(minimum) ?? 0
            channel.maximum = value(maximum) ?? 1
            channel.gamma = value(gamma) ?? 1
            channel.offsets = offsets.map { value($0) ?? 1.0 / 64 }
        }
    }

    /// A packet of a map's file.
    var xmp: [UInt8] {
        var attributes = #" xmlns:hdrgm="\#(XMPPacket.Namespace.gainMap.rawValue)" hdrgm:Version="1.0""#
        var elements = ""
        func add(_ name: String, _ values: [Double]) {
            if Set(values).count == 1 {
                attributes += #" hdrgm:\#(name)="\#(values[0])""#
            } else {
                let items = values.map { "<rdf:li>\($0)</rdf:li>" }.joined()
                elements += "<hdrgm:\(name)><rdf:Seq>\(items)</rdf:Seq></hdrgm:\(name)>"
            }
        }
        add(Self.names.minimum, channels.map(\.minimum))
        add(Self.names.maximum, channels.map(\.maximum))
        add(Self.names.gamma, channels.map(\.gamma))
        for (index, name) in Self.names.offsets.enumerated() { add(name, channels.map { $0.offsets[index] }) }
        for (name, headroom) in zip(Self.names.headrooms, headrooms) { add(name, [headroom]) }
        return XMPPacket.packet { about in
            #"<rdf:Description rdf:about="\#(about)"\#(attributes)>\#(elements)</rdf:Description>"#
        }
    }

    // MARK: ISO 21496-1

    /// - Parameter segment: after the prefix. A photo's own has the versions alone.
    init?(segment: ArraySlice<UInt8>) {
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
        guard let headroom = fraction(isSigned: false), let otherHeadroom = fraction(isSigned: false)
        else { return nil }
        var isComplete = true
        self.init(
            headrooms: [headroom, otherHeadroom], channelCount: flags & isMultichannel != 0 ? 3 : 1
        ) { channel, _ in
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
        guard isComplete else { return nil }
    }
}

extension ArraySlice<UInt8> {
    fileprivate mutating func popUInt32() -> UInt32? {
        guard count >= 4 else { return nil }
        defer { removeFirst(4) }
        return prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }
}
