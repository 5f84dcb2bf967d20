import TintypeImaging
import TintypeStages

/// Warmer or cooler, greener or more magenta light.
///
/// - Colour: linear light; what exceeds white becomes white. Alpha passes through.
/// - Definition: `temperature` moves the white D65 along the locus of black bodies, by as many mired (a million
///   over the colour temperature in kelvin); `tint` moves it at right angles to that locus, by as many
///   three-thousandths of CIE 1960 uv. Colours are adapted from D65 to that white, which keeps its luminance. So
///   greys keep theirs.
/// - Source: the locus is the approximation of M. Krystek, "An algorithm to calculate correlated colour
///   temperature", Color Research & Application 10 (1985), within 1.1e-4 of the true one from 1,000 to 15,000 K. The
///   adaptation is Bradford's, as in ICC.1:2022, Annex E. The scale of tint is that of Adobe's DNG SDK.
public struct WhiteBalance: Filter {
    /// In mired: above 0 is warmer, below is cooler.
    public var temperature: Float = 20
    /// Above 0 is more magenta, below is greener.
    public var tint: Float = 0

    public static let name = "white-balance"
    public static let summary = "Warmer or cooler light"
    public static let group = FilterGroup.light
    public static let parameters = [
        Parameter<Self>(
            "temperature", \.temperature, in: -100...100, unit: .mired,
            "above 0 is warmer, below is cooler"),
        Parameter<Self>(
            "tint", \.tint, in: -100...100, unit: .number, "above 0 is more magenta, below is greener"),
    ]

    public init() {}

    /// - Parameters:
    ///   - temperature: -100...100 mired. An amber gel of the strength 81A has 18, a blue 80A has -131.
    ///   - tint: -100...100.
    public init(temperature: Float = 20, tint: Float = 0) {
        self.temperature = temperature
        self.tint = tint
    }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard temperature != 0 || tint != 0 else { return [] }
        return [adaptation.stage(.makesColour, kernel: "light_matrix")]
    }

    /// From linear light to linear light.
    private var adaptation: ColourMatrix {
        let before = Self.bradford * Self.tristimulus(Self.d65)
        let after = Self.bradford * Self.tristimulus(white)
        let gains = ColourMatrix.diagonal(zip(after, before).map { $0 / $1 })
        let inLight = Self.bradford * Self.lightToXYZ
        return inLight.inverse * gains * inLight
    }

    /// The white that D65 becomes, in CIE 1960 uv.
    private var white: (u: Double, v: Double) {
        let mired = 1e6 / Self.d65Temperature + Double(temperature)
        let start = Self.blackBody(Self.d65Temperature), end = Self.blackBody(1e6 / mired)
        let before = Self.blackBody(1e6 / (mired - 0.5)), behind = Self.blackBody(1e6 / (mired + 0.5))
        let along = (u: behind.u - before.u, v: behind.v - before.v)
        let step = Double(tint) / 3000 / (along.u * along.u + along.v * along.v).squareRoot()
        return (
            Self.d65.u + end.u - start.u + step * along.v, Self.d65.v + end.v - start.v - step * along.u
        )
    }

    /// The colour of a black body, in CIE 1960 uv.
    private static func blackBody(_ kelvin: Double) -> (u: Double, v: Double) {
        let square = kelvin * kelvin
        return (
            (0.860117757 + 1.54118254e-4 * kelvin + 1.28641212e-7 * square)
                / (1 + 8.42420235e-4 * kelvin + 7.08145163e-7 * square),
            (0.317398726 + 4.22806245e-5 * kelvin + 4.20481691e-8 * square)
                / (1 - 2.89741816e-5 * kelvin + 1.61456053e-7 * square)
        )
    }

    /// X, Y and Z of a white, with Y = 1.
    private static func tristimulus(_ white: (u: Double, v: Double)) -> [Double] {
        [1.5 * white.u / white.v, 1, (4 - white.u - 10 * white.v) / (2 * white.v)]
    }

    /// The correlated colour temperature of D65 (CIE 15).
    private static let d65Temperature = 6504.0
    /// The white of sRGB (IEC 61966-2-1), x = 0.3127 and y = 0.3290, in CIE 1960 uv: 4x and 6y over
    /// -2x + 12y + 3.
    private static let d65 = (u: 4 * 0.3127 / 6.3226, v: 6 * 0.3290 / 6.3226)

    /// From linear light of sRGB's primaries to CIE XYZ (IEC 61966-2-1).
    private static let lightToXYZ = ColourMatrix(rows: [
        [0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505],
    ])
    /// From CIE XYZ to Bradford's cone responses (ICC.1:2022, Annex E).
    private static let bradford = ColourMatrix(rows: [
        [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
    ])
}
