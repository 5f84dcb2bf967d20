import TintypeImaging
import TintypeKernels
import TintypeStages

/// A crop or a padding, row by row: a resampling that only moves pixels.
final class MovePass: RowConsumer, RowSource {
    private let points: PointPass
    private let next: any RowConsumer
    /// The part of the photo that is the result, in its columns and rows; it may exceed the photo.
    private let columns, rows: Range<Int>
    private let photo: PhotoGeometry
    /// Rows of the result: a ring, by the result's row. What is outside of the photo along x stays 0.
    private let kept: FloatRows
    private let run: FloatRows
    private var batches: RowBatches

    /// The rows of a batch, and those that arrive at once.
    static let keptRows = 2 * RowBatches.rowCount

    /// - Parameters:
    ///   - photo: before the move.
    ///   - points: the stages after this one.
    init(
        _ resampling: Resampling, photo: PhotoGeometry, hasAlpha: Bool, points: PointPass,
        next: any RowConsumer
    ) throws(OutOfMemory) {
        self.points = points
        self.next = next
        self.photo = photo
        columns = resampling.columns.pixels
        rows = resampling.rows.pixels
        batches = RowBatches(height: rows.count)
        kept = try FloatRows(count: Self.keptRows, width: columns.count, hasAlpha: hasAlpha)
        run = try FloatRows(count: 1, width: Run.width, hasAlpha: hasAlpha)
    }

    func consume(_ arrived: Range<Int>, from source: any RowSource, sink: any StripSink) throws {
        for group in arrived.groups(of: min(source.rowsAtOnce, RowBatches.rowCount)) {
            keep(group.clamped(to: rows), from: source)
            let isLast = group.upperBound == photo.height
            let end = isLast ? rows.upperBound : min(group.upperBound, rows.upperBound)
            while let batch = batches.next(complete: end - rows.lowerBound) {
                try next.consume(batch, from: self, sink: sink)
            }
        }
    }

    private func keep(_ group: Range<Int>, from source: any RowSource) {
        let inside = columns.clamped(to: 0..<photo.width)
        guard !group.isEmpty, !inside.isEmpty else { return }
        let firstX = inside.lowerBound - inside.lowerBound % Run.width
        for x in stride(from: firstX, to: inside.upperBound, by: Run.width) {
            let count = min(Run.width, photo.width - x)
            let used = inside.clamped(to: x..<x + count)
            for row in group {
                source.load(row: row, x: x, count: count, into: run[0])
                (run[0] + (used.lowerBound - x)).copy(
                    to: kept[(row - rows.lowerBound) % kept.count] + (used.lowerBound - columns.lowerBound),
                    count: used.count)
            }
        }
    }

    var rowsAtOnce: Int { RowBatches.rowCount }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        if 0..<photo.height ~= row + rows.lowerBound {
            (kept[row % kept.count] + x).copy(to: floats, count: count)
        } else {
            for channel in floats.channels { channel.update(repeating: 0, count: count) }
        }
        points.run(floats, row: row, x: x, count: count)
    }
}
