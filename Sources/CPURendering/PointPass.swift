import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// A group of point stages, ready to run over rows of floats.
struct PointPass {
    /// It has no references, because counting them for each run takes 2 % of a chain's time.
    private struct Function {
        let point: kernels_named_point
        /// Of one of `tables`.
        let arguments: UnsafePointer<Float>
        /// The columns and rows of the photo that it changes; nil is all of them.
        let area: (columns: Range<Int>, rows: Range<Int>)?

        func changes(_ columns: Range<Int>, of row: Int) -> Bool {
            area.map { $0.rows.contains(row) && $0.columns.overlaps(columns) } ?? true
        }
    }

    private let functions: [Function]
    /// Kept for the functions.
    private let tables: [FloatTable]
    private let view: kernels_view
    private let level: SIMDLevel

    /// - Throws: `DeviceError.invalidStage`.
    init(_ stages: [PointStage], photo: PhotoGeometry, level: SIMDLevel) throws(DeviceError) {
        view = kernels_view(photo)
        self.level = level
        do throws(PointKernelError) {
            let arguments = try stages.map { (stage) throws(PointKernelError) in try stage.floats() }
            tables = arguments.map { FloatTable($0) }
            functions = try zip(stages, zip(arguments, tables)).map {
                (stage, given) throws(PointKernelError) in
                Function(
                    point: try level.point(stage.kernel, with: given.0), arguments: given.1.pointer,
                    area: stage.area?.stored(in: photo))
            }
        } catch {
            throw .invalidStage(error)
        }
    }

    /// True if the group changes nothing.
    var isEmpty: Bool { functions.isEmpty }

    /// Runs the group over `count` pixels of the photo from (x, row) on, in place. Input and output are limited to
    /// 0...1.
    func run(_ rows: kernels_rows, row: Int, x: Int, count: Int) {
        guard !functions.isEmpty else { return }
        var isLimited = false
        withUnsafePointer(to: view) { view in
            for function in functions where function.changes(x..<x + count, of: row) {
                let run = isLimited ? function.point.run : function.point.run_unlimited
                run?(rows, count, function.arguments, view, Int32(x), Int32(row))
                isLimited = true
            }
        }
        if !isLimited { level.functions.pointee.limit(rows, count) }
    }
}

/// A table of floats at a fixed address.
// @unchecked: never written after init.
final class FloatTable: @unchecked Sendable {
    let pointer: UnsafePointer<Float>
    let count: Int

    init(_ values: [Float]) {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: max(values.count, 1))
        memory.initialize(from: values, count: values.count)
        pointer = UnsafePointer(memory)
        count = values.count
    }

    deinit { pointer.deallocate() }
}
