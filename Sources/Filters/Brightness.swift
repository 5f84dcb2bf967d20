import TintypeImaging
import TintypeStages

/// Each value times a factor. For an exposure as a camera has it, see `Exposure`.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: W3C Filter Effects Module Level 1, `brightness()`.
public struct Brightness: Filter {
    /// 0 is black, 1 leaves the photo unchanged, more is brighter.
    public var amount: Float = 1.2

    public static let name = "brightness"
    public static let summary = "Each value times a factor"
    public static let group = FilterGroup.css
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...10, unit: .fraction,
            "0 is black, 1 leaves the photo unchanged, more is brighter")
    ]

    public init() {}

    /// - Parameter amount: 0...10.
    public init(amount: Float) { self.amount = amount }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount != 1 else { return [] }
        return [.straightLine(slope: amount, intercept: 0)]
    }
}
