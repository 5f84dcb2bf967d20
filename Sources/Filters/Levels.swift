import TintypeImaging
import TintypeStages

/// New black and white points, and a gamma between them.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through.
/// - Definition: with t = (x - black) / (white - black) limited to 0...1, each value x becomes
///   output-black + t^(1 / gamma) (output-white - output-black). If white is not at least 0.001 above black, it is
///   moved there, so that values become black or white.
/// - Source: the Levels of Photoshop and GIMP.
public struct Levels: Filter {
    /// The value that becomes the output's black.
    public var black: Float = 0.05
    /// The value that becomes the output's white.
    public var white: Float = 0.95
    /// Above 1, mid-tones are brighter; below, darker.
    public var gamma: Float = 1
    /// The output's least value.
    public var outputBlack: Float = 0
    /// The output's greatest value. If it is below `outputBlack`, the photo becomes a negative.
    public var outputWhite: Float = 1

    public static let name = "levels"
    public static let summary = "New black and white points, and a gamma between them"
    public static let group = FilterGroup.light
    public static let parameters = [
        Parameter<Self>("black", \.black, in: 0...1, unit: .fraction, "the value that becomes black"),
        Parameter<Self>("white", \.white, in: 0...1, unit: .fraction, "the value that becomes white"),
        Parameter<Self>(
            "gamma", \.gamma, in: 0.1...10, unit: .number,
            "of mid-tones: above 1 is brighter, below is darker"
        ),
        Parameter<Self>(
            "output-black", \.outputBlack, in: 0...1, unit: .fraction, "what black becomes; above 0 is a veil"
        ),
        Parameter<Self>("output-white", \.outputWhite, in: 0...1, unit: .fraction, "what white becomes"),
    ]

    public init() {}

    /// - Parameters:
    ///   - black: the value that becomes the output's black, 0...1.
    ///   - white: the value that becomes the output's white, 0...1.
    ///   - gamma: 0.1...10.
    ///   - outputBlack: the output's least value, 0...1.
    ///   - outputWhite: the output's greatest value, 0...1.
    public init(
        black: Float = 0.05, white: Float = 0.95, gamma: Float = 1, outputBlack: Float = 0,
        outputWhite: Float = 1
    ) {
        self.black = black
        self.white = white
        self.gamma = gamma
        self.outputBlack = outputBlack
        self.outputWhite = outputWhite
    }

    /// Where black becomes brighter than white, dark becomes bright.
    public var gainMapRule: GainMapRule { black < white && outputBlack < outputWhite ? .kept : .leftOut }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        // Straight lines, limited, have exact corners, which a table would round off.
        var stages: [Stage] = []
        if black != 0 || white != 1 {
            let slope = 1 / max(Double(white) - Double(black), 0.001)
            stages.append(.straightLine(slope: Float(slope), intercept: Float(-Double(black) * slope)))
        }
        if gamma != 1 { stages.append(.gamma(Double(gamma))) }
        if outputBlack != 0 || outputWhite != 1 {
            stages.append(.straightLine(slope: outputWhite - outputBlack, intercept: outputBlack))
        }
        return stages
    }
}
