import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// One masked blur, row by row. It passes a batch of rows on as soon as all rows in the batch's support have
/// arrived.
final class BlurPass: RowConsumer, RowSource {
    private let blur: MaskedBlur
    private let level: SIMDLevel
    private let width: Int
    private let height: Int
    private let hasAlpha: Bool
    private let sharp: any SharpRows
    private let parts: [GaussianRows]
    /// The rows or columns of each part, as maximal ranges.
    private let ownPlaces: [[Range<Int>]]
    /// The index of each row's part, if the mask changes by row; 0 for sharp rows.
    private let partOfRow: [UInt8]
    private let blend: Blend?
    private let points: PointPass
    private let next: any RowConsumer

    /// The mask's values along a row. If the mask changes by row: `Run.width` equal values.
    private let rowMask: UnsafeMutablePointer<Float>
    private var maskedRow = -1
    private let run, partRun: FloatRows
    /// The next batch: its rows, the parts that blur some of them, and the number of photo rows that it
    /// needs.
    private var batch: (rows: Range<Int>, parts: [GaussianRows], needed: Int) = (0..<0, [], 0)

    /// A function that makes the result of photo and blur.
    private struct Blend {
        let function: kernels_named_blend
        let arguments: FloatTable
        let view: kernels_view

        init(_ stage: PointStage, photo: PhotoGeometry, level: SIMDLevel) throws(PointKernelError) {
            function = try level.blend(stage.kernel)
            arguments = FloatTable(try stage.floats())
            view = kernels_view(photo)
        }
    }

    /// - Parameters:
    ///   - points: the stages after this blur.
    ///   - sharp: makes the ring that keeps `capacity` sharp rows for this pass.
    init(
        _ blur: MaskedBlur, photo: PhotoGeometry, hasAlpha: Bool, level: SIMDLevel, points: PointPass,
        next: any RowConsumer,
        sharp: (_ capacity: Int) throws(OutOfMemory) -> any SharpRows
    ) throws {
        do throws(PointKernelError) {
            blend = try blur.blend.map { (stage) throws(PointKernelError) in
                try Blend(stage, photo: photo, level: level)
            }
        } catch {
            throw DeviceError.invalidStage(error)
        }
        self.blur = blur
        self.level = level
        self.points = points
        self.next = next
        width = photo.width
        height = photo.height
        self.hasAlpha = hasAlpha
        parts = try blur.parts.map { (part) throws(OutOfMemory) in
            try GaussianRows(
                part, axis: blur.axis, width: photo.width, height: photo.height, hasAlpha: hasAlpha,
                level: level, batchRows: RowBatches.rowCount)
        }
        ownPlaces = blur.parts.map { part in part.mask.indices.runs { part.mask[$0] != 0 } }
        partOfRow = Self.partOfRow(blur)
        self.sharp = try sharp(Self.keptRows(blur, height: photo.height))
        run = try FloatRows(count: 1, width: Run.width, hasAlpha: hasAlpha)
        partRun = try FloatRows(count: 1, width: Run.width, hasAlpha: hasAlpha)
        let maskCount = blur.axis == .columns ? width : Run.width
        rowMask = .allocate(capacity: maskCount)
        rowMask.initialize(repeating: 0, count: maskCount)
        if blur.axis == .columns { rowMask.update(from: blur.mask, count: width) }
        batch = nextBatch()
    }

    deinit { rowMask.deallocate() }

    /// Sharp rows that wait for their blur. With several parts, a part reads them from there when its rows
    /// are due.
    static func keptRows(_ blur: MaskedBlur, height: Int) -> Int {
        let ahead = RowBatches.rowCount + blur.support + 8
        return min(blur.parts.count > 1 ? 2 * ahead : ahead, height)
    }

