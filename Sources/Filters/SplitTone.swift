import TintypeImaging
import TintypeStages

/// One tint for shadows and another for highlights, as in prints and films.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Definition: the tint of a colour is the colour less its luma (ITU-R BT.709), so a tint has no luma of its own.
///   With y a pixel's luma, t = y + balance / 2 limited to 0...1, and w = t^2 (3 - 2 t), the pixel gets
///   4 y (1 - y) amount (w times the tint of the highlights + (1 - w) times that of the shadows). Black, white, and the
///   luma of all greys stay as they are. The defaults were chosen by eye.
public struct SplitTone: Filter {
    /// The colour whose tint shadows get.
    public var shadows = PlainColour(0x1d, 0x6a, 0x7d)
    /// The colour whose tint highlights get.
    public var highlights = PlainColour(0xe0, 0x9a, 0x4f)
    /// Above 0, more tones count as highlights; below, as shadows.
    public var balance: Float = 0
    /// 0 leaves the photo unchanged, 1 adds the tints fully.
    public var amount: Float = 0.5

    public static let name = "split-tone"
    public static let summary = "One tint for shadows, another for highlights"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>("shadows", \.shadows, "the tint of shadows"),
        Parameter<Self>("highlights", \.highlights, "the tint of highlights"),
        Parameter<Self>(
            "balance", \.balance, in: -1...1, unit: .fraction,
            "above 0, more tones count as highlights; below, as shadows"),
        Parameter<Self>(
            "amount", \.amount, in: 0...1, unit: .fraction,
            "0 leaves the photo unchanged, 1 adds the tints fully"),
    ]

    public init() {}

    /// - Parameters:
    ///   - shadows: the colour whose tint shadows get.
    ///   - highlights: the colour whose tint highlights get.
    ///   - balance: -1...1.
    ///   - amount: 0...1.
    public init(
        shadows: PlainColour = PlainColour(0x1d, 0x6a, 0x7d),
        highlights: PlainColour = PlainColour(0xe0, 0x9a, 0x4f), balance: Float = 0, amount: Float = 0.5
    ) {
        self.shadows = shadows
        self.highlights = highlights
        self.balance = balance
        self.amount = amount
    }

    public var gainMapRule: GainMapRule { .keptInGrey }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let arguments: [String: PointArgument] = [
            "shift": .value(balance / 2), "shadows": tint(of: shadows), "highlights": tint(of: highlights),
        ]
        return [.point(PointStage("split_tone", arguments, colourEffect: .makesColour))]
    }

    private func tint(of colour: PlainColour) -> PointArgument {
        .table(colour.values.map { Float(Double(amount) * ($0 - colour.luma)) })
    }
}
