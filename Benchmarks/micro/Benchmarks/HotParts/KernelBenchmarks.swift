import Benchmark
import TintypeKernels

/// The row kernels on one core, alone and as point chains, at every instruction-set level that this machine has.
enum KernelBenchmarks {
    private static let speed = BenchmarkMetric.custom(
        "MP/s", polarity: .prefersLarger, useScalingFactor: false)

    static func register() {
        var count = 0
        guard let table = kernels_levels(&count) else { return }
        for case let level? in (0..<count).map({ table[$0] }) where level.pointee.is_supported() != 0 {
            register(KernelRows(level.pointee))
        }
    }

    private static func register(_ rows: KernelRows) {
        for (name, rowCount, body) in KernelRows.calls {
            let configuration = Benchmark.Configuration(metrics: [.wallClock, speed], scalingFactor: .kilo)
            Benchmark("\(rows.levelName), \(name)", configuration: configuration) { benchmark in
                let duration = ContinuousClock().measure {
                    for _ in benchmark.scaledIterations { body(rows) }
                }
                let pixels = Double(benchmark.scaledIterations.count * rowCount * KernelRows.run)
                benchmark.measurement(speed, Int(pixels / 1e6 / (duration / .seconds(1))))
            }
        }
    }
}

/// Rows of 512 pixels, the run that the renderer works on, and the kernels over them.
// @unchecked: benchmarks run one after the other, on one thread at a time.
final class KernelRows: @unchecked Sendable {
    static let run = 512
    private static let radius = 12, batch = 16, factor = 4
    /// More than any filter's table has.
    private static let tableCount = 2048
    /// Floats of a channel's row, with room for what kernels read past a run, an odd number of cache lines.
    private static let stride = run + 17 * 16
    /// Room for the inputs and outputs of a blur along y.
    private static let rowCount = 2 * (batch + radius)

    private let level: kernels_level
    private let sepiaKernel: kernels_named_point, noirKernel: kernels_named_point
    private let samples: UnsafeMutablePointer<UInt8>
    private let floats: UnsafeMutablePointer<Float>
    /// Stands in for all arguments, masks and weights: what they hold does not change the time.
    private let table: UnsafeMutablePointer<Float>
    private var view = kernels_view(
        left: 0, top: 0, x_by_column: 1, x_by_row: 0, y_by_column: 0, y_by_row: 1, width: 512, height: 2)

    var levelName: String { String(cString: level.name) }

    init(_ level: kernels_level) {
        self.level = level
        sepiaKernel = Self.point("sepia", of: level)
        noirKernel = Self.point("noir", of: level)
        samples = .allocate(capacity: 6 * Self.run)
        let memory = UnsafeMutableRawPointer.allocate(
            byteCount: 3 * Self.stride * Self.rowCount * MemoryLayout<Float>.stride, alignment: 64)
        floats = memory.bindMemory(to: Float.self, capacity: 3 * Self.stride * Self.rowCount)
        table = .allocate(capacity: Self.tableCount)
        for index in 0..<6 * Self.run { samples[index] = UInt8(truncatingIfNeeded: index &* 167) }
        // Never 0: mixing again and again would come near it by ever smaller steps, which are slow to compute with.
        for index in 0..<3 * Self.stride * Self.rowCount { floats[index] = Float(index % 251 + 1) / 251 }
        table.initialize(repeating: 1 / Float(2 * Self.radius + 1), count: Self.tableCount)
    }

    deinit {
        samples.deallocate()
        UnsafeMutableRawPointer(floats).deallocate()
        table.deallocate()
    }

    /// Each kernel's name, the rows of an output that one call makes, and the call.
    static let calls: [(name: String, rowCount: Int, body: @Sendable (KernelRows) -> Void)] = [
        ("4:2:0 planes, sepia, planes", 2, { $0.chain { $0.sepia(unlimited: true) } }),
        (
            "4:2:0 planes, sepia, noir, sepia, planes", 2,
            {
                $0.chain {
                    $0.sepia(unlimited: true)
                    $0.noir()
                    $0.sepia()
                }
            }
        ),
        ("load_ycc", 2, { $0.load() }), ("store_luma and store_chroma", 2, { $0.store() }),
        ("sepia", 2, { $0.sepia() }), ("sepia, limiting", 2, { $0.sepia(unlimited: true) }),
        ("noir", 2, { $0.noir() }),
        ("linearise", 1, { $0.level.linearise($0.rows(0), run, $0.rows(1)) }),
        ("encode", 1, { $0.level.encode($0.rows(1), run, $0.rows(0)) }),
        ("mix", 1, { $0.level.mix($0.rows(0), $0.rows(1), $0.table, run) }),
        (
            "downsample_row by 4", 1,
            { $0.level.downsample_row($0.rows(1), run / factor, factor, $0.table, $0.rows(2)) }
        ),
        ("upsample_row by 4", 1, { $0.level.upsample_row($0.rows(1), run, factor, $0.table, $0.rows(2)) }),
        ("blur_row, radius 12", 1, { $0.blurRow() }),
        ("blur_columns, radius 12, 16 rows", batch, { $0.blurColumns() }),
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

    /// Two rows of pixels, which share a row of chroma.
    private func load() {
        for row in 0..<2 { level.load_ycc(samples + row * Self.run, chroma, chroma, 2, Self.run, rows(row)) }
    }

    private func store() {
        for row in 0..<2 { level.store_luma(rows(row), Self.run, samples + (3 + row) * Self.run) }
        level.store_chroma([rows(0), rows(1)], 2, 2, Self.run, chromaResult, chromaResult + Self.run / 2)
    }

    private func sepia(unlimited: Bool = false) {
        let call: kernels_point = unlimited ? sepiaKernel.run_unlimited : sepiaKernel.run
        for row in 0..<2 { call(rows(row), Self.run, table, &view, 0, Int32(row)) }
    }

    private func noir() {
        for row in 0..<2 { noirKernel.run(rows(row), Self.run, table, &view, 0, Int32(row)) }
    }

    private func chain(_ filters: (KernelRows) -> Void) {
        load()
        filters(self)
        store()
    }

    private var chroma: UnsafeMutablePointer<UInt8> { samples + 2 * Self.run }
    private var chromaResult: UnsafeMutablePointer<UInt8> { samples + 5 * Self.run }

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
