import Glibc

/// A colour profile: the meaning of the photo's sample values. Format: ICC.1:2022.
public struct ICCProfile: Hashable, Sendable {
    public let bytes: [UInt8]

    public init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// The profile's input colour space.
    public enum ColourSpace: Hashable, Sendable {
        case rgb
        case grey
        case cmyk
        case other
    }

    /// The header's colour space field, at byte 16.
    public var colourSpace: ColourSpace {
        switch text(at: 16, count: 4) {
        case "RGB ": .rgb
        case "GRAY": .grey
        case "CMYK": .cmyk
        default: .other
        }
    }

    /// True if the profile's description says that it is sRGB, unless its curve is another one: linear profiles with sRGB's
    /// primaries have its name, too.
    public var isSRGB: Bool {
        guard colourSpace == .rgb, profileDescription?.contains("sRGB") == true else { return false }
        // sRGB's is 0.214; gamma 2.2 is close enough.
        return redAtHalf.map { abs($0 - 0.214) < 0.01 } ?? true
    }

    /// The name that applications show, from the tag `desc`: ASCII in version 2, UTF-16 in version 4.
    public var profileDescription: String? {
        offset(ofTag: "desc").flatMap(description(at:))
    }

    private func offset(ofTag name: String) -> Int? {
        entry(ofTag: name).flatMap { word(at: $0 + 4) }.map { Int($0) }
    }

    /// The bytes of a tag, with its type; nil if there is none.
    func content(ofTag name: String) -> [UInt8]? {
        guard let entry = entry(ofTag: name), let start = word(at: entry + 4), let count = word(at: entry + 8)
        else { return nil }
        return range(at: Int(start), count: Int(count)).map { Array(bytes[$0]) }
    }

    /// Whether numbers in the connection space are XYZ, as those of curves and matrices, not Lab.
    var connectsByXYZ: Bool { text(at: 20, count: 4) == "XYZ " }

    private func entry(ofTag name: String) -> Int? {
        let tagCount = min(Int(word(at: 128) ?? 0), 100)
        return (0..<tagCount).map { 132 + 12 * $0 }.first { text(at: $0, count: 4) == name }
    }

    private func description(at offset: Int) -> String? {
        switch text(at: offset, count: 4) {
        case "desc":
            return word(at: offset + 8).flatMap { text(at: offset + 12, count: Int($0)) }
        case "mluc":
            // The first translation.
            guard let count = word(at: offset + 20), let start = word(at: offset + 24),
                let range = range(at: offset + Int(start), count: Int(count))
            else { return nil }
            let name = bytes[range]
            let units = stride(from: name.startIndex, to: name.endIndex - 1, by: 2).map {
                UInt16(name[$0]) << 8 | UInt16(name[$0 + 1])
            }
            return String(decoding: units, as: UTF16.self)
        default:
            return nil
        }
    }

    private func range(at offset: Int, count: Int) -> Range<Int>? {
        offset >= 0 && count >= 0 && offset <= bytes.count - count ? offset..<offset + count : nil
    }

    private func word(at offset: Int) -> UInt32? {
        range(at: offset, count: 4).map { bytes[$0].reduce(0) { $0 << 8 | UInt32($1) } }
    }

    private func text(at offset: Int, count: Int) -> String? {
        range(at: offset, count: count).map { String(decoding: bytes[$0], as: UTF8.self) }
    }
}

// MARK: Curve

extension ICCProfile {
    /// The linear value of an encoded red of 0.5; nil for a profile without a valid curve, such as one of tables.
    private var redAtHalf: Double? {
        guard let offset = offset(ofTag: "rTRC") else { return nil }
        return switch text(at: offset, count: 4) {
        case "curv": sampledCurveAtHalf(at: offset)
        case "para": parametricCurveAtHalf(at: offset)
        default: nil
        }
    }

    /// curveType (ICC.1:2022, 10.6): no entry for a linear curve, one for an exponent, or a table.
    private func sampledCurveAtHalf(at offset: Int) -> Double? {
        guard let count = word(at: offset + 8).map({ Int($0) }) else { return nil }
        func entry(_ index: Int) -> Double? { short(at: offset + 12 + 2 * index).map { Double($0) } }
        switch count {
        case 0: return 0.5
        case 1: return entry(0).map { pow(0.5, $0 / 256) }
        default:
            guard let below = entry((count - 1) / 2), let above = entry(count / 2) else { return nil }
            return (below + above) / 2 / 65535
        }
    }

    /// parametricCurveType (ICC.1:2022, 10.18).
    private func parametricCurveAtHalf(at offset: Int) -> Double? {
        let counts = [1, 3, 4, 5, 7]
        guard let type = short(at: offset + 8), type < counts.count else { return nil }
        let numbers = (0..<counts[type]).compactMap { word(at: offset + 12 + 4 * $0) }
            .map { Double(Int32(bitPattern: $0)) / 65536 }
        guard numbers.count == counts[type] else { return nil }
        if type == 0 { return pow(0.5, numbers[0]) }
        let power = pow(0.5 * numbers[1] + numbers[2], numbers[0])
        return switch type {
        case 1: power
        case 2: power + numbers[3]
        case 3: 0.5 < numbers[4] ? 0.5 * numbers[3] : power
        default: 0.5 < numbers[4] ? 0.5 * numbers[3] + numbers[6] : power + numbers[5]
        }
    }

    private func short(at offset: Int) -> Int? {
        range(at: offset, count: 2).map { bytes[$0].reduce(0) { $0 << 8 | Int($1) } }
    }
}
