import Foundation
import TintypeImaging
import TintypeStages

/// Brighter or darker mid-tones; black and white stay.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Definition: each value x becomes x^(1 / amount).
/// - Source: ImageMagick's `-gamma`.
public struct Gamma: Filter {
    /// Above 1 is brighter, below 1 is darker.
    public var amount: Float = 1.2

    public static let name = "gamma"
    public static let summary = "Brighter or darker mid-tones"
    public static let group = FilterGroup.light
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0.1...10, unit: .number, "above 1 is brighter, below is darker")
    ]

    public init() {}

    /// - Parameter amount: 0.1...10; 1 leaves the photo unchanged.
    public init(amount: Float) { self.amount = amount }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount != 1 else { return [] }
        return [.gamma(Double(amount))]
    }
}

extension Stage {
    /// Each value x becomes x^(1 / `gamma`).
    static func gamma(_ gamma: Double) -> Stage { .toneCurve([{ pow($0, 1 / gamma) }], .keepsGrey) }
}
