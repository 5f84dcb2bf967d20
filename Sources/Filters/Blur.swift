import TintypeImaging
import TintypeStages

/// A Gaussian blur of the whole photo.
///
/// - Colour: linear light, premultiplied alpha; edges are clamped.
/// - Definition: `Gaussian`.
public struct Blur: Filter {
    /// Sigma of the blur.
    public var radius = Length.fractionOfHeight(0.005)

    public static let name = "blur"
    public static let summary = "Blurs the whole photo"
    public static let group = FilterGroup.detail
    public static let parameters = [
        Parameter<Self>("radius", \.radius, in: 0...100, "sigma of the blur; 0.4% is a share of the height")
    ]

    public init() {}

    /// - Parameter radius: sigma, 0...100 pixels, or 0...1 of the shown height.
    public init(radius: Length) { self.radius = radius }

    public var gainMapRule: GainMapRule { .kept }

    public func gainMapStages(_ place: GainMapPlace) -> [Stage] {
        Blur(radius: radius.scaled(by: place.scale)).stages(for: place.map)
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let sigma = radius.pixels(inHeight: photo.shownHeight)
        return MaskedBlur(sigma: sigma, share: 1, of: photo).map { [.blur($0)] } ?? []
    }
}
