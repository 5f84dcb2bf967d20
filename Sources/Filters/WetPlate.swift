import TintypeImaging
import TintypeStages

/// The look of a tintype: a photo on a plate of dark lacquered iron, by the wet collodion process.
///
/// - Colour: as the filters that it is made of; alpha passes through.
/// - Definition: collodion sees blue light and hardly any red, so the light becomes 0.05 R + 0.25 G + 0.7 B: skies turn
///   white, lips and foliage dark. A curve deepens the shadows and keeps the highlights below white. An old lens blurs
///   away from its centre (`TiltShift`) and darkens the corners (`Vignette`). The plate has a fine grain (`Grain`), its
///   black is a warm brown and its white the colour of tarnished silver (`Duotone`). The numbers were chosen by eye.
public struct WetPlate: Filter {
    /// The blur at the top and the bottom; 0 is sharp everywhere.
    public var softness: Float = 0.5
    /// The share of the light that the corners lose.
    public var vignette: Float = 0.6
    /// The greatest change by grain, in the mid-tones.
    public var grain: Float = 0.06

    public static let name = "tintype"
    public static let summary = "A wet plate of the 1860s: blind to red, on dark iron"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>(
            "softness", \.softness, in: 0...1, unit: .fraction, "blur at the top and the bottom"),
        Parameter<Self>(
            "vignette", \.vignette, in: 0...1, unit: .fraction, "the share of the light that the corners lose"
        ),
        Parameter<Self>(
            "grain", \.grain, in: 0...1, unit: .fraction, "the greatest change by grain, in the mid-tones"),
    ]

    private static let sensitivity = ColourMatrix(
        rows: Array(repeating: [0.05, 0.25, 0.7], count: 3))
    private static let tones =
        CurvePoints([.init(0, 0), .init(0.2, 0.12), .init(0.6, 0.64), .init(1, 0.95)]) ?? .identity
    private static let plate = PlainColour(0x14, 0x10, 0x0c), silver = PlainColour(0xee, 0xe2, 0xcb)

    public init() {}

    /// - Parameters:
    ///   - softness: 0...1.
    ///   - vignette: 0...1.
    ///   - grain: 0...1.
    public init(softness: Float = 0.5, vignette: Float = 0.6, grain: Float = 0.06) {
        self.softness = softness
        self.vignette = vignette
        self.grain = grain
    }

    public var tableBytesPerRow: Int { MaskedBlur.tableBytesPerRow }

    public var gainMapRule: GainMapRule { .keptInGrey }

    public func gainMapStages(_ place: GainMapPlace) -> [Stage] { lens.gainMapStages(place) }

    private var lens: TiltShift {
        TiltShift(radius: .fractionOfHeight(0.01 * softness), band: 0.4, falloff: 0.6)
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let parts: [any Filter] = [
            Curves(master: Self.tones),
            lens, Vignette(amount: vignette, begin: 0.35), Grain(amount: grain),
            Duotone(shadows: Self.plate, highlights: Self.silver),
        ]
        return [Self.sensitivity.stage(.makesGrey, kernel: "light_matrix")]
            + parts.flatMap { $0.stages(for: photo) }
    }
}
