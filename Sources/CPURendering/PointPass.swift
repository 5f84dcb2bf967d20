import Filters
import Kernels

/// A group of point stages, ready to run over rows of floats.
struct PointPass {
    private let functions: [(run: kernels_point, arguments: FloatTable)]

    init(_ stages: [PointStage], level: SIMDLevel) {
        functions = stages.enumerated().map { index, stage in
            let point = level.point(stage.kernel)
            return (index == 0 ? point.run_unlimited : point.run, FloatTable(stage.arguments))
        }
    }

    /// True if the group changes nothing.
    var isEmpty: Bool { functions.isEmpty }

    /// Runs the group over `count` pixels, in place. Input and output are limited to 0...1.
    func run(_ rows: kernels_rows, count: Int) {
        for function in functions { function.run(rows, count, function.arguments.pointer) }
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
