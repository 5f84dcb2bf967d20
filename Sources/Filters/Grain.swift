import TintypeImaging
import TintypeStages

/// Noise like that of film, strongest in the mid-tones. The same photo and seed give the same grain.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through. The three channels change alike.
/// - Definition: with y the luma (ITU-R BT.709) and n noise in -1...1, each value grows by 4 amount n y (1 - y).
/// - Grains of up to one pixel: n is a random number whose density is a triangle. It depends on the pixel's place in the
///   photo as shown (`hash_of` in `Kernels/point.cl`).
/// - Larger ones: such numbers are at the points of a square lattice, whose distance is the grains' size, and n is
///   interpolated between four of them, with weights 3 t^2 - 2 t^3 (value noise). The lattice is turned by the angle of
///   cosine 0.8, because the eye finds lattices along rows and columns.
/// - The default size was chosen by eye. Scaled to 1080 rows, the noise keeps nine tenths of its deviation; grains of one
///   pixel in a photo of 12 megapixels keep a third.
public struct Grain: Filter {
    /// The greatest change, at a luma of 0.5.
    public var amount: Float = 0.1
    /// Another seed gives another grain.
    public var seed: Float = 0
    /// The size of a grain. Up to a pixel, each pixel has a grain of its own.
    public var size = Length.fractionOfHeight(0.0012)

    public static let name = "grain"
    public static let summary = "Noise like that of film"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...1, unit: .fraction, "the greatest change, in the mid-tones"),
        Parameter<Self>("seed", \.seed, in: 0...65535, unit: .number, "another seed gives another grain"),
        Parameter<Self>("size", \.size, in: 0...100, "the size of a grain; 0 is one pixel"),
    ]

    private static let cosine = 0.8, sine = 0.6

    public init() {}

    /// - Parameters:
    ///   - amount: 0...1.
    ///   - seed: a whole number, 0...65535.
    ///   - size: 0...100 pixels, or 0...1 of the shown height.
    public init(
        amount: Float = 0.1, seed: Float = 0, size: Length = .fractionOfHeight(0.0012)
    ) {
        self.amount = amount
        self.seed = seed
        self.size = size
    }

    public var finestDetail: Length? { size }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        var arguments: [String: PointArgument] = ["amount": .value(amount), "seed": .value(seed.rounded())]
        let size = size.pixels(inHeight: photo.shownHeight)
        guard size > 1 else { return [.point(PointStage("grain", arguments, colourEffect: .keepsGrey))] }
        arguments["cosine"] = .value(Float(Self.cosine / size))
        arguments["sine"] = .value(Float(Self.sine / size))
        return [.point(PointStage("grain_coarse", arguments, colourEffect: .keepsGrey))]
    }
}
