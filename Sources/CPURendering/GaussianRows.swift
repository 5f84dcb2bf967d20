import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// The gaussian of one part of a masked blur, in linear light. It takes rows in order and gives blurred rows.
///
/// Rows are downsampled along x and y, and blurred along both axes. The result is upsampled by run, along y,
/// then along x. Each step keeps its rows in a ring for the next one.
///
/// The blur along x comes first. If each row has a sigma of its own, the blur along y comes first: then all
/// values in a row's support are blurred along x by that row's sigma.
final class GaussianRows {
    private let gaussian: Gaussian
    private let grid: BlurGrid
    private let level: SIMDLevel
    private let weights: BlurWeights
    private let upsampleWeights, upsamplePattern: FloatTable
    /// Whether the result depends on a run of the photo's columns.
    private let needsRun: [Bool]

    private let run: FloatRows
    /// The photo's rows in linear light, then the rows of each downsampling step.
    private let levels: [RowRing]
    private let steps: [DownsampleStep]
    /// Downsampled rows, blurred along the first axis.
    private let halfBlurred: RowRing
    /// Columns on each side of the rows that the blur along x reads, in whole cache lines. If the blur along y
    /// comes first, it blurs them too.
    private let edge: Int
    private let blurred: RowRing
    /// A run of one row, upsampled along y.
    private let tall: FloatRows
    /// Rows of the photo that were taken or skipped.
    private(set) var pushed = 0
    private var nextBlurred: Int

    init(
        _ part: MaskedBlur.Part, axis: MaskedBlur.Axis, width: Int, height: Int, hasAlpha: Bool,
        level: SIMDLevel,
        batchRows: Int
    ) throws(OutOfMemory) {
        let gaussian = part.gaussian, factor = gaussian.factor, radius = gaussian.radius
        let grid = BlurGrid(part, axis: axis, width: width, height: height)
        self.gaussian = gaussian
        self.grid = grid
        self.level = level
        needsRun = grid.needsRuns(of: Run.width, for: part, axis: axis)
        weights = BlurWeights(part, axis: axis, grid: grid)
        upsampleWeights = FloatTable(gaussian.upsampleWeights)
        upsamplePattern = FloatTable(gaussian.upsamplePattern)
        run = try FloatRows(count: 1, width: Run.width, hasAlpha: hasAlpha)
        let alongYFirst = weights.changeByRow, edge = radius.roundedUp(toMultipleOf: 16)
        self.edge = edge
        let batch = batchRows.dividedRoundingUp(by: factor) + 3
        let waiting = Self.waitingRows(gaussian, batch: batch)
        levels = try grid.levels.indices.map { (index) throws(OutOfMemory) in
            let isLast = index == grid.levels.count - 1
            return try RowRing(
                count: isLast && alongYFirst ? waiting : 1, columns: grid.levels[index].columns,
                edge: isLast ? edge : DownsampleStep.edge(step: grid.levels[index + 1].step),
                hasAlpha: hasAlpha
            )
        }
        steps = try zip(grid.levels, grid.levels.dropFirst()).map { (source, result) throws(OutOfMemory) in
            try DownsampleStep(from: source, to: result, hasAlpha: hasAlpha, level: level)
        }
        halfBlurred = try RowRing(
            count: alongYFirst ? batch : waiting,
            columns: alongYFirst ? grid.last.columns : grid.blurredColumns, edge: alongYFirst ? edge : 0,
            hasAlpha: hasAlpha)
        blurred = try RowRing(
            count: alongYFirst && factor == 1 ? 0 : batch, columns: grid.blurredColumns, edge: 0,
            hasAlpha: hasAlpha)
        // A factor of at least 2, a column on each side, and what kernels read beyond.
        tall = try FloatRows(
            count: factor == 1 ? 0 : 1, width: Run.width / 2 + 64, hasAlpha: hasAlpha)
        nextBlurred = grid.blurredRows.lowerBound
    }

    /// Rows that the second axis of the blur keeps at once.
    static func waitingRows(_ gaussian: Gaussian, batch: Int) -> Int {
        2 * gaussian.radius + batch + (gaussian.factor == 1 ? 0 : 5)
    }

    /// The number of photo rows, from the top, to push before the result's `rows` can be made.
    func rowsNeeded(for rows: Range<Int>) -> Int { grid.rowsNeeded(for: rows) }

