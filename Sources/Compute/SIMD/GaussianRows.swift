import Filters
import Imaging
import Kernels

/// The gaussian of a masked blur, in linear light: takes rows in order, gives blurred rows.
///
/// A row is shrunk along x, rows are shrunk along y, blurred along x and along y; a row of the result is
/// widened along y and then, run by run, along x. Rows of each step wait in a ring for the next.
final class GaussianRows {
    private let gaussian: Gaussian
    private let grid: BlurGrid
    private let level: SIMDLevel
    private let weights, shrinkWeights, widenWeights, widenPattern: FloatTable

    private let run: FloatRows
    /// One row of the photo in linear light, with its edge pixels repeated on both sides.
    private let linear: FloatRows
    /// Pixels to the left of the photo's first in `linear`.
    private let linearEdge: Int
    /// Rows shrunk along x alone.
    private let narrow: FloatRows
    /// One row shrunk along both axes.
    private let shrunk: FloatRows
    /// Shrunk rows, blurred along x.
    private let blurredAlongX: FloatRows
    private let blurred: FloatRows
    /// One row, widened along y, and which one it is.
    private let tall: FloatRows
    private var tallRow = -1
    private var pushed = 0
    private var nextShrunk: Int
    private var nextBlurred: Int

    init(
        _ blur: MaskedBlur, width: Int, height: Int, hasAlpha: Bool, level: SIMDLevel, batchRows: Int
    ) throws(OutOfMemory) {
        gaussian = blur.gaussian
        self.level = level
        let grid = BlurGrid(blur, width: width, height: height)
        self.grid = grid
        weights = FloatTable(gaussian.weights)
        shrinkWeights = FloatTable(gaussian.shrinkWeights)
        widenWeights = FloatTable(gaussian.widenWeights)
        widenPattern = FloatTable(gaussian.widenPattern)
        let factor = gaussian.factor, radius = gaussian.radius
        func rows(_ count: Int, _ width: Int) throws(OutOfMemory) -> FloatRows {
            try FloatRows(count: count, width: width, hasAlpha: hasAlpha)
        }
        run = try rows(1, Run.width)
        linearEdge = factor == 1 ? radius : factor * (radius + 3)
        linear = try rows(1, width + 2 * linearEdge)
        narrow = try rows(factor == 1 ? 0 : 3 * factor - 1, grid.shrunkColumns.count)
        shrunk = try rows(factor == 1 ? 0 : 1, grid.shrunkColumns.count)
        let batch = batchRows / factor + 3
        blurredAlongX = try rows(2 * radius + batch, grid.blurredColumns.count)
        blurred = try rows(batch, grid.blurredColumns.count)
        tall = try rows(factor == 1 ? 0 : 1, grid.blurredColumns.count)
        nextShrunk = grid.shrunkRows.lowerBound
        nextBlurred = grid.blurredRows.lowerBound
    }

    /// Takes the photo's next row.
    func push(from source: any RowSource) {
        let row = pushed
        pushed += 1
        guard grid.needsRow[row] else { return }
        let functions = level.functions.pointee
        let inner = linear[0] + linearEdge
        Run.forEach(in: grid.width) { x, count in
            source.load(row: row, x: x, count: count, into: run[0])
            functions.linearise(run[0], count, inner + x)
        }
        for channel in linear[0].channels {
            channel.update(repeating: channel[linearEdge], count: linearEdge)
            let end = linearEdge + grid.width
            (channel + end).update(repeating: channel[end - 1], count: linearEdge)
        }
        guard gaussian.factor > 1 else { return }
        let first = linear[0] + (linearEdge + grid.shrunkColumns.lowerBound * gaussian.factor)
        functions.shrink_row(
            first, grid.shrunkColumns.count, gaussian.factor, shrinkWeights.pointer,
            narrow[row % narrow.count])
    }

    /// Blurs as far as the photo's row `end` needs; false where rows are missing still.
    func advance(to end: Int) -> Bool {
        let endBlurred = grid.blurredRows(for: 0..<end).upperBound
        let endShrunk = min(endBlurred + gaussian.radius, grid.shrunkRows.upperBound)
        while nextShrunk < endShrunk {
            guard pushed >= grid.rowsNeeded(forShrunk: nextShrunk) else { return false }
            if grid.needsShrunkRow[nextShrunk - grid.shrunkRows.lowerBound] {
                shrinkAndBlurAlongX(nextShrunk)
            }
            nextShrunk += 1
        }
        blurAlongY(nextBlurred..<endBlurred)
        nextBlurred = endBlurred
        return true
    }

    /// A run of a blurred row.
    ///
    /// - Parameter room: for the run, where it is not at hand as it is.
    func blurred(row: Int, x: Int, count: Int, room: kernels_rows) -> kernels_rows {
        let factor = gaussian.factor
        guard factor > 1 else { return blurredRow(row) + x }
        if row != tallRow { widenAlongY(row) }
        let first = tall[0] + (x / factor - grid.blurredColumns.lowerBound)
        level.functions.pointee.widen_row(first, count, factor, widenPattern.pointer, room)
        return room
    }

    private func blurredRow(_ row: Int) -> kernels_rows {
        blurred[(row - grid.blurredRows.lowerBound) % blurred.count]
    }

    private func rowBlurredAlongX(_ row: Int) -> kernels_rows {
        blurredAlongX[(row - grid.shrunkRows.lowerBound) % blurredAlongX.count]
    }

    private func shrinkAndBlurAlongX(_ row: Int) {
        let functions = level.functions.pointee
        var source = linear[0]
        if gaussian.factor > 1 {
            source = shrunk[0]
            let rows = grid.photoRows(ofShrunk: row).map {
                narrow[min(max($0, 0), grid.height - 1) % narrow.count]
            }
            functions.shrink_columns(
                rows, grid.shrunkColumns.count, rows.count / 2, shrinkWeights.pointer, source)
        }
        functions.blur_row(
            source + gaussian.radius, grid.blurredColumns.count, weights.pointer, gaussian.radius,
            rowBlurredAlongX(row))
    }

    private func blurAlongY(_ rows: Range<Int>) {
        let needed = grid.needsBlurredRow, first = grid.blurredRows.lowerBound
        for run in rows.runs(where: { needed[$0 - first] }) {
            let window = (run.lowerBound - gaussian.radius..<run.upperBound + gaussian.radius).map { row in
                rowBlurredAlongX(
                    min(max(row, grid.shrunkRows.lowerBound), grid.shrunkRows.upperBound - 1))
            }
            level.functions.pointee.blur_columns(
                window, grid.blurredColumns.count, weights.pointer, gaussian.radius, run.map(blurredRow),
                run.count)
        }
    }

    private func widenAlongY(_ row: Int) {
        let nearest = row / gaussian.factor
        withUnsafeTemporaryAllocation(of: kernels_rows.self, capacity: 3) { window in
            for index in 0..<3 { window.initializeElement(at: index, to: blurredRow(nearest - 1 + index)) }
            level.functions.pointee.widen_columns(
                window.baseAddress, grid.blurredColumns.count,
                widenWeights.pointer + 3 * (row % gaussian.factor), tall[0])
        }
        tallRow = row
    }
}

extension Range<Int> {
    /// The longest parts of the range whose elements all satisfy `predicate`.
    fileprivate func runs(where predicate: (Int) -> Bool) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for element in self where predicate(element) {
            if let last = runs.last, last.upperBound == element {
                runs[runs.count - 1] = last.lowerBound..<element + 1
            } else {
                runs.append(element..<element + 1)
            }
        }
        return runs
    }
}
