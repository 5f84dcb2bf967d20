import TintypeImaging
import TintypeStages

/// The median of the pixels around each pixel: single wrong pixels and fine noise go, edges stay.
///
/// - Colour: sRGB-encoded, straight alpha, each channel for itself; alpha passes through. At the photo's edge, the nearest
///   pixel is repeated.
/// - Definition: with m the median of `size` x `size` values, each value becomes (1 - amount) value + amount m.
/// - Source: J. W. Tukey, "Exploratory Data Analysis" (1977).
public struct Median: Filter {
    /// The sides of the square whose pixels are compared.
    public enum Size: String, CaseIterable, Hashable, Sendable {
        /// 3 x 3 pixels.
        case three = "3"
        /// 5 x 5 pixels.
        case five = "5"
    }

    /// The sides of the square whose pixels are compared.
    public var size = Size.three
    /// The share of the median.
    public var amount: Float = 1

    public static let name = "median"
    public static let summary = "Fewer single wrong pixels and less noise, with sharp edges"
    public static let group = FilterGroup.detail
    public static let parameters = [
        Parameter<Self>("size", \.size, "the square of pixels that are compared: 3 x 3 or 5 x 5"),
        Parameter<Self>("amount", \.amount, in: 0...1, unit: .fraction, "the share of the median"),
    ]

    public init() {}

    /// - Parameter amount: 0...1.
    public init(size: Size = .three, amount: Float = 1) {
        self.size = size
        self.amount = amount
    }

    public var finestDetail: Length? { .pixels(1) }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let kernel = PointKernel("median_\(size.rawValue)")
        return [.window(PointStage(kernel, ["amount": .value(amount)], colourEffect: .keepsGrey))]
    }
}
