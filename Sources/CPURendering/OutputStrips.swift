import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// The end of a plan: stores rows of floats as samples, and passes full strips to the sink.
final class OutputStrips: RowConsumer {
    private let plan: RenderPlan
    private let rows: StripRows
    private let strip: Strip
    private let flattens: Bool
    /// Rows that share chroma samples in the output, and a run of each.
    private let blockRows: Int
    private let runs: FloatRows

    init(_ plan: RenderPlan, level: SIMDLevel, stripRows: Int, firstRow: Int) throws(OutOfMemory) {
        self.plan = plan
        rows = StripRows(level: level)
        blockRows = plan.output.subsampling.vertical
        runs = try FloatRows(count: blockRows, width: Run.width, hasAlpha: plan.input.hasAlpha)
        flattens = plan.input.hasAlpha && !plan.output.hasAlpha
        strip = try Strip(layout: plan.output, width: plan.outputGeometry.width, rowCapacity: stripRows)
        strip.firstRow = firstRow
    }

    func consume(_ photoRows: Range<Int>, from source: any RowSource, sink: any StripSink) throws {
        let rowsAtOnce = max(source.rowsAtOnce, blockRows)
        var rest = photoRows
        while !rest.isEmpty {
            let rows = rest.prefix(min(rowsAtOnce, strip.rowCapacity - strip.rowCount))
            store(rows, from: source)
            try advance(by: rows.count, sink: sink)
            rest = rows.upperBound..<rest.upperBound
        }
    }

    /// Stores rows at the end of the strip: all rows of a run before the next run.
    private func store(_ photoRows: Range<Int>, from source: any RowSource) {
        let blocks = stride(from: photoRows.lowerBound, to: photoRows.upperBound, by: blockRows).map { row in
            row..<min(row + blockRows, photoRows.upperBound)
        }.filter { !copySamples(of: $0, from: source) }
        Run.forEach(in: plan.outputGeometry.width) { x, count in
            for block in blocks {
                store(block, at: block.lowerBound - strip.firstRow, x: x, count: count, from: source)
            }
        }
    }

    /// Copies the samples of a block of rows that are only converted to floats and back. False if it must be
    /// stored.
    private func copySamples(of photoRows: Range<Int>, from source: any RowSource) -> Bool {
        guard plan.input == plan.output else { return false }
        let samples = photoRows.compactMap(source.samples(row:))
        guard samples.count == photoRows.count else { return false }
        for index in strip.planes.indices {
            let plane = strip.planes[index]
            for row in stride(from: 0, to: samples.count, by: plane.subsampling.vertical) {
                let kept = samples[row].strip.planes[index].sample(x: 0, pixelRow: samples[row].row)
                plane.sample(x: 0, pixelRow: photoRows.lowerBound + row - strip.firstRow)
                    .copyMemory(from: kept, byteCount: plane.width * plane.bytesPerSample)
            }
        }
        return true
    }

    /// Stores a run of a block of rows at a row of the strip.
    private func store(
        _ photoRows: Range<Int>, at stripRow: Int, x: Int, count: Int, from source: any RowSource
    ) {
        withUnsafeTemporaryAllocation(of: kernels_rows.self, capacity: blockRows) { block in
            for index in 0..<blockRows {
                // Below the photo's last row, that row is repeated.
                block.initializeElement(at: index, to: runs[min(index, photoRows.count - 1)])
                guard index < photoRows.count else { continue }
                source.load(row: photoRows.lowerBound + index, x: x, count: count, into: block[index])
                if flattens { rows.level.functions.pointee.flatten(block[index], count) }
            }
            rows.store(
                UnsafeBufferPointer(block), rowCount: photoRows.count, to: strip, row: stripRow, x: x,
                count: count)
        }
    }

    /// Counts rows as stored. Passes the strip on when it is full or the photo ends.
    func advance(by rowCount: Int, sink: any StripSink) throws {
        strip.rowCount += rowCount
        guard strip.rowCount == strip.rowCapacity || strip.endRow == plan.outputGeometry.height else {
            return
        }
        try sink.write(strip)
        strip.firstRow = strip.endRow
        strip.rowCount = 0
    }
}
