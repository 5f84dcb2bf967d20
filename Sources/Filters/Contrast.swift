import TintypeImaging
import TintypeStages

/// Less or more contrast around the middle of the range.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: W3C Filter Effects Module Level 1, `contrast()`.
public struct Contrast: Filter {
    /// 0 is plain grey, 1 leaves the photo unchanged, more has more contrast.
    public var amount: Float = 1.2

    public static let name = "contrast"
    public static let summary = "Less or more contrast around the middle"
    public static let group = FilterGroup.css
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...10, unit: .fraction,
            "0 is plain grey, 1 leaves the photo unchanged, more has more contrast")
    ]

    public init() {}

    /// - Parameter amount: 0...10.
    public init(amount: Float) { self.amount = amount }

    /// Without contrast, all tones are one.
    public var gainMapRule: GainMapRule { amount > 0 ? .kept : .leftOut }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount != 1 else { return [] }
        return [.straightLine(slope: amount, intercept: 0.5 - 0.5 * amount)]
    }
}
