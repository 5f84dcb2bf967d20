import Filters
import Imaging
import Kernels

/// One masked blur, row by row: gives its rows to the next step as soon as all that they depend on has come.
final class BlurPass: RowConsumer, RowSource {
    private let blur: MaskedBlur
    private let level: SIMDLevel
    private let width: Int
    private let height: Int
    private let hasAlpha: Bool
    private let sharp: any SharpRows
    private let gaussian: GaussianRows
    private let points: PointPass
    private let next: any RowConsumer

    /// The mask's values along a row; where it changes by row, as many as a run has, all equal.
    private let rowMask: UnsafeMutablePointer<Float>
    private var maskedRow = -1
    private let run: FloatRows
    private var finished = 0
    /// Rows that are handed on together.
    private let batchRows: Int

    /// - Parameters:
    ///   - points: the stages that follow.
    ///   - sharp: makes what keeps so many rows for the pass.
    init(
        _ blur: MaskedBlur, plan: RenderPlan, level: SIMDLevel, points: PointPass, next: any RowConsumer,
        sharp: (_ capacity: Int) throws(OutOfMemory) -> any SharpRows
    ) throws(OutOfMemory) {
        self.blur = blur
        self.level = level
        self.points = points
        self.next = next
        width = plan.geometry.width
        height = plan.geometry.height
        hasAlpha = plan.input.hasAlpha
        batchRows = Self.batchRows(blur.gaussian)
        gaussian = try GaussianRows(
            blur, width: width, height: height, hasAlpha: hasAlpha, level: level, batchRows: batchRows)
        self.sharp = try sharp(batchRows + blur.gaussian.reach + 8)
        run = try FloatRows(count: 1, width: Run.width, hasAlpha: hasAlpha)
        let maskCount = blur.axis == .columns ? width : Run.width
        rowMask = .allocate(capacity: maskCount)
        rowMask.initialize(repeating: 0, count: maskCount)
        if blur.axis == .columns { rowMask.update(from: blur.mask, count: width) }
    }

    deinit { rowMask.deallocate() }

    /// A multiple of every layout's row granularity, and of the blur's factor.
    static func batchRows(_ gaussian: Gaussian) -> Int { max(16, gaussian.factor) }

    func consume(_ rows: Range<Int>, from source: any RowSource, sink: any StripSink) throws {
        for row in rows {
            let isKept = hasAlpha || blur.axis == .columns || blur.mask[row] < 1
            if isKept { sharp.keep(row, of: source) }
            gaussian.push(from: isKept ? sharp : source)
            while finished < height, case let end = min(finished + batchRows, height),
                gaussian.advance(to: end)
            {
                let batch = finished..<end
                finished = end
                try next.consume(batch, from: self, sink: sink)
            }
        }
    }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        mix(row: row, x: x, count: count, into: floats)
        points.run(floats, count: count)
    }

    private func mix(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        let functions = level.functions.pointee
        let share = blur.axis == .rows ? blur.mask[row] : nil
        guard share != 0 else { return sharp.load(row: row, x: x, count: count, into: floats) }
        let blurred = gaussian.blurred(row: row, x: x, count: count, room: run[0])
        if share == 1 && !hasAlpha {
            functions.encode(blurred, count, floats)
        } else {
            sharp.load(row: row, x: x, count: count, into: floats)
            functions.mix(floats, blurred, mask(row: row, x: x), count)
        }
    }

    private func mask(row: Int, x: Int) -> UnsafePointer<Float> {
        guard blur.axis == .rows else { return UnsafePointer(rowMask + x) }
        if row != maskedRow {
            rowMask.update(repeating: blur.mask[row], count: Run.width)
            maskedRow = row
        }
        return UnsafePointer(rowMask)
    }
}
