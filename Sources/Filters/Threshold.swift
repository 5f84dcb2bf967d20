import TintypeImaging
import TintypeStages

/// Black and white, without greys.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through. A pixel of at least this luma (ITU-R BT.709) becomes
///   white.
public struct Threshold: Filter {
    /// The least luma that becomes white.
    public var level: Float = 0.5

    public static let name = "threshold"
    public static let summary = "Black and white, without greys"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>("level", \.level, in: 0...1, unit: .fraction, "the least luma that becomes white")
    ]

    public init() {}

    /// - Parameter level: a luma, 0...1.
    public init(level: Float) { self.level = level }

    public var gainMapRule: GainMapRule { .leftOut }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        [.point(PointStage("threshold", ["level": .value(level)], colourEffect: .makesGrey))]
    }
}
