import TintypeImaging
import TintypeStages

/// Less or more colour.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: W3C Filter Effects Module Level 1, `saturate()`.
public struct Saturate: Filter {
    /// 0 is grey, 1 leaves the photo unchanged, more makes it more colourful.
    public var amount: Float = 1.5

    public static let name = "saturate"
    public static let summary = "Less or more colour"
    public static let group = FilterGroup.css
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...10, unit: .fraction,
            "0 is grey, 1 leaves the photo unchanged, more is more colourful")
    ]

    public init() {}

    /// - Parameter amount: 0...10.
    public init(amount: Float) { self.amount = amount }

    public var gainMapRule: GainMapRule { amount > 0 ? .kept : .keptInGrey }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount != 1 else { return [] }
        let matrix = ColourMatrix.towardsGrey([0.213, 0.715, 0.072], keeping: Double(amount))
        return [matrix.stage(amount == 0 ? .makesGrey : .keepsGrey)]
    }
}
