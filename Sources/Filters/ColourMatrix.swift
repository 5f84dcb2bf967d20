import Foundation

/// A matrix over red, green and blue, of filters that W3C Filter Effects defines so.
struct ColourMatrix {
    /// For red, green and blue of the result: the weights of red, green and blue.
    private let rows: [[Double]]

    /// Each colour's difference from its luma times `share`.
    ///
    /// - Parameter luma: the weights of red, green and blue in the luma; their sum is 1.
    static func towardsGrey(_ luma: [Double], keeping share: Double) -> ColourMatrix {
        ColourMatrix(
            rows: (0..<3).map { row in
                (0..<3).map { column in luma[column] * (1 - share) + (row == column ? share : 0) }
            })
    }

    /// The rotation of `hue-rotate()`: around the axis of greys, with the weights that W3C gives.
    static func hueRotation(degrees: Double) -> ColourMatrix {
        let angle = degrees * .pi / 180, c = cos(angle), s = sin(angle)
        return ColourMatrix(rows: [
            [0.213 + c * 0.787 - s * 0.213, 0.715 - c * 0.715 - s * 0.715, 0.072 - c * 0.072 + s * 0.928],
            [0.213 - c * 0.213 + s * 0.143, 0.715 + c * 0.285 + s * 0.140, 0.072 - c * 0.072 - s * 0.283],
            [0.213 - c * 0.213 - s * 0.787, 0.715 - c * 0.715 + s * 0.715, 0.072 + c * 0.928 + s * 0.072],
        ])
    }

    func stage(_ effect: PointStage.ColourEffect) -> Stage {
        let weights = rows.map { PointArgument.table($0.map { Float($0) }) }
        return .point(
            PointStage(
                "colour_matrix", ["red": weights[0], "green": weights[1], "blue": weights[2]],
                colourEffect: effect))
    }
}
