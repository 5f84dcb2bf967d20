import TintypeImaging
import TintypeStages

/// Two colours instead of black and white.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Definition: with y the luma (ITU-R BT.709), each pixel becomes shadows + y (highlights - shadows).
/// - Source: GIMP's Gradient Map, with two colours. The defaults were chosen by eye: indigo and peach meet in a rose, where
///   complements would meet in a grey.
public struct Duotone: Filter {
    /// What black becomes.
    public var shadows = PlainColour(0x1f, 0x0f, 0x57)
    /// What white becomes.
    public var highlights = PlainColour(0xff, 0xb3, 0x8a)

    public static let name = "duotone"
    public static let summary = "Two colours instead of black and white"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>("shadows", \.shadows, "what black becomes"),
        Parameter<Self>("highlights", \.highlights, "what white becomes"),
    ]

    public init() {}

    /// - Parameters:
    ///   - shadows: what black becomes.
    ///   - highlights: what white becomes.
    public init(
        shadows: PlainColour = PlainColour(0x1f, 0x0f, 0x57),
        highlights: PlainColour = PlainColour(0xff, 0xb3, 0x8a)
    ) {
        self.shadows = shadows
        self.highlights = highlights
    }

    /// Where the shadows are brighter than the highlights, dark becomes bright.
    public var gainMapRule: GainMapRule { shadows.luma < highlights.luma ? .keptInGrey : .leftOut }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let range = zip(highlights.values, shadows.values).map { Float($0 - $1) }
        let arguments: [String: PointArgument] = [
            "shadows": .table(shadows.values.map { Float($0) }), "range": .table(range),
        ]
        return [.point(PointStage("duotone", arguments, colourEffect: .makesColour))]
    }
}
