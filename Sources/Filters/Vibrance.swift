import TintypeImaging
import TintypeStages

/// More or less colour, mainly where there is little.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Definition: with y the luma (ITU-R BT.709) and s the greatest less the least of a pixel's three values, each
///   value x becomes y + (x - y) (1 + amount (1 - s)). So s becomes s (1 + amount (1 - s)): it stays in 0...1, and
///   what was more colourful stays so.
public struct Vibrance: Filter {
    /// Above 0 is more colourful, below is less.
    public var amount: Float = 0.5

    public static let name = "vibrance"
    public static let summary = "More or less colour, mainly where there is little"
    public static let group = FilterGroup.light
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: -1...1, unit: .fraction, "above 0 is more colourful, below is less")
    ]

    public init() {}

    /// - Parameter amount: -1...1; 0 leaves the photo unchanged.
    public init(amount: Float) { self.amount = amount }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount != 0 else { return [] }
        return [.point(PointStage("vibrance", ["amount": .value(amount)], colourEffect: .keepsGrey))]
    }
}