    func consume(_ rows: Range<Int>, from source: any RowSource, sink: any StripSink) throws {
        for row in rows {
            let isKept =
                parts.count > 1 || hasAlpha || blur.axis == .columns || blur.mask[row] < 1 || blend != nil
            if isKept { sharp.keep(row, of: source) }
            if parts.count == 1 { parts[0].push(from: isKept ? sharp : source) }
            while !batch.rows.isEmpty, batch.needed <= row + 1 {
                for part in batch.parts {
                    let needed = part.rowsNeeded(for: batch.rows)
                    while part.pushed < needed { part.push(from: sharp) }
                    part.advance(to: batch.rows.upperBound)
                }
                try next.consume(batch.rows, from: self, sink: sink)
                batch = nextBatch()
            }
        }
    }

    private func nextBatch() -> (rows: Range<Int>, parts: [GaussianRows], needed: Int) {
        let first = batch.rows.upperBound
        let rows = first..<min(first + RowBatches.rowCount, height)
        guard !rows.isEmpty else { return (rows, [], 0) }
        let due = zip(parts, ownPlaces).filter { _, own in
            parts.count == 1 || blur.axis == .columns || own.contains { $0.overlaps(rows) }
        }.map(\.0)
        return (rows, due, due.map { $0.rowsNeeded(for: rows) }.reduce(rows.upperBound, max))
    }

    var rowsAtOnce: Int { RowBatches.rowCount }

    func samples(row: Int) -> (strip: Strip, row: Int)? {
        guard blur.axis == .rows, blur.mask[row] == 0, points.isEmpty else { return nil }
        return sharp.samples(row: row)
    }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        mix(row: row, x: x, count: count, into: floats)
        points.run(floats, row: row, x: x, count: count)
    }

    private func mix(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        let functions = level.functions.pointee
        let share = blur.axis == .rows ? blur.mask[row] : nil
        guard share != 0 else { return sharp.load(row: row, x: x, count: count, into: floats) }
        let blurred = blurred(row: row, x: x, count: count)
        if let blend {
            sharp.load(row: row, x: x, count: count, into: floats)
            withUnsafePointer(to: blend.view) { view in
                blend.function.run(
                    floats, blurred, count, blend.arguments.pointer, view, Int32(x), Int32(row))
            }
            return
        }
        if share == 1 && !hasAlpha {
            functions.encode(blurred, count, floats)
        } else {
            sharp.load(row: row, x: x, count: count, into: floats)
            functions.mix(floats, blurred, mask(row: row, x: x), count)
        }
    }

    private static func partOfRow(_ blur: MaskedBlur) -> [UInt8] {
        guard blur.axis == .rows else { return [] }
        return blur.mask.indices.map { row in
            UInt8(blur.parts.firstIndex { $0.mask[row] != 0 } ?? 0)
        }
    }

    /// A run of the blurred row. If the mask changes by column, several parts contribute.
    private func blurred(row: Int, x: Int, count: Int) -> kernels_rows {
        if blur.axis == .rows {
            return parts[Int(partOfRow[row])].blurred(row: row, x: x, count: count, to: run[0])
        }
        if parts.count == 1 { return parts[0].blurred(row: row, x: x, count: count, to: run[0]) }
        for (part, own) in zip(parts, ownPlaces) {
            let columns = own.map { $0.clamped(to: x..<x + count) }.filter { !$0.isEmpty }
            guard !columns.isEmpty else { continue }
            let blurred = part.blurred(row: row, x: x, count: count, to: partRun[0])
            for columns in columns {
                (blurred + (columns.lowerBound - x)).copy(
                    to: run[0] + (columns.lowerBound - x), count: columns.count)
            }
        }
        return run[0]
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

extension Range<Int> {
    /// The maximal subranges whose elements all satisfy `predicate`.
    func runs(where predicate: (Int) -> Bool) -> [Range<Int>] {
        var runs: [Range<Int>] = []
        for element in self where predicate(element) {
            if let last = runs.last, last.upperBound == element {
                runs[runs.count - 1] = last.lowerBound..<element + 1
            } else {
                runs.append(element..<element + 1)
            }
        }
        return runs
    }
}
