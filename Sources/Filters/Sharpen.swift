import Imaging

/// An unsharp mask: what a blur takes away is added.
///
/// - Colour: linear light, premultiplied alpha; edges are clamped.
/// - Definition: `photo + amount (photo - blur)`, limited to 0...1, with the blur of `Gaussian`.
public struct Sharpen: Filter {
    /// Sigma of the blur: detail of about this size becomes stronger.
    public var radius = Length.pixels(1)
    /// How much of the difference is added.
    public var amount: Float = 0.5

    public static let name = "sharpen"
    public static let summary = "More contrast of fine detail (an unsharp mask)"
    public static let group = FilterGroup.detail
    public static let parameters = [
        Parameter<Self>(
            "radius", \.radius, in: 0...100, "size of the detail: sigma of the blur that is subtracted"),
        Parameter<Self>("amount", \.amount, in: 0...5, unit: .fraction, "how much detail is added"),
    ]

    public init() {}

    /// - Parameters:
    ///   - radius: sigma, 0...100 pixels, or 0...1 of the shown height.
    ///   - amount: 0...5.
    public init(radius: Length, amount: Float) {
        self.radius = radius
        self.amount = amount
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let sigma = radius.pixels(inHeight: photo.shownHeight)
        return MaskedBlur(sigma: sigma, share: -amount, of: photo).map { [.blur($0)] } ?? []
    }
}
