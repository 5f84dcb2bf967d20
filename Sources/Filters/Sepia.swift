import Imaging

/// Warm brown toning, mixed with the original by `intensity`.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: W3C Filter Effects Module Level 1, `sepia()`.
public struct Sepia: Filter {
    /// 0 leaves the photo unchanged, 1 tones it fully.
    public var intensity: Float = 0.8

    public static let name = "sepia"
    public static let summary = "Warm brown toning, as in CSS"
    public static let parameters = [
        Parameter<Self>(
            "intensity", \.intensity, in: 0...1, unit: .fraction,
            "0 leaves the photo unchanged, 1 tones it fully")
    ]

    public init() {}

    public init(intensity: Float) { self.intensity = intensity }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard intensity > 0 else { return [] }
        return [.point(PointStage(kernel: "sepia", arguments: [intensity], colourEffect: .makesColour))]
    }
}
