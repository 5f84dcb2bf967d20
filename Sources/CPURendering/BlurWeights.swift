import TintypeKernels
import TintypeRendering
import TintypeStages

/// The weights of one part of a masked blur, in the form of the SIMD kernels.
final class BlurWeights {
    /// True where each row has weights of its own.
    let changeByRow: Bool
    private let kernelOfRow: [Int]
    private let radii: [Int32]
    /// Floats from one row's kernel to the next; if weights change by column, from one distance to the next.
    private let stride: Int
    private let values: FloatTable
    /// The radius for each tile of columns, if weights change by column.
    private let tileRadii: UnsafeMutablePointer<Int32>?

    /// Columns that share a radius; see `Kernels.h`.
    private static let tile = 64

    init(_ part: MaskedBlur.Part, axis: MaskedBlur.Axis, grid: BlurGrid) {
        let gaussian = part.gaussian, kernelOfPlace = gaussian.kernelOfPlace ?? []
        let radii = gaussian.radii.map { Int32($0) }
        self.radii = radii
        changeByRow = axis == .rows && !kernelOfPlace.isEmpty
        kernelOfRow = changeByRow ? kernelOfPlace : []
        guard axis == .columns, !kernelOfPlace.isEmpty else {
            stride = gaussian.radius + 1
            values = FloatTable(Array(gaussian.kernels.joined()))
            tileRadii = nil
            return
        }
        let tiles = kernelOfPlace.count.dividedRoundingUp(by: Self.tile)
        stride = tiles * Self.tile
        values = FloatTable(Self.paddedWeights(gaussian, count: kernelOfPlace.count, stride: stride))
        let needsColumn = grid.needsBlurredColumns(for: part)
        let tileRadii = UnsafeMutablePointer<Int32>.allocate(capacity: tiles)
        for tile in 0..<tiles {
            let columns = tile * Self.tile..<min((tile + 1) * Self.tile, kernelOfPlace.count)
            let radius = columns.filter { needsColumn[$0] }.map { radii[kernelOfPlace[$0]] }.max()
            (tileRadii + tile).initialize(to: radius ?? -1)
        }
        self.tileRadii = tileRadii
    }

    deinit { tileRadii?.deallocate() }

    /// For each distance: the weights of all places, padded with zeros to `stride`.
    private static func paddedWeights(_ gaussian: Gaussian, count: Int, stride: Int) -> [Float] {
        let weights = gaussian.weightsByDistance, padding = Array(repeating: Float(0), count: stride - count)
        return (0...gaussian.radius).flatMap { weights[$0 * count..<($0 + 1) * count] + padding }
    }

    /// The weights for a row.
    ///
    /// - Parameter place: the row's index among the blurred rows.
    func row(_ place: Int) -> kernels_weights {
        if let tileRadii {
            return kernels_weights(
                values: values.pointer, stride: stride, radius: 0, radii: UnsafePointer(tileRadii))
        }
        let kernel = changeByRow ? kernelOfRow[place] : 0
        return kernels_weights(
            values: values.pointer + kernel * stride, stride: 1, radius: radii[kernel], radii: nil)
    }
}
