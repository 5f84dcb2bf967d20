import Filters
import Imaging

/// Which rows of a photo, of its shrunk form, and of that form's blur a masked blur works on.
///
/// Shrunk rows (and columns) are counted from the photo's top (and left): row `j` is the photo's rows from
/// `j * factor` on. They reach past the photo's edges, whose pixels are repeated outwards. Where nothing is
/// shrunk, they are the photo's own.
struct BlurGrid {
    let factor: Int
    let radius: Int
    let width: Int
    let height: Int
    /// Shrunk rows there are, with those that the blur of `blurredRows` depends on.
    let shrunkRows: Range<Int>
    /// Rows of the blur that the photo's rows lie between.
    let blurredRows: Range<Int>
    /// The same along a row.
    let shrunkColumns: Range<Int>
    let blurredColumns: Range<Int>
    /// For each row of the photo, each shrunk and each blurred one, whether the result depends on it.
    let needsRow: [Bool]
    let needsShrunkRow: [Bool]
    let needsBlurredRow: [Bool]

    init(_ blur: MaskedBlur, width: Int, height: Int) {
        let factor = blur.gaussian.factor, radius = blur.gaussian.radius
        self.factor = factor
        self.radius = radius
        self.width = width
        self.height = height
        let edge = factor == 1 ? 0 : 1
        func blurred(_ count: Int) -> Range<Int> { -edge..<count.dividedRoundingUp(by: factor) + edge }
        func shrunk(_ blurred: Range<Int>) -> Range<Int> {
            factor == 1 ? blurred : blurred.lowerBound - radius..<blurred.upperBound + radius
        }
        blurredRows = blurred(height)
        shrunkRows = shrunk(blurredRows)
        blurredColumns = blurred(width)
        shrunkColumns = shrunk(blurredColumns)

        let masked = (0..<height).map { blur.axis == .columns || blur.mask[$0] > 0 }
        needsBlurredRow = Self.spread(masked, from: 0, over: blurredRows) { row in
            row / factor - edge...row / factor + edge
        }
        needsShrunkRow = Self.spread(needsBlurredRow, from: blurredRows.lowerBound, over: shrunkRows) { row in
            row - radius...row + radius
        }
        needsRow = Self.spread(needsShrunkRow, from: shrunkRows.lowerBound, over: 0..<height) { row in
            Self.photoRows(ofShrunk: row, factor: factor)
        }
    }

    /// The photo's rows that a shrunk row is a sum of; outside the photo, its edge rows count again.
    func photoRows(ofShrunk row: Int) -> ClosedRange<Int> { Self.photoRows(ofShrunk: row, factor: factor) }

    private static func photoRows(ofShrunk row: Int, factor: Int) -> ClosedRange<Int> {
        factor == 1 ? row...row : (row - 1) * factor + 1...(row + 2) * factor - 2
    }

    /// The photo's rows that shrunk rows are sums of.
    func photoRows(ofShrunk rows: Range<Int>) -> Range<Int> {
        let first = photoRows(ofShrunk: rows.lowerBound), last = photoRows(ofShrunk: rows.upperBound - 1)
        func inside(_ row: Int) -> Int { min(max(row, 0), height - 1) }
        return inside(first.lowerBound)..<inside(last.upperBound) + 1
    }

    /// Rows of the photo, from its top, that must be there for a shrunk row.
    func rowsNeeded(forShrunk row: Int) -> Int {
        min(max(photoRows(ofShrunk: row).upperBound + 1, 1), height)
    }

    /// Blurred rows that the photo's `rows` lie between.
    func blurredRows(for rows: Range<Int>) -> Range<Int> {
        guard factor > 1 else { return rows }
        return rows.lowerBound / factor - 1..<(rows.upperBound - 1) / factor + 2
    }

    /// Shrunk rows that blurred ones depend on.
    func shrunkRows(forBlurred rows: Range<Int>) -> Range<Int> {
        (rows.lowerBound - radius..<rows.upperBound + radius).clamped(to: shrunkRows)
    }

    /// Marks, among `places`, all that the marked rows depend on; dependencies outside become the nearest place.
    private static func spread(
        _ marked: [Bool], from first: Int, over places: Range<Int>, _ dependencies: (Int) -> ClosedRange<Int>
    ) -> [Bool] {
        var needed = Array(repeating: false, count: places.count)
        var next = 0
        for index in marked.indices where marked[index] {
            let reach = dependencies(first + index).clamped(to: places.lowerBound...places.upperBound - 1)
            let lower = max(reach.lowerBound - places.lowerBound, next)
            let upper = reach.upperBound - places.lowerBound + 1
            if lower < upper { for place in lower..<upper { needed[place] = true } }
            next = max(next, upper)
        }
        return needed
    }
}

extension Gaussian {
    /// The weights for widening as vectors want them: those of the pixel before, repeated to 16 where there are fewer;
    /// then its own, and those of the one after.
    var widenPattern: [Float] {
        (0..<3).flatMap { tap in (0..<max(factor, 16)).map { widenWeights[3 * ($0 % factor) + tap] } }
    }
}
