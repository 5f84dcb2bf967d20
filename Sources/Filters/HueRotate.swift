import TintypeImaging
import TintypeStages

/// Turns all hues by an angle.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: W3C Filter Effects Module Level 1, `hue-rotate()`.
public struct HueRotate: Filter {
    /// In degrees.
    public var angle: Float = 90

    public static let name = "hue-rotate"
    public static let summary = "Turns all hues by an angle"
    public static let group = FilterGroup.css
    public static let parameters = [
        Parameter<Self>(
            "angle", \.angle, in: -360...360, unit: .degrees,
            "120 turns red into green, at nearly the same luma")
    ]

    public init() {}

    /// - Parameter angle: in degrees, -360...360.
    public init(angle: Float) { self.angle = angle }

    public var gainMapRule: GainMapRule { .keptInGrey }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard angle.truncatingRemainder(dividingBy: 360) != 0 else { return [] }
        return [ColourMatrix.hueRotation(degrees: Double(angle)).stage(.keepsGrey)]
    }
}
