import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// One step of downsampling. It takes rows of one level in order, and makes rows of the next as soon as
/// possible.
final class DownsampleStep {
    private let source: BlurGrid.Level
    private let result: BlurGrid.Level
    private let level: SIMDLevel
    private let weights: FloatTable
    /// Rows that are downsampled along x only.
    private let narrow: FloatRows
    private var next: Int

    init(from source: BlurGrid.Level, to result: BlurGrid.Level, hasAlpha: Bool, level: SIMDLevel)
        throws(OutOfMemory)
    {
        self.source = source
        self.result = result
        self.level = level
        weights = FloatTable(Gaussian.downsampleWeights(factor: result.step))
        narrow = try FloatRows(count: 3 * result.step - 1, width: result.columns.count, hasAlpha: hasAlpha)
        next = result.rows.lowerBound
    }

    /// Columns to the left and right of a row that downsampling by `step` reads. At least a cache line of
    /// floats, so that the row itself is aligned.
    static func edge(step: Int) -> Int { max(4 * step, 16) }

    /// Takes a row with repeated edges.
    ///
    /// - Parameter made: called for each row that was added to `downsampled`.
    func take(_ row: Int, from rows: RowRing, to downsampled: RowRing, made: (Int) -> Void) {
        let functions = level.functions.pointee
        functions.downsample_row(
            rows[row] + result.columns.lowerBound * result.step, result.columns.count, result.step,
            weights.pointer, narrowRow(row))
        while next < result.rows.upperBound, source.nearest(result.rows(of: next).upperBound) <= row {
            if result.needs(next) {
                let window = result.rows(of: next).map { narrowRow(source.nearest($0)) }
                functions.downsample_columns(
                    window, result.columns.count, window.count / 2, weights.pointer,
                    downsampled[next] + result.columns.lowerBound)
                downsampled.repeatEdges(of: next)
                made(next)
            }
            next += 1
        }
    }

    private func narrowRow(_ row: Int) -> kernels_rows {
        narrow[(row - source.rows.lowerBound) % narrow.count]
    }
}