    /// Takes the photo's next row.
    func push(from source: any RowSource) {
        let row = pushed
        pushed += 1
        guard grid.levels[0].needs(row) else { return }
        let functions = level.functions.pointee
        Run.forEach(in: grid.width) { x, count in
            guard needsRun[x / Run.width] else { return }
            source.load(row: row, x: x, count: count, into: run[0])
            functions.linearise(run[0], count, levels[0][row] + x)
        }
        levels[0].repeatEdges(of: row)
        take(row, at: 0)
    }

    /// Passes a row of level `index` to the next step.
    private func take(_ row: Int, at index: Int) {
        if index < steps.count {
            steps[index].take(row, from: levels[index], to: levels[index + 1]) { take($0, at: index + 1) }
        } else if !weights.changeByRow {
            let first = grid.blurredColumns.lowerBound
            withUnsafePointer(to: weights.row(0)) {
                level.functions.pointee.blur_row(
                    levels[index][row] + first, grid.blurredColumns.count, $0, halfBlurred[row] + first)
            }
        }
    }

    /// Blurs all rows that the photo's rows up to `end` need.
    ///
    /// - Precondition: as many rows as `rowsNeeded` returns were pushed.
    func advance(to end: Int) {
        let endBlurred = grid.blurredRows(for: 0..<end).upperBound
        let first = grid.blurredRows.lowerBound
        for rows in (nextBlurred..<endBlurred).runs(where: { grid.needsBlurredRow[$0 - first] }) {
            blurAlongY(rows)
            if weights.changeByRow && gaussian.factor > 1 {
                for row in rows { blurAlongX(row, columns: grid.blurredColumns, to: blurred[row]) }
            }
        }
        nextBlurred = endBlurred
    }

    /// A run of a blurred row.
    ///
    /// - Parameter buffer: gets the run if the run has to be computed first.
    func blurred(row: Int, x: Int, count: Int, to buffer: kernels_rows) -> kernels_rows {
        let factor = gaussian.factor
        guard factor > 1 else {
            guard weights.changeByRow else { return blurred[row] + x }
            blurAlongX(row, columns: x..<x + count, to: buffer + -x)
            return buffer
        }
        upsampleAlongY(row, columns: x / factor - 1..<(x + count - 1) / factor + 2)
        // A run is shorter than a downsampled pixel from factor 1024 on, and begins anywhere in it.
        let pattern = upsamplePattern.pointer + x % factor
        level.functions.pointee.upsample_row(tall[0] + 1, count, factor, pattern, buffer)
        return buffer
    }

    private func blurAlongY(_ rows: Range<Int>) {
        let source = weights.changeByRow ? levels[levels.count - 1] : halfBlurred
        let result = weights.changeByRow ? halfBlurred : blurred
        let edge = weights.changeByRow ? edge : 0
        let columns = weights.changeByRow ? grid.last.columns : grid.blurredColumns
        let first = columns.lowerBound - edge
        let window = (rows.lowerBound - gaussian.radius..<rows.upperBound + gaussian.radius).map { row in
            source[grid.last.nearest(row)] + first
        }
        level.functions.pointee.blur_columns(
            window, columns.count + 2 * edge, rows.map(weights(forRow:)), gaussian.radius,
            rows.map { result[$0] + first }, rows.count)
    }

    private func blurAlongX(_ row: Int, columns: Range<Int>, to result: kernels_rows) {
        withUnsafePointer(to: weights(forRow: row)) {
            level.functions.pointee.blur_row(
                halfBlurred[row] + columns.lowerBound, columns.count, $0, result + columns.lowerBound)
        }
    }

    private func weights(forRow row: Int) -> kernels_weights {
        weights.row(row - grid.blurredRows.lowerBound)
    }

    private func upsampleAlongY(_ row: Int, columns: Range<Int>) {
        let nearest = row / gaussian.factor
        withUnsafeTemporaryAllocation(of: kernels_rows.self, capacity: 3) { window in
            for index in 0..<3 {
                window.initializeElement(at: index, to: blurred[nearest - 1 + index] + columns.lowerBound)
            }
            level.functions.pointee.upsample_columns(
                window.baseAddress, columns.count, upsampleWeights.pointer + 3 * (row % gaussian.factor),
                tall[0])
        }
    }
}
