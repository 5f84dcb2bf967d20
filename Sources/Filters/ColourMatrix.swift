import Foundation
import TintypeStages

/// A matrix over three values, such as red, green and blue.
struct ColourMatrix {
    /// For red, green and blue of the result: the weights of red, green and blue.
    let rows: [[Double]]

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

    /// The matrix with these values on its diagonal, and 0 elsewhere.
    static func diagonal(_ values: [Double]) -> ColourMatrix {
        ColourMatrix(rows: (0..<3).map { row in (0..<3).map { $0 == row ? values[row] : 0 } })
    }

    /// The matrix that undoes this one: its cofactors over its determinant, which must not be 0.
    var inverse: ColourMatrix {
        func cofactor(_ row: Int, _ column: Int) -> Double {
            let (above, below) = ((row + 1) % 3, (row + 2) % 3)
            let (left, right) = ((column + 1) % 3, (column + 2) % 3)
            return rows[above][left] * rows[below][right] - rows[above][right] * rows[below][left]
        }
        let determinant = (0..<3).reduce(0) { $0 + rows[0][$1] * cofactor(0, $1) }
        return ColourMatrix(
            rows: (0..<3).map { row in (0..<3).map { cofactor($0, row) / determinant } })
    }

    /// The matrix applied to three values.
    static func * (matrix: Self, values: [Double]) -> [Double] {
        matrix.rows.map { row in zip(row, values).reduce(0) { $0 + $1.0 * $1.1 } }
    }

    /// The matrix that does what `second` does, then what `first` does.
    static func * (first: Self, second: Self) -> Self {
        let columns = (0..<3).map { column in first * second.rows.map { $0[column] } }
        return ColourMatrix(rows: (0..<3).map { row in columns.map { $0[row] } })
    }

    /// - Parameter kernel: `colour_matrix`, or `light_matrix` for linear light.
    func stage(
        _ effect: PointStage.ColourEffect, kernel: PointKernel = "colour_matrix"
    ) -> Stage {
        let weights = rows.map { PointArgument.table($0.map { Float($0) }) }
        return .point(
            PointStage(
                kernel, ["red": weights[0], "green": weights[1], "blue": weights[2]], colourEffect: effect))
    }
}
