import Foundation
import TintypeImaging
import TintypeStages

/// More or less light, as if the shutter had been open for longer or shorter.
///
/// - Colour: linear light; what exceeds white becomes white. Alpha passes through.
/// - Source: a stop is a factor of two of the light.
public struct Exposure: Filter {
    /// In stops: 1 doubles the light, -1 halves it.
    public var stops: Float = 0.5

    public static let name = "exposure"
    public static let summary = "More or less light, in stops"
    public static let group = FilterGroup.light
    public static let parameters = [
        Parameter<Self>("stops", \.stops, in: -10...10, unit: .stops, "1 doubles the light, -1 halves it")
    ]

    public init() {}

    /// - Parameter stops: -10...10.
    public init(stops: Float) { self.stops = stops }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard stops != 0 else { return [] }
        let gain = exp2(Double(stops))
        var arguments: [String: PointArgument] = ["gain": .value(Float(gain))]
        if gain <= Self.mostBrightening { arguments["root"] = .value(Float(pow(gain, 1 / 2.4))) }
        let kernel: PointKernel =
            gain > Self.mostBrightening ? "exposure" : gain > 1 ? "exposure_more" : "exposure_less"
        return [.point(PointStage(kernel, arguments, colourEffect: .keepsGrey))]
    }

    /// The greatest gain for the polynomial of `brightened_value` in `Kernels/srgb.cl`.
    private static let mostBrightening = 4.0
}
