import TintypeImaging
import TintypeStages

/// Less light towards the corners, as with an old lens.
///
/// - Colour: linear light; alpha passes through.
/// - Definition: with d the distance from the centre, in units in which each corner has d = 1 and an edge's middle
///   1/sqrt(2), and t = (d^2 - begin^2) / (1 - begin^2) limited to 0...1, the light is multiplied by
///   1 - amount t^2 (3 - 2 t).
public struct Vignette: Filter {
    /// The share of the light that the corners lose.
    public var amount: Float = 0.5
    /// The distance from the centre at which it begins; a corner has 1.
    public var begin: Float = 0.3

    public static let name = "vignette"
    public static let summary = "Less light towards the corners"
    public static let group = FilterGroup.looks
    public static let parameters = [
        Parameter<Self>(
            "amount", \.amount, in: 0...1, unit: .fraction, "the share of the light that the corners lose"),
        Parameter<Self>(
            "begin", \.begin, in: 0...0.95, unit: .fraction,
            "where it begins: 0 is the centre, 1 a corner"),
    ]

    public init() {}

    /// - Parameters:
    ///   - amount: 0...1.
    ///   - begin: 0...0.95, of the distance from the centre to a corner.
    public init(amount: Float = 0.5, begin: Float = 0.3) {
        self.amount = amount
        self.begin = begin
    }

    public var gainMapRule: GainMapRule { .kept }

    public func stages(for photo: PhotoGeometry) -> [Stage] {
        guard amount > 0 else { return [] }
        let begin = Double(begin) * Double(begin)
        func scale(_ length: Int) -> PointArgument { .value(Float(0.5.squareRoot() / Double(length))) }
        let arguments: [String: PointArgument] = [
            "amount": .value(amount), "x_scale": scale(photo.shownWidth), "y_scale": scale(photo.shownHeight),
            "begin": .value(Float(begin)), "range": .value(Float(1 / (1 - begin))),
        ]
        return [.point(PointStage("vignette", arguments, colourEffect: .keepsGrey))]
    }
}
