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
    private let weights, shrinkWeights, widenWeights: FloatTable

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
    ) {
        gaussian = blur.gaussian
        self.level = level
        let grid = BlurGrid(blur, width: width, height: height)
        self.grid = grid
        weights = FloatTable(gaussian.weights)
        shrinkWeights = FloatTable(gaussian.shrinkWeights)
        widenWeights = FloatTable(gaussian.widenWeights)
        let factor = gaussian.factor, radius = gaussian.radius
        func rows(_ count: Int, _ width: Int) -> FloatRows {
            FloatRows(count: count, width: width, hasAlpha: hasAlpha)
        }
        run = rows(1, Run.width)
        linearEdge = factor == 1 ? radius : factor * (radius + 3)
        linear = rows(1, width + 2 * linearEdge)
        narrow = rows(factor == 1 ? 0 : 3 * factor - 1, grid.shrunkColumns.count)
        shrunk = rows(factor == 1 ? 0 : 1, grid.shrunkColumns.count)
        let batch = batchRows / factor + 3
        blurredAlongX = rows(2 * radius + batch, grid.blurredColumns.count)
        blurred = rows(batch, grid.blurredColumns.count)
        tall = rows(factor == 1 ? 0 : 1, grid.blurredColumns.count)
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
        for (channel, output) in zip(first.channels, narrow[row % narrow.count].channels) {
            functions.shrink_row(
                channel, grid.shrunkColumns.count, gaussian.factor, shrinkWeights.pointer, output)
        }
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
        for (channel, output) in zip(first.channels, room.channels) {
            level.functions.pointee.widen_row(channel, count, factor, widenWeights.pointer, output)
        }
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
            let rows = grid.photoRows(ofShrunk: row).map { min(max($0, 0), grid.height - 1) }
            for (channel, output) in source.channels.enumerated() {
                withPointers(rows.map { narrow[$0 % narrow.count].channels[channel] }) { inputs in
                    functions.shrink_columns(
                        inputs, grid.shrunkColumns.count, rows.count / 2, shrinkWeights.pointer, output)
                }
            }
        }
        for (channel, output) in zip((source + gaussian.radius).channels, rowBlurredAlongX(row).channels) {
            functions.blur_row(channel, grid.blurredColumns.count, weights.pointer, gaussian.radius, output)
        }
    }

    private func blurAlongY(_ rows: Range<Int>) {
        let functions = level.functions.pointee
        let needed = grid.needsBlurredRow, first = grid.blurredRows.lowerBound
        for run in rows.runs(where: { needed[$0 - first] }) {
            let window = (run.lowerBound - gaussian.radius..<run.upperBound + gaussian.radius).map { row in
                rowBlurredAlongX(
                    min(max(row, grid.shrunkRows.lowerBound), grid.shrunkRows.upperBound - 1))
            }
            for channel in linear[0].channels.indices {
                withPointers(window.map { $0.channels[channel] }) { inputs in
                    let outputs = run.map { blurredRow($0).channels[channel] as UnsafeMutablePointer? }
                    functions.blur_columns(
                        inputs, grid.blurredColumns.count, weights.pointer, gaussian.radius, outputs,
                        run.count)
                }
            }
        }
    }

    private func widenAlongY(_ row: Int) {
        let nearest = row / gaussian.factor
        let window = (nearest - 1...nearest + 1).map(blurredRow)
        for (channel, output) in tall[0].channels.enumerated() {
            withPointers(window.map { $0.channels[channel] }) { inputs in
                level.functions.pointee.widen_columns(
                    inputs, grid.blurredColumns.count, widenWeights.pointer + 3 * (row % gaussian.factor),
                    output)
            }
        }
        tallRow = row
    }

    /// Rows as C functions take them.
    private func withPointers(
        _ rows: [UnsafeMutablePointer<Float>], _ body: (UnsafePointer<UnsafePointer<Float>?>?) -> Void
    ) {
        rows.map { UnsafePointer($0) as UnsafePointer<Float>? }.withUnsafeBufferPointer {
            body($0.baseAddress)
        }
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
