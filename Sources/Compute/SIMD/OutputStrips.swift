import Filters
import Imaging
import Kernels

/// Takes filtered rows of floats, in order; the next step of a plan after a blur.
protocol RowConsumer: AnyObject {
    /// - Parameter rows: whole rows, which the consumer may change. All batches but the photo's last have an
    ///   equal number of rows, a multiple of 16.
    func consume(_ rows: [kernels_rows], sink: any StripSink) throws
}

/// The end of a plan: runs the last point stages, turns floats into samples, and hands full strips to the
/// sink.
final class OutputStrips: RowConsumer {
    /// Rows that share chroma samples in the output.
    let blockRows: Int
    private let plan: RenderPlan
    private let lastPoints: PointPass
    private let rows: StripRows
    private let flattens: Bool
    private let strip: Strip

    init(_ plan: RenderPlan, lastPoints: PointPass, level: SIMDLevel, stripRows: Int) {
        self.plan = plan
        self.lastPoints = lastPoints
        rows = StripRows(level: level)
        blockRows = max(plan.input.subsampling.vertical, plan.output.subsampling.vertical)
        flattens = plan.input.hasAlpha && !plan.output.hasAlpha
        strip = Strip(layout: plan.output, width: plan.geometry.width, rowCapacity: stripRows)
    }

    func consume(_ batch: [kernels_rows], sink: any StripSink) throws {
        for row in stride(from: 0, to: batch.count, by: blockRows) {
            let rowCount = min(blockRows, batch.count - row)
            add(rowCount: rowCount, x: 0, count: plan.geometry.width) { batch[row + $0] }
            try advance(by: rowCount, sink: sink)
        }
    }

    /// Finishes a run of pixels, `rowCount` rows high, and stores it at the strip's end.
    ///
    /// - Parameter floats: gives the rows, by index.
    func add(rowCount: Int, x: Int, count: Int, floats: (Int) -> kernels_rows) {
        withUnsafeTemporaryAllocation(of: kernels_rows.self, capacity: blockRows) { block in
            for index in 0..<blockRows {
                // Below the photo's last row, that row counts again.
                block.initializeElement(at: index, to: floats(min(index, rowCount - 1)))
                guard index < rowCount else { continue }
                lastPoints.run(block[index], count: count)
                if flattens { rows.level.functions.pointee.flatten(block[index], count) }
            }
            let height = plan.output.subsampling.vertical
            for row in stride(from: 0, to: rowCount, by: height) {
                rows.store(
                    UnsafeBufferPointer(rebasing: block[row..<row + height]),
                    rowCount: min(height, rowCount - row),
                    to: strip, row: strip.rowCount + row, x: x, count: count)
            }
        }
    }

    /// Counts rows as stored; hands the strip on when it is full or the photo ends.
    func advance(by rowCount: Int, sink: any StripSink) throws {
        strip.rowCount += rowCount
        guard strip.rowCount == strip.rowCapacity || strip.endRow == plan.geometry.height else { return }
        try sink.write(strip)
        strip.firstRow = strip.endRow
        strip.rowCount = 0
    }
}
