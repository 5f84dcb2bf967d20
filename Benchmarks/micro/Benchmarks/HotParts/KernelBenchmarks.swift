import Benchmark
import Kernels

/// The row kernels, alone, at every instruction-set level that this machine has.
enum KernelBenchmarks {
    static func register() {
        var count = 0
        guard let table = kernels_levels(&count) else { return }
        for case let level? in (0..<count).map({ table[$0] }) where level.pointee.is_supported() != 0 {
            register(KernelRows(level.pointee))
        }
    }

    private static func register(_ rows: KernelRows) {
        for (name, body) in KernelRows.calls {
            Benchmark("\(rows.levelName), \(name)", configuration: .init(scalingFactor: .kilo)) { benchmark in
                for _ in benchmark.scaledIterations { body(rows) }
            }
        }
    }
}

/// Rows of 512 pixels, the run that the renderer works on, and the kernels over them.
// @unchecked: benchmarks run one after the other, on one thread at a time.
final class KernelRows: @unchecked Sendable {
    private static let run = 512, radius = 12, batch = 16, factor = 4
    /// Floats of a channel's row, with room for what kernels read past a run, an odd number of cache lines.
    private static let stride = run + 17 * 16
    /// Room for the inputs and outputs of a blur along y.
    private static let rowCount = 2 * (batch + radius)

    private let level: kernels_level
    private let sepia: kernels_named_point, noir: kernels_named_point
    private let samples: UnsafeMutablePointer<UInt8>
    private let floats: UnsafeMutablePointer<Float>
    /// Stands in for all arguments, masks and weights: what they hold does not change the time.
    private let table: UnsafeMutablePointer<Float>

    var levelName: String { String(cString: level.name) }

    init(_ level: kernels_level) {
        self.level = level
        sepia = Self.point("sepia", of: level)
        noir = Self.point("noir", of: level)
        samples = .allocate(capacity: 6 * Self.run)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: 3 * Self.stride * Self.rowCount * MemoryLayout<Float>.stride, alignment: 64)
        floats = memory.bindMemory(to: Float.self, capacity: 3 * Self.stride * Self.rowCount)
        table = .allocate(capacity: Self.run)
        for index in 0..<6 * Self.run { samples[index] = UInt8(truncatingIfNeeded: index &* 167) }
        for index in 0..<3 * Self.stride * Self.rowCount { floats[index] = Float(index % 251) / 250 }
        table.initialize(repeating: 1 / Float(2 * Self.radius + 1), count: Self.run)
    }

    deinit {
        samples.deallocate()
        UnsafeMutableRawPointer(floats).deallocate()
        table.deallocate()
    }

    /// Each kernel's name, and one call of it.
    static let calls: [(name: String, body: @Sendable (KernelRows) -> Void)] = [
        ("load_ycc", { $0.load() }), ("store_luma and store_chroma", { $0.store() }),
        ("sepia", { $0.sepia.run($0.rows(0), run, $0.table) }),
        ("sepia, limiting", { $0.sepia.run_unlimited($0.rows(0), run, $0.table) }),
        ("noir", { $0.noir.run($0.rows(0), run, $0.table) }),
        ("linearise", { $0.level.linearise($0.rows(0), run, $0.rows(1)) }),
        ("encode", { $0.level.encode($0.rows(1), run, $0.rows(0)) }),
        ("mix", { $0.level.mix($0.rows(0), $0.rows(1), $0.table, run) }),
        ("shrink_row by 4", { $0.level.shrink_row($0.rows(1), run / factor, factor, $0.table, $0.rows(2)) }),
        ("widen_row by 4", { $0.level.widen_row($0.rows(1), run, factor, $0.table, $0.rows(2)) }),
        ("blur_row, radius 12", { $0.blurRow() }),
        ("blur_columns, radius 12, 16 rows", { $0.blurColumns() }),
    ]

    private static func point(_ name: String, of level: kernels_level) -> kernels_named_point {
        var entry = level.points
        while let current = entry, let found = current.pointee.name {
            if String(cString: found) == name { return current.pointee }
            entry = current + 1
        }
        preconditionFailure("there is no kernel \(name)")
    }

    private func rows(_ index: Int) -> kernels_rows {
        let red = floats + 3 * Self.stride * index
        return kernels_rows(red: red, green: red + Self.stride, blue: red + 2 * Self.stride, alpha: nil)
    }

    private func load() {
        level.load_ycc(samples, samples + Self.run, samples + 2 * Self.run, 2, Self.run, rows(0))
    }

    private func store() {
        level.store_luma(rows(0), Self.run, samples + 3 * Self.run)
        level.store_luma(rows(1), Self.run, samples + 4 * Self.run)
        level.store_chroma(
            [rows(0), rows(1)], 2, 2, Self.run, samples + 5 * Self.run, samples + 5 * Self.run + Self.run / 2)
    }

    private var weights: kernels_weights {
        kernels_weights(values: table, stride: 1, radius: Int32(Self.radius), radii: nil)
    }

    private func blurRow() {
        withUnsafePointer(to: weights) { level.blur_row(rows(1) + Self.radius, Self.run, $0, rows(2)) }
    }

    private func blurColumns() {
        let inputCount = Self.batch + 2 * Self.radius
        let inputs = (0..<inputCount).map(rows), outputs = (0..<Self.batch).map { rows(inputCount + $0) }
        let weights = Array(repeating: weights, count: Self.batch)
        level.blur_columns(inputs, Self.run, weights, Self.radius, outputs, Self.batch)
    }
}

extension kernels_rows {
    fileprivate static func + (rows: kernels_rows, x: Int) -> kernels_rows {
        kernels_rows(red: rows.red + x, green: rows.green + x, blue: rows.blue + x, alpha: nil)
    }
}
