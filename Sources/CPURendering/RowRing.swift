import TintypeImaging
import TintypeKernels

/// A ring of a level's latest rows, as planar floats with repeated edge pixels. The index is the row's
/// number.
final class RowRing {
    private let rows: FloatRows
    private let columns: Range<Int>
    /// The number of repeated pixels on each side.
    private let edge: Int

    /// - Parameters:
    ///   - count: the ring's capacity in rows.
    ///   - columns: the columns' indices.
    init(count: Int, columns: Range<Int>, edge: Int, hasAlpha: Bool) throws(OutOfMemory) {
        // Kernels write whole tiles.
        rows = try FloatRows(count: count, width: columns.count + 2 * edge + 64, hasAlpha: hasAlpha)
        self.columns = columns
        self.edge = edge
    }

    /// A row, from column 0 on.
    subscript(row: Int) -> kernels_rows {
        // The first row is -2.
        rows[(row + 2) % rows.count] + (edge - columns.lowerBound)
    }

    /// Repeats a row's edge pixels.
    func repeatEdges(of row: Int) {
        guard edge > 0 else { return }
        for channel in self[row].channels {
            let first = channel + columns.lowerBound, end = channel + columns.upperBound
            (first - edge).update(repeating: first[0], count: edge)
            end.update(repeating: end[-1], count: edge)
        }
    }
}
