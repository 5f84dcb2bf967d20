import TintypeImaging
import TintypeStages

/// Few values of each channel.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Source: ImageMagick's `-posterize`: the nearest of evenly spaced values, 0 and 1 among them.
public struct Posterize: Filter {
    /// Values of each channel.
    public var levels: Float = 4

    public static let name = "posterize"
    public static let summary = "Few values of each channel"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>("levels", \.levels, in: 2...255, unit: .number, "values of each channel")
    ]

    public init() {}

    /// - Parameter levels: 2...255; rounded.
    public init(levels: Float) { self.levels = levels }

    public var gainMapRule: GainMapRule { .leftOut }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let steps = levels.rounded() - 1
        let arguments: [String: PointArgument] = ["steps": .value(steps), "step": .value(1 / steps)]
        return [.point(PointStage("posterize", arguments, colourEffect: .keepsGrey))]
    }
}
