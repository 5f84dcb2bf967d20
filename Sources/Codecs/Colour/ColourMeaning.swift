import TintypeMetadata

/// What the values of pixels without a profile mean.
package enum ColourMeaning: Hashable, Sendable {
    /// sRGB, or unknown: values without a profile are taken for sRGB.
    case sRGB
    /// `description` is that of a profile that says the same.
    case encoding(ColourEncoding, description: String)
    /// No profile can express it: high dynamic range, or undefined codes. `detail` is a part of a sentence.
    case inexpressible(detail: String)
}

extension PhotoMetadata {
    /// Codes of colour (ITU-T H.273), held as a PNG's cICP chunk: primaries, curve, matrix, range.
    var colourCodes: [UInt8]? {
        items.lazy.compactMap {
            if case .pngChunk(name: "cICP", let codes) = $0, codes.count == 4 { codes } else { nil }
        }
        .first
    }

    /// Whether codes give the values the curve of PQ or HLG (ITU-T H.273, table 3).
    package var isHighDynamicRange: Bool { colourCodes.map { [16, 18].contains($0[1]) } == true }
}

/// Codes of colour.
enum ColourCodes {
    static let sRGB: (primaries: UInt8, curve: UInt8) = (1, 13)
}
