import Imaging
import Kernels

/// The latest rows of a level, as planar floats, with their edge pixels repeated on both sides: a ring in which a row's
/// place is its number.
final class RowRing {
    private let rows: FloatRows
    private let columns: Range<Int>
    /// Pixels that are repeated on each side.
    private let edge: Int

    /// - Parameters:
    ///   - count: rows that are there at once.
    ///   - columns: numbers of the columns.
    init(count: Int, columns: Range<Int>, edge: Int, hasAlpha: Bool) throws(OutOfMemory) {
        // Kernels write whole tiles.
        rows = try FloatRows(count: count, width: columns.count + 2 * edge + 64, hasAlpha: hasAlpha)
        self.columns = columns
        self.edge = edge
    }

    /// A row, from column 0 on.
    subscript(row: Int) -> kernels_rows {
        // Rows begin at -2.
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
