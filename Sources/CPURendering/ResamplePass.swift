import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// A resampling, row by row. Each row is added to the sums of all rows of the result that it contributes to, so that
/// no row is kept. Complete sums are resampled along x, a batch of them at once.
final class ResamplePass: RowConsumer, RowSource {
    private let resampling: Resampling
    private let level: SIMDLevel
    private let points: PointPass
    private let next: any RowConsumer
    private let hasAlpha: Bool
    /// Columns of the photo that the result depends on.
    private let columns: Range<Int>
    private let starts: [Int32]
    private let weights: FloatTable
    /// A run of some rows of the photo, and the same in linear light.
    private let loaded, linear: FloatRows
    /// Sums along y: a ring, by the result's row.
    private let sums: FloatRows
    /// The current batch of the result.
    private let results: FloatRows
    private var batches: RowBatches
    /// Result's rows below this one are complete.
    private var complete = 0
    /// A mask that takes all of the result, for photos with alpha.
    private let mask: FloatTable

    /// Rows of the photo that are added at once. A run of them fits in the first-level cache.
    private static let addedRows = 8

    /// - Parameter points: the stages after this one.
    init(
        _ resampling: Resampling, hasAlpha: Bool, level: SIMDLevel, points: PointPass, next: any RowConsumer
    ) throws(OutOfMemory) {
        self.resampling = resampling
        self.level = level
        self.points = points
        self.next = next
        self.hasAlpha = hasAlpha
        batches = RowBatches(height: resampling.rows.count)
        let axis = resampling.columns
        columns = axis.sources(of: 0..<axis.count)
        starts = axis.starts.map { Int32($0) }
        weights = FloatTable(axis.weights)
        mask = FloatTable(hasAlpha ? Array(repeating: 1, count: Run.width) : [])
        loaded = try FloatRows(count: 1, width: Run.width, hasAlpha: hasAlpha)
        linear = try FloatRows(
            count: max(Self.addedRows, RowBatches.rowCount), width: Run.width, hasAlpha: hasAlpha)
        sums = try FloatRows(
            count: Self.sumCount(resampling.rows), width: axis.sourceCount, hasAlpha: hasAlpha)
        results = try FloatRows(count: RowBatches.rowCount, width: axis.count, hasAlpha: hasAlpha)
    }

    /// Sums that are begun, or wait for their batch, at once.
    static func sumCount(_ axis: ResamplingAxis) -> Int {
        let added = max(addedRows, RowBatches.rowCount)
        var open = 0, most = 0
        for row in 0..<axis.count {
            // While the last source rows of `row` are added, sums up to `open` begin.
            let end = axis.starts[row] + axis.tapCount + added - 1
            while open < axis.count, axis.starts[open] < end { open += 1 }
            most = max(most, open - row)
        }
        return min(most + RowBatches.rowCount - 1, axis.count)
    }

    func consume(_ rows: Range<Int>, from source: any RowSource, sink: any StripSink) throws {
        for added in rows.groups(of: max(Self.addedRows, source.rowsAtOnce)) {
            add(added, from: source)
            try passOn(sink: sink)
        }
    }

    /// Adds rows of the photo to the sums of all rows that they contribute to.
    private func add(_ rows: Range<Int>, from source: any RowSource) {
        let axis = resampling.rows
        var end = complete
        while end < axis.count, axis.starts[end] < rows.upperBound { end += 1 }
        guard complete < end else { return }
        let firstX = columns.lowerBound - columns.lowerBound % Run.width
        for x in stride(from: firstX, to: columns.upperBound, by: Run.width) {
            let count = min(Run.width, axisWidth - x)
            for (index, row) in rows.enumerated() {
                source.load(row: row, x: x, count: count, into: loaded[0])
                level.functions.pointee.linearise(loaded[0], count, linear[index])
            }
            for result in complete..<end { add(rows, to: result, x: x, count: count) }
        }
        while complete < axis.count, axis.starts[complete] + axis.tapCount <= rows.upperBound {
            complete += 1
        }
    }

    private var axisWidth: Int { resampling.columns.sourceCount }

    /// Adds those of `rows`, which are in `linear`, that contribute to one row of the result.
    private func add(_ rows: Range<Int>, to result: Int, x: Int, count: Int) {
        let axis = resampling.rows, start = axis.starts[result]
        let own = rows.clamped(to: start..<start + axis.tapCount)
        guard !own.isEmpty else { return }
        withUnsafeTemporaryAllocation(of: kernels_rows.self, capacity: own.count) { window in
            for (index, row) in own.enumerated() {
                window.initializeElement(at: index, to: linear[row - rows.lowerBound])
            }
            axis.weights.withUnsafeBufferPointer { weights in
                level.functions.pointee.add_rows(
                    window.baseAddress,
                    weights.baseAddress! + result * axis.tapCount + own.lowerBound - start,
                    own.count, count, own.lowerBound > start ? 1 : 0, sums[result % sums.count] + x)
            }
        }
    }

    /// Resamples complete sums along x and passes them on: whole batches, or all at the photo's end.
    private func passOn(sink: any StripSink) throws {
        while let batch = batches.next(complete: complete) {
            let axis = resampling.columns
            // A last batch with fewer rows repeats one.
            let window = (0..<RowBatches.rowCount).map {
                sums[min(batch.lowerBound + $0, batch.upperBound - 1) % sums.count]
            }
            level.functions.pointee.resize_rows(
                window, axis.count, starts, weights.pointer, axis.tapCount,
                (0..<RowBatches.rowCount).map { results[$0] })
            try next.consume(batch, from: self, sink: sink)
        }
    }

    var rowsAtOnce: Int { RowBatches.rowCount }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        let result = results[row - batches.current.lowerBound] + x, functions = level.functions.pointee
        if hasAlpha {
            for channel in floats.channels { channel.update(repeating: 0, count: count) }
            functions.mix(floats, result, mask.pointer, count)
        } else {
            functions.encode(result, count, floats)
        }
        points.run(floats, row: row, x: x, count: count)
    }
}
