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

    /// True if the profile's description says that it is sRGB.
    public var isSRGB: Bool {
        colourSpace == .rgb && (profileDescription?.contains("sRGB") ?? false)
    }

    /// The profile for the same pixels in a colour or grey file; nil if this one does not apply to them.
    package func matching(colour: Bool) -> ICCProfile? {
        if colourSpace == (colour ? .rgb : .grey) { return self }
        return !colour && isSRGB ? .sRGBGrey : nil
    }

    /// The name that applications show, from the tag `desc`: ASCII in version 2, UTF-16 in version 4.
    public var profileDescription: String? {
        let tagCount = Int(word(at: 128) ?? 0)
        for tag in 0..<min(tagCount, 100) {
            let entry = 132 + 12 * tag
            guard text(at: entry, count: 4) == "desc", let offset = word(at: entry + 4) else { continue }
            return description(at: Int(offset))
        }
        return nil
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
