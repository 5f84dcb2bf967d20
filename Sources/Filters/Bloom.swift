import TintypeImaging
import TintypeStages

/// Light that spills from bright areas, as in a dream or through a soft lens.
///
/// - Colour: linear light, straight alpha; alpha passes through.
/// - Definition: with b the blur of `Gaussian` and y its luminance, each value becomes
///   1 - (1 - value) (1 - amount s b), with s = (y - threshold) / (1 - threshold) limited to 0...1.
/// - Source: the blend mode "screen" of W3C Compositing and Blending Level 1, in linear light. The defaults were chosen by
///   eye.
public struct Bloom: Filter {
    /// The strength of the light.
    public var amount: Float = 0.9
    /// Sigma of the blur: how far the light spills.
    public var radius = Length.fractionOfHeight(0.03)
    /// The luminance from which areas give light.
    public var threshold: Float = 0.05

    public static let name = "bloom"
    public static let summary = "Light that spills from bright areas"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>("amount", \.amount, in: 0...1, unit: .fraction, "the strength of the light"),
        Parameter<Self>("radius", \.radius, in: 0...100, "how far the light spills: sigma of its blur"),
        Parameter<Self>(
            "threshold", \.threshold, in: 0...0.95, unit: .fraction,
            "the luminance, in linear light, from which areas give light"),
    ]

    public init() {}

    /// - Parameters:
    ///   - amount: 0...1.
    ///   - radius: sigma, 0...100 pixels, or 0...1 of the shown height.
    ///   - threshold: 0...0.95 of the luminance of white.
    public init(
        amount: Float = 0.9, radius: Length = .fractionOfHeight(0.03), threshold: Float = 0.05
    ) {
        self.amount = amount
        self.radius = radius
        self.threshold = threshold
    }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let arguments: [String: PointArgument] = [
            "amount": .value(amount), "threshold": .value(threshold),
            "range": .value(1 / (1 - threshold)),
        ]
        let blend = PointStage("bloom", arguments, colourEffect: .keepsGrey)
        let sigma = radius.pixels(inHeight: photo.shownHeight)
        return MaskedBlur(sigma: sigma, blend: blend, of: photo).map { [.blur($0)] } ?? []
    }
}
