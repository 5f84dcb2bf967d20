import TintypeImaging
import TintypeStages

/// Turns values into their opposites.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: W3C Filter Effects Module Level 1, `invert()`.
public struct Invert: Filter {
    /// 0 leaves the photo unchanged, 1 inverts it fully.
    public var amount: Float = 1

    public static let name = "invert"
    public static let summary = "Values become their opposites"
    public static let group = FilterGroup.css
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...1, unit: .fraction,
            "0 leaves the photo unchanged, 1 inverts it fully")
    ]

    public init() {}

    /// - Parameter amount: 0...1.
    public init(amount: Float) { self.amount = amount }

    /// Below a half, it only takes contrast.
    public var gainMapRule: GainMapRule { amount < 0.5 ? .kept : .leftOut }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount != 0 else { return [] }
        return [.straightLine(slope: 1 - 2 * amount, intercept: amount)]
    }
}
