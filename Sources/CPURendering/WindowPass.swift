import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// A function of a window of pixels, row by row. A batch is passed on as soon as the rows below it that it reads have
/// arrived.
final class WindowPass: RowConsumer, RowSource {
    private let function: kernels_named_window
    private let arguments: FloatTable
    private let radius: Int
    private let view: kernels_view
    private let photo: PhotoGeometry
    private let points: PointPass
    private let next: any RowConsumer
    /// Rows of the photo: a ring, by row. Edge pixels are repeated in the margins.
    private let kept: FloatRows
    private var batches: RowBatches

    /// Floats before and after each kept row, at least the radius. Whole cache lines keep runs aligned.
    private static let margin = 16

    /// - Parameter points: the stages after this one.
    /// - Throws: `OutOfMemory`, `DeviceError.invalidStage`.
    init(
        _ function: PointStage, radius: Int, photo: PhotoGeometry, hasAlpha: Bool, level: SIMDLevel,
        points: PointPass, next: any RowConsumer
    ) throws {
        do throws(PointKernelError) {
            self.function = try level.window(function.kernel)
            arguments = FloatTable(try function.floats())
        } catch {
            throw DeviceError.invalidStage(error)
        }
        self.radius = radius
        self.photo = photo
        self.points = points
        self.next = next
        view = kernels_view(photo)
        batches = RowBatches(height: photo.height)
        kept = try FloatRows(
            count: Self.keptRows(radius: radius), width: photo.width + 2 * Self.margin, hasAlpha: hasAlpha)
    }

    /// The rows of a batch, those around it, and those that arrive at once.
    private static func keptRows(radius: Int) -> Int { 2 * RowBatches.rowCount + 2 * radius }

    /// Bytes of the rows that a pass keeps.
    static func memoryByteCount(radius: Int, width: Int, hasAlpha: Bool) -> Int {
        FloatRowsShape(count: keptRows(radius: radius), width: width + 2 * margin, hasAlpha: hasAlpha)
            .byteCount
    }

    func consume(_ arrived: Range<Int>, from source: any RowSource, sink: any StripSink) throws {
        for group in arrived.groups(of: min(source.rowsAtOnce, RowBatches.rowCount)) {
            keep(group, from: source)
            let isLast = group.upperBound == photo.height
            let complete = isLast ? photo.height : max(group.upperBound - radius, 0)
            while let batch = batches.next(complete: complete) {
                try next.consume(batch, from: self, sink: sink)
            }
        }
    }

    private func keep(_ group: Range<Int>, from source: any RowSource) {
        Run.forEach(in: photo.width) { x, count in
            for row in group { source.load(row: row, x: x, count: count, into: keptRow(row) + x) }
        }
        for channel in group.flatMap({ keptRow($0).channels }) {
            for distance in 1...radius {
                channel[-distance] = channel[0]
                channel[photo.width - 1 + distance] = channel[photo.width - 1]
            }
        }
    }

    private func keptRow(_ row: Int) -> kernels_rows { kept[row % kept.count] + Self.margin }

    var rowsAtOnce: Int { RowBatches.rowCount }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        withUnsafeTemporaryAllocation(of: kernels_rows.self, capacity: 2 * radius + 1) { window in
            for index in window.indices {
                let place = min(max(row + index - radius, 0), photo.height - 1)
                window.initializeElement(at: index, to: keptRow(place) + x)
            }
            withUnsafePointer(to: view) { view in
                function.run(
                    window.baseAddress! + radius, count, arguments.pointer, view, Int32(x), Int32(row), floats
                )
            }
            if let alpha = floats.alpha, let own = window[radius].alpha {
                alpha.update(from: own, count: count)
            }
        }
        points.run(floats, row: row, x: x, count: count)
    }
}
