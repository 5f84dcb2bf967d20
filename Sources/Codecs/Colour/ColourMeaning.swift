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
