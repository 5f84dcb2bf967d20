import Imaging

/// Noise like that of film, strongest in the mid-tones. The same photo and seed give the same grain.
///
/// - Colour: sRGB-encoded, straight alpha; alpha passes through. The three channels change alike.
/// - Definition: with y the luma (ITU-R BT.709) and n a random number in -1...1 whose density is a triangle, each
///   value grows by 4 amount n y (1 - y). n depends on the pixel's place in the photo as shown (`hash_of` in
///   `Kernels/point.cl`).
public struct Grain: Filter {
    /// The greatest change, at a luma of 0.5.
    public var amount: Float = 0.1
    /// Another seed gives another grain.
    public var seed: Float = 0

    public static let name = "grain"
    public static let summary = "Noise like that of film"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...1, unit: .fraction, "the greatest change, in the mid-tones"),
        Parameter<Self>("seed", \.seed, in: 0...65535, unit: .number, "another seed gives another grain"),
    ]

    public init() {}

    /// - Parameters:
    ///   - amount: 0...1.
    ///   - seed: a whole number, 0...65535.
    public init(amount: Float, seed: Float = 0) {
        self.amount = amount
        self.seed = seed
    }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let arguments: [String: PointArgument] = ["amount": .value(amount), "seed": .value(seed.rounded())]
        return [.point(PointStage("grain", arguments, colourEffect: .keepsGrey))]
    }
}
