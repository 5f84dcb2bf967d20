import TintypeImaging
import TintypeStages

/// Warm brown toning, mixed with the original by `intensity`.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - `keep=luminance`, the default: a pixel of luma y (ITU-R BT.709) becomes y + (y - y^9) t. The tone t is
///   (s - luma(s)) / luma(s), with s the row sums of the W3C's matrix. The luma of t is 0, so the pixel's luma
///   stays y. The result is in 0...1, because y - y^9 is at most y and at most 8 (1 - y), and t is between -1
///   and 1/8.
/// - `keep=none` is `sepia()` of the W3C's Filter Effects Module Level 1. Its matrix makes a photo brighter, so bright
///   areas lose detail, and white turns yellow.
public struct Sepia: Filter {
    /// The property of the original that the toned photo keeps.
    public enum Kept: String, CaseIterable, Hashable, Sendable {
        /// Nothing: the filter of CSS, as browsers render it.
        case none
        /// Every pixel's luma, so that highlights keep their detail.
        case luminance
    }

    /// 0 leaves the photo unchanged, 1 tones it fully.
    public var intensity: Float = 0.8
    /// The property of the original that the toned photo keeps.
    public var keep: Kept = .luminance

    public static let name = "sepia"
    public static let summary = "Warm brown toning"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>(
            "intensity", \.intensity, in: 0...1, unit: .fraction,
            "0 leaves the photo unchanged, 1 tones it fully"),
        Parameter<Self>(
            "keep", \.keep, "luminance keeps highlights from growing white; none is the filter of CSS"),
    ]

    public init() {}

    /// - Parameter intensity: 0...1.
    public init(intensity: Float = 0.8, keep: Kept = .luminance) {
        self.intensity = intensity
        self.keep = keep
    }

    public var gainMapRule: GainMapRule { .keptInGrey }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard intensity > 0 else { return [] }
        let stage =
            switch keep {
            case .none: PointStage("sepia", ["intensity": .value(intensity)], colourEffect: .makesColour)
            case .luminance:
                PointStage(
                    "sepia_luminance",
                    [
                        "intensity": .value(intensity),
                        "tone": .table(Self.tone.map { Float(Double(intensity) * $0) }),
                    ], colourEffect: .makesColour)
            }
        return [.point(stage)]
    }

    /// The tone t: the row sums of the W3C's matrix, divided by their luma, less 1.
    package static let tone: [Double] = {
        let rowSums = [0.393 + 0.769 + 0.189, 0.349 + 0.686 + 0.168, 0.272 + 0.534 + 0.131]
        let luma = 0.2126 * rowSums[0] + 0.7152 * rowSums[1] + 0.0722 * rowSums[2]
        return rowSums.map { $0 / luma - 1 }
    }()
}
