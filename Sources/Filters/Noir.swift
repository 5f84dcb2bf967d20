import Foundation
import TintypeImaging
import TintypeStages

/// Black and white with strong contrast.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through. The result is grey.
/// - Source: luma weights of ITU-R BT.709, then the logistic curve of ImageMagick's `-sigmoidal-contrast`:
///   (s(c(y - m)) - s(-cm)) / (s(c(1 - m)) - s(-cm)) with s(x) = 1 / (1 + exp(-x)).
public struct Noir: Filter {
    /// Steepness of the curve; 0 is a straight line.
    public var contrast: Float = 5
    /// The luma around which contrast grows.
    public var midpoint: Float = 0.5

    public static let name = "noir"
    public static let summary = "Black and white with strong contrast"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>(
            "contrast", \.contrast, in: 0...20, unit: .number,
            "steepness of the curve; 0 is plain black and white"),
        Parameter<Self>(
            "midpoint", \.midpoint, in: 0...1, unit: .fraction, "the brightness around which contrast grows"),
    ]

    public init() {}

    /// - Parameters:
    ///   - contrast: 0...20; 0 is plain black and white.
    ///   - midpoint: a luma, 0...1.
    public init(contrast: Float = 5, midpoint: Float = 0.5) {
        self.contrast = contrast
        self.midpoint = midpoint
    }

    public var gainMapRule: GainMapRule { .keptInGrey }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        let stage =
            steepness <= Self.gentle
            ? PointStage("noir", polynomial, colourEffect: .makesGrey)
            : PointStage("noir_steep", ["values": .table(Curve.table(curve))], colourEffect: .makesGrey)
        return [.point(stage)]
    }

    /// The greatest magnitude of the logistic function's argument.
    private var steepness: Float { contrast * max(midpoint, 1 - midpoint) }

    /// The greatest steepness for the polynomial. Up to here it is as accurate as a table: within 1.2e-5, for
    /// most settings within 5e-6.
    private static let gentle: Float = 2.7

    /// The arguments of `Kernels/noir.cl`. The coefficients are those of x, x^3, ..., x^11, where x is the distance
    /// from the midpoint.
    private var polynomial: [String: PointArgument] {
        let m = Double(midpoint), middle = curve(m)
        let coefficients = OddPolynomial.coefficients(6, limit: max(m, 1 - m)) { curve(m + $0) - middle }
        return [
            "midpoint": .value(midpoint), "value": .value(Float(middle)),
            "coefficients": .table(coefficients.map { Float($0) }),
        ]
    }

    /// The logistic curve in double precision.
    package func curve(_ luma: Double) -> Double {
        let c = Double(contrast), m = Double(midpoint)
        // Below this contrast the curve is a straight line to within 1e-7. At 0 its formula would be 0 / 0.
        guard c > 1e-3 else { return luma }
        func logistic(_ x: Double) -> Double { 1 / (1 + exp(-x)) }
        let low = logistic(-c * m), high = logistic(c * (1 - m))
        return (logistic(c * (luma - m)) - low) / (high - low)
    }
}
