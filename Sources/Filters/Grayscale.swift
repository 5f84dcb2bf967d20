import TintypeImaging
import TintypeStages

/// Less colour, down to grey.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: W3C Filter Effects Module Level 1, `grayscale()`.
public struct Grayscale: Filter {
    /// 0 leaves the photo unchanged, 1 makes it grey.
    public var amount: Float = 1

    public static let name = "grayscale"
    public static let summary = "Less colour, down to grey"
    public static let group = FilterGroup.css
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...1, unit: .fraction,
            "0 leaves the photo unchanged, 1 makes it grey")
    ]

    public init() {}

    /// - Parameter amount: 0...1.
    public init(amount: Float) { self.amount = amount }

    public var gainMapRule: GainMapRule { .keptInGrey }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let matrix = ColourMatrix.towardsGrey([0.2126, 0.7152, 0.0722], keeping: 1 - Double(amount))
        return [matrix.stage(amount == 1 ? .makesGrey : .keepsGrey)]
    }
}
