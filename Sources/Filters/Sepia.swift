import Imaging

/// Warm brown toning, mixed with the original by `intensity`.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: W3C Filter Effects Module Level 1, `sepia()`, whose matrix makes a photo brighter: white and what is
///   close to it lose their detail. `keep=luminance` is our own: a pixel of luma y (ITU-R BT.709) becomes
///   y + (y - y^9) t, with t the tone of the W3C's matrix on grey less its luma: the sums of the matrix's rows, over
///   their luma, less 1. The luma of t is 0, so the pixel's stays y; and the result is in 0...1, because
///   y - y^9 is at most y and at most 8 (1 - y), and t is between -1 and 1/8.
public struct Sepia: Filter {
    /// What of the original the toned photo keeps.
    public enum Kept: String, CaseIterable, Hashable, Sendable {
        /// Nothing: the W3C's filter, as browsers draw it.
        case none
        /// Every pixel's luma: highlights keep their detail.
        case luminance
    }

    /// 0 leaves the photo unchanged, 1 tones it fully.
    public var intensity: Float = 0.8
    /// What the toned photo keeps of the original.
    public var keep: Kept = .none

    public static let name = "sepia"
    public static let summary = "Warm brown toning, as in CSS"
    public static let parameters = [
        Parameter<Self>(
            "intensity", \.intensity, in: 0...1, unit: .fraction,
            "0 leaves the photo unchanged, 1 tones it fully"),
        Parameter<Self>(
            "keep", \.keep, "luminance keeps highlights from growing white; none is the filter of CSS"),
    ]

    public init() {}

    public init(intensity: Float, keep: Kept = .none) {
        self.intensity = intensity
        self.keep = keep
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard intensity > 0 else { return [] }
        let stage =
            switch keep {
            case .none: PointStage(kernel: "sepia", arguments: [intensity], colourEffect: .makesColour)
            case .luminance:
                PointStage(
                    kernel: "sepia_luminance",
                    arguments: [intensity] + Self.tone.map { Float(Double(intensity) * $0) },
                    colourEffect: .makesColour)
            }
        return [.point(stage)]
    }

    /// The colour, less its luma, that the W3C's matrix gives to grey of luma 1 if that luma is kept.
    package static let tone: [Double] = {
        let rowSums = [0.393 + 0.769 + 0.189, 0.349 + 0.686 + 0.168, 0.272 + 0.534 + 0.131]
        let luma = 0.2126 * rowSums[0] + 0.7152 * rowSums[1] + 0.0722 * rowSums[2]
        return rowSums.map { $0 / luma - 1 }
    }()
}
