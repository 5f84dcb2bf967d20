import Filters
import Imaging
import Kernels

/// One masked blur, row by row: keeps a window of rows, and blurs a batch whenever the window reaches far
/// enough.
///
/// Rows live in rings: a row's place is its number modulo the ring's size.
final class BlurPass: RowConsumer {
    private let blur: MaskedBlur
    private let level: SIMDLevel
    private let width: Int
    private let height: Int
    private let next: any RowConsumer
    private let pointsBefore: PointPass?

    private let weights: FloatTable
    /// The mask's values along a row.
    private let rowMask: UnsafeMutablePointer<Float>
    private let neededRows: [Bool]
    /// Input rows, sRGB-encoded: from the next row to leave to the last that came.
    private let sharp: FloatRows
    /// Rows blurred along x, linear: `radius` more above the next row to leave.
    private let blurred: FloatRows
    private let linear: FloatRows
    private let result: FloatRows
    private var pushed = 0
    private var finished = 0

    /// Rows that are blurred together, so that a column of them is read from the first-level cache.
    private static let batchRows = 16

    /// - Parameter pointsBefore: point stages to run on rows that come from the blur before this one.
    init(
        _ blur: MaskedBlur, plan: RenderPlan, level: SIMDLevel, pointsBefore: PointPass?,
        next: any RowConsumer
    ) {
        self.blur = blur
        self.level = level
        self.next = next
        self.pointsBefore = pointsBefore
        width = plan.geometry.width
        height = plan.geometry.height
        weights = FloatTable(blur.weights)
        rowMask = .allocate(capacity: width)
        rowMask.initialize(repeating: 0, count: width)
        if blur.axis == .columns { rowMask.update(from: blur.mask, count: width) }
        neededRows = blur.neededRows(height: height)
        let hasAlpha = plan.input.hasAlpha
        sharp = FloatRows(count: blur.radius + Self.batchRows, width: width, hasAlpha: hasAlpha)
        blurred = FloatRows(count: 2 * blur.radius + Self.batchRows, width: width, hasAlpha: hasAlpha)
        linear = FloatRows(count: 1, width: width + 2 * blur.radius, hasAlpha: hasAlpha)
        result = FloatRows(count: Self.batchRows, width: width, hasAlpha: hasAlpha)
    }

    deinit { rowMask.deallocate() }

    func consume(_ rows: [kernels_rows], sink: any StripSink) throws {
        for row in rows {
            try push(sink: sink) { floats in
                row.copy(to: floats, count: self.width)
                self.pointsBefore?.run(floats, count: self.width)
            }
        }
    }

    /// Takes the photo's next row, which `fill` writes, and hands on the batches that are complete with it.
    func push(sink: any StripSink, fill: (kernels_rows) -> Void) throws {
        let row = sharp[pushed % sharp.count]
        fill(row)
        if neededRows[pushed] { blurAlongX(row, into: blurred[pushed % blurred.count]) }
        pushed += 1
        while let count = completeRowCount { try finishBatch(of: count, sink: sink) }
    }

    /// Rows of the next batch, if the window holds all that it depends on.
    private var completeRowCount: Int? {
        let count = min(Self.batchRows, height - finished)
        return count > 0 && pushed >= min(finished + count + blur.radius, height) ? count : nil
    }

    private func blurAlongX(_ row: kernels_rows, into destination: kernels_rows) {
        let functions = level.functions.pointee
        let padded = linear[0], radius = blur.radius
        let inner = kernels_rows(
            red: padded.red + radius, green: padded.green + radius, blue: padded.blue + radius,
            alpha: padded.alpha.map { $0 + radius })
        functions.linearise(row, width, TransferTables.toLinearTable.pointer, inner)
        for (channel, output) in zip(padded.channels, destination.channels) {
            channel.update(repeating: channel[radius], count: radius)
            (channel + radius + width).update(repeating: channel[radius + width - 1], count: radius)
            functions.blur_row(channel + radius, width, weights.pointer, radius, output)
        }
    }

    private func finishBatch(of count: Int, sink: any StripSink) throws {
        for run in maskedRuns(in: finished..<finished + count) { blurAlongY(run) }
        let batch = (finished..<finished + count).map { sharp[$0 % sharp.count] }
        finished += count
        try next.consume(batch, sink: sink)
    }

    /// The parts of `rows` that have any blur.
    private func maskedRuns(in rows: Range<Int>) -> [Range<Int>] {
        guard blur.axis == .rows else { return [rows] }
        var runs: [Range<Int>] = []
        for row in rows where blur.mask[row] > 0 {
            if let last = runs.last, last.upperBound == row {
                runs[runs.count - 1] = last.lowerBound..<row + 1
            } else {
                runs.append(row..<row + 1)
            }
        }
        return runs
    }

    /// Blurs rows along y and mixes them into the sharp ones.
    private func blurAlongY(_ rows: Range<Int>) {
        let functions = level.functions.pointee
        let window = (rows.lowerBound - blur.radius..<rows.upperBound + blur.radius).map { row in
            blurred[min(max(row, 0), height - 1) % blurred.count]
        }
        for channel in 0..<result[0].channels.count {
            let inputs = window.map { UnsafePointer($0.channels[channel]) as UnsafePointer<Float>? }
            let outputs = rows.indices.map {
                result[$0 - rows.lowerBound].channels[channel] as UnsafeMutablePointer?
            }
            functions.blur_columns(inputs, width, weights.pointer, blur.radius, outputs, rows.count)
        }
        for row in rows {
            if blur.axis == .rows { rowMask.update(repeating: blur.mask[row], count: width) }
            functions.mix(
                sharp[row % sharp.count], result[row - rows.lowerBound], rowMask, width,
                TransferTables.toLinearTable.pointer, TransferTables.fromLinearTable.pointer)
        }
    }
}
