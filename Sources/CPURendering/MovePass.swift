import Filters
import Imaging
import Kernels

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
    private var batch = 0..<0

    /// Rows of the result in a batch; a multiple of every layout's row granularity.
    private static let batchRows = 16
    /// The rows of a batch, and those that arrive at once.
    static let keptRows = 2 * batchRows

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
        kept = try FloatRows(count: Self.keptRows, width: columns.count, hasAlpha: hasAlpha)
        run = try FloatRows(count: 1, width: Run.width, hasAlpha: hasAlpha)
    }

    func consume(_ arrived: Range<Int>, from source: any RowSource, sink: any StripSink) throws {
        var rest = arrived
        while !rest.isEmpty {
            let group = rest.prefix(min(max(source.rowsAtOnce, 1), Self.batchRows))
            rest = group.upperBound..<rest.upperBound
            keep(group.clamped(to: rows), from: source)
            let isLast = group.upperBound == photo.height
            try passOn(below: isLast ? rows.upperBound : min(group.upperBound, rows.upperBound), sink: sink)
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

    /// Passes whole batches on whose rows are above row `end` of the photo, and the last one if that is the result's.
    private func passOn(below end: Int, sink: any StripSink) throws {
        let complete = end - rows.lowerBound, height = rows.count
        while batch.upperBound < complete, complete - batch.upperBound >= Self.batchRows || complete == height
        {
            batch = batch.upperBound..<min(batch.upperBound + Self.batchRows, complete)
            try next.consume(batch, from: self, sink: sink)
        }
    }

    var rowsAtOnce: Int { Self.batchRows }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        if 0..<photo.height ~= row + rows.lowerBound {
            (kept[row % kept.count] + x).copy(to: floats, count: count)
        } else {
            for channel in floats.channels { channel.update(repeating: 0, count: count) }
        }
        points.run(floats, row: row, x: x, count: count)
    }
}
