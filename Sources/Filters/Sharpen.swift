import TintypeImaging
import TintypeStages

/// An unsharp mask: what a blur takes away is added.
///
/// - Colour: linear light, premultiplied alpha; edges are clamped.
/// - Definition: `photo + amount (photo - blur)`, limited to 0...1, with the blur of `Gaussian`. With a threshold t, d being
///   the difference of the sRGB-encoded values, the share (|d| - t) / t of the change is made, limited to 0...1.
public struct Sharpen: Filter {
    /// Sigma of the blur: detail of about this size becomes stronger.
    public var radius = Length.pixels(1)
    /// How much of the difference is added.
    public var amount: Float = 0.5
    /// Differences up to this stay as they are, such as noise; from twice as large ones on, all of the change is made.
    public var threshold: Float = 0

    public static let name = "sharpen"
    public static let summary = "More contrast of fine detail (an unsharp mask)"
    public static let group = FilterGroup.detail
    public static let parameters = [
        Parameter<Self>(
            "radius", \.radius, in: 0...100, "size of the detail: sigma of the blur that is subtracted"),
        Parameter<Self>("amount", \.amount, in: 0...5, unit: .fraction, "how much detail is added"),
        Parameter<Self>(
            "threshold", \.threshold, in: 0...0.5, unit: .fraction,
            "smaller differences, such as noise, do not become stronger"),
    ]

    public init() {}

    /// - Parameters:
    ///   - radius: sigma, 0...100 pixels, or 0...1 of the shown height.
    ///   - amount: 0...5.
    ///   - threshold: 0...0.5.
    public init(radius: Length = .pixels(1), amount: Float = 0.5, threshold: Float = 0) {
        self.radius = radius
        self.amount = amount
        self.threshold = threshold
    }

    public var finestDetail: Length? { radius }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let sigma = radius.pixels(inHeight: photo.shownHeight)
        guard threshold > 0, amount > 0 else {
            return MaskedBlur(sigma: sigma, share: -amount, of: photo).map { [.blur($0)] } ?? []
        }
        let arguments: [String: PointArgument] = [
            "amount": .value(amount), "inverse": .value(1 / threshold),
        ]
        let blend = PointStage("unsharp", arguments, colourEffect: .keepsGrey)
        return MaskedBlur(sigma: sigma, blend: blend, of: photo).map { [.blur($0)] } ?? []
    }
}
