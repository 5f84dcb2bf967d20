import TintypeImaging

/// The rows that a part of a masked blur needs: of the photo, of its downsampled levels, and of the blur.
///
/// Downsampled rows are numbered from the photo's top: row `j` starts at the photo's row `j * factor`. Rows
/// before the photo's first and after its last are sums of repeated edge pixels. Two such rows are computed
/// on each side; all farther ones have the same values. Columns work alike. If nothing is downsampled, rows
/// are the photo's own.
package struct BlurGrid {
    package let factor: Int
    package let radius: Int
    package let width: Int
    package let height: Int
    /// The photo, then the result of each downsampling step.
    package let levels: [Level]
    /// Blurred rows that the photo's rows are interpolated from.
    package let blurredRows: Range<Int>
    /// Blurred columns that the photo's columns are interpolated from.
    package let blurredColumns: Range<Int>
    package let needsBlurredRow: [Bool]

    /// The rows and columns after a downsampling step.
    package struct Level {
        /// The factor from the previous level; 1 for the photo.
        package let step: Int
        package let rows: Range<Int>
        package let columns: Range<Int>
        /// For each row: whether the result depends on it.
        package fileprivate(set) var needsRow: [Bool]

        /// Rows of the previous level that contribute to a row. Beyond that level's edge, its edge rows are
        /// repeated.
        package func rows(of row: Int) -> ClosedRange<Int> {
            step == 1 ? row...row : (row - 1) * step + 1...(row + 2) * step - 2
        }

        package func needs(_ row: Int) -> Bool { needsRow[row - rows.lowerBound] }

        package func nearest(_ row: Int) -> Int { min(max(row, rows.lowerBound), rows.upperBound - 1) }
    }

    package init(_ part: MaskedBlur.Part, axis: MaskedBlur.Axis, width: Int, height: Int) {
        let factor = part.gaussian.factor, radius = part.gaussian.radius
        self.factor = factor
        self.radius = radius
        self.width = width
        self.height = height
        let edge = factor == 1 ? 0 : 1
        func blurred(_ count: Int) -> Range<Int> { -edge..<count.dividedRoundingUp(by: factor) + edge }
        blurredRows = blurred(height)
        blurredColumns = blurred(width)

        let masked = (0..<height).map { axis == .columns || part.mask[$0] != 0 }
        needsBlurredRow = Self.spread(masked, from: 0, over: blurredRows) { row in
            row / factor - edge...row / factor + edge
        }
        levels = Self.levels(part.gaussian, width: width, height: height, needed: needsBlurredRow, edge: edge)
    }

    private static func levels(
        _ gaussian: Gaussian, width: Int, height: Int, needed: [Bool], edge: Int
    ) -> [Level] {
        var levels = [Level(step: 1, rows: 0..<height, columns: 0..<width, needsRow: [])]
        var scale = 1
        for step in gaussian.steps {
            scale *= step
            func downsampled(_ count: Int) -> Range<Int> { -2..<count.dividedRoundingUp(by: scale) + 2 }
            levels.append(
                Level(step: step, rows: downsampled(height), columns: downsampled(width), needsRow: []))
        }
        var last = levels.count - 1
        levels[last].needsRow = spread(needed, from: -edge, over: levels[last].rows) { row in
            row - gaussian.radius...row + gaussian.radius
        }
        while last > 0 {
            let level = levels[last]
            levels[last - 1].needsRow = spread(
                level.needsRow, from: level.rows.lowerBound, over: levels[last - 1].rows, level.rows(of:))
            last -= 1
        }
        return levels
    }

    /// The level that is blurred.
    package var last: Level { levels[levels.count - 1] }

    /// Rows of a level that rows of a later level depend on.
    package func rows(of level: Int, for rows: Range<Int>, of later: Int) -> Range<Int> {
        var rows = rows
        for index in stride(from: later, to: level, by: -1) {
            let first = levels[index].rows(of: rows.lowerBound).lowerBound
            let last = levels[index].rows(of: rows.upperBound - 1).upperBound
            rows = levels[index - 1].nearest(first)..<levels[index - 1].nearest(last) + 1
        }
        return rows
    }

    /// Blurred rows that the photo's `rows` are interpolated from.
    package func blurredRows(for rows: Range<Int>) -> Range<Int> {
        guard factor > 1 else { return rows }
        return rows.lowerBound / factor - 1..<(rows.upperBound - 1) / factor + 2
    }

    /// Rows of the last level that blurred rows depend on.
    package func downsampledRows(forBlurred rows: Range<Int>) -> Range<Int> {
        last.nearest(rows.lowerBound - radius)..<last.nearest(rows.upperBound - 1 + radius) + 1
    }

    /// The number of photo rows, from the top, that the result's `rows` depend on.
    package func rowsNeeded(for rows: Range<Int>) -> Int {
        self.rows(of: 0, for: downsampledRows(forBlurred: blurredRows(for: rows)), of: levels.count - 1)
            .upperBound
    }

    /// For each blurred column: whether one of the part's columns depends on it.
    package func needsBlurredColumns(for part: MaskedBlur.Part) -> [Bool] {
        Self.spread(part.mask.map { $0 != 0 }, from: 0, over: blurredColumns) { column in
            blurredRows(for: column..<column + 1).closed
        }
    }

    /// For each run of the photo's columns: whether the part depends on it.
    package func needsRuns(of length: Int, for part: MaskedBlur.Part, axis: MaskedBlur.Axis) -> [Bool] {
        let runs = 0..<width.dividedRoundingUp(by: length)
        guard axis == .columns else { return runs.map { _ in true } }
        return Self.spread(part.mask.map { $0 != 0 }, from: 0, over: runs) { column in
            max(column - part.gaussian.support, 0) / length...(column + part.gaussian.support) / length
        }
    }

    /// Marks all places that the marked places depend on. A place outside `places` becomes the nearest one.
    private static func spread(
        _ marked: [Bool], from first: Int, over places: Range<Int>, _ dependencies: (Int) -> ClosedRange<Int>
    ) -> [Bool] {
        var needed = Array(repeating: false, count: places.count)
        var next = 0
        for index in marked.indices where marked[index] {
            let range = dependencies(first + index).clamped(to: places.lowerBound...places.upperBound - 1)
            let lower = max(range.lowerBound - places.lowerBound, next)
            let upper = range.upperBound - places.lowerBound + 1
            if lower < upper { for place in lower..<upper { needed[place] = true } }
            next = max(next, upper)
        }
        return needed
    }
}

extension Range<Int> {
    fileprivate var closed: ClosedRange<Int> { lowerBound...upperBound - 1 }
}

extension Gaussian {
    /// The radius of each kernel.
    package var radii: [Int] { kernels.map { kernel in kernel.lastIndex { $0 != 0 } ?? 0 } }

    /// If each place has its own kernel: for each distance, the weights of all places.
    package var weightsByDistance: [Float] {
        (0...radius).flatMap { distance in (kernelOfPlace ?? []).map { kernels[$0][distance] } }
    }

    /// The weights for upsampling in vectors: those of the previous pixel, repeated to fill 16; then, in the
    /// same form, those of the own and the next pixel.
    package var upsamplePattern: [Float] {
        (0..<3).flatMap { tap in (0..<max(factor, 16)).map { upsampleWeights[3 * ($0 % factor) + tap] } }
    }
}
