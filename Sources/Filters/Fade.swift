import TintypeImaging
import TintypeStages

/// Lifted blacks, softer contrast and a little less colour, as in an old print.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Definition: each value's difference from its luma (ITU-R BT.709) is multiplied by 1 - 0.3 amount. Then black
///   becomes 0.2 amount, white 1 - 0.06 amount, and values between them lie on a straight line. The numbers were
///   chosen by eye.
public struct Fade: Filter {
    /// 0 leaves the photo unchanged.
    public var amount: Float = 0.5

    public static let name = "fade"
    public static let summary = "Lifted blacks and softer contrast, as in an old print"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...1, unit: .fraction,
            "0 leaves the photo unchanged, 1 fades it fully")
    ]

    public init() {}

    /// - Parameter amount: 0...1.
    public init(amount: Float) { self.amount = amount }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let paler = ColourMatrix.towardsGrey([0.2126, 0.7152, 0.0722], keeping: 1 - 0.3 * Double(amount))
        return [paler.stage(.keepsGrey), .straightLine(slope: 1 - 0.26 * amount, intercept: 0.2 * amount)]
    }
}
