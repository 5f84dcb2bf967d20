import TintypeImaging
import TintypeKernels
import TintypeStages

/// Gives a photo's rows as planar floats, a run of pixels at a time.
protocol RowSource: AnyObject {
    /// The number of rows of which to load one run before the next run. Above 1 if these rows share work.
    var rowsAtOnce: Int { get }

    /// - Parameters:
    ///   - row: a row of the photo that the source has.
    ///   - x: a multiple of `Run.width`.
    ///   - count: pixels, at most `Run.width`.
    func load(row: Int, x: Int, count: Int, into rows: kernels_rows)

    /// The samples of a row that `load` only converts; nil for other rows.
    ///
    /// - Returns: a strip in the photo's layout, and a row of it. All rows that share chroma samples have an
    ///   own copy of them.
    func samples(row: Int) -> (strip: Strip, row: Int)?
}

extension RowSource {
    var rowsAtOnce: Int { 1 }
    func samples(row: Int) -> (strip: Strip, row: Int)? { nil }
}

/// Takes a photo's rows, in order.
protocol RowConsumer: AnyObject {
    /// - Parameters:
    ///   - rows: rows of the photo, which `source` has until the call returns. Their number is a multiple of
    ///     the layouts' row granularity, except in the last call.
    func consume(_ rows: Range<Int>, from source: any RowSource, sink: any StripSink) throws
}

/// Runs of pixels: the unit in which a group of stages works.
enum Run {
    /// Four rows of three channels of this width fit in 32 KiB, the first-level cache.
    static let width = 512

    static func forEach(in width: Int, _ body: (_ x: Int, _ count: Int) throws -> Void) rethrows {
        for x in stride(from: 0, to: width, by: Self.width) { try body(x, min(Self.width, width - x)) }
    }
}

/// A strip's rows as floats, after the first point stages.
final class LoadedRows: RowSource {
    /// The strip to load from; set it whenever its rows have changed.
    var strip: Strip {
        didSet { firstRow = strip.firstRow }
    }
    private var firstRow: Int
    private let rows: StripRows
    private let points: PointPass

    init(_ strip: Strip, points: PointPass, level: SIMDLevel) {
        self.strip = strip
        firstRow = strip.firstRow
        self.points = points
        rows = StripRows(level: level)
    }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        load(strip, stripRow: row - firstRow, row: row, x: x, count: count, into: floats)
    }

    /// True if a row's floats are its samples.
    var onlyConverts: Bool { points.isEmpty }

    /// The same from another strip, which has the row as its row `stripRow`.
    func load(_ strip: Strip, stripRow: Int, row: Int, x: Int, count: Int, into floats: kernels_rows) {
        rows.load(strip, row: stripRow, x: x, count: count, into: floats)
        points.run(floats, row: row, x: x, count: count)
    }
}
