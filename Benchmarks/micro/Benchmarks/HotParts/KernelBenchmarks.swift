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
    private static let run = 512, radius = 32, batch = 16

    private let level: kernels_level
    private let sepia: kernels_point, noir: kernels_point
    private let samples: UnsafeMutablePointer<UInt8>
    private let floats: UnsafeMutablePointer<Float>
    /// Stands in for all tables, masks and weights: what they hold does not change the time.
    private let table: UnsafeMutablePointer<Float>
    private let sharp: kernels_rows, other: kernels_rows

    var levelName: String { String(cString: level.name) }

    init(_ level: kernels_level) {
        self.level = level
        sepia = Self.point("sepia", of: level)
        noir = Self.point("noir", of: level)
        samples = .allocate(capacity: 6 * Self.run)
        floats = .allocate(capacity: 128 * Self.run)
        table = .allocate(capacity: 4096)
        for index in 0..<6 * Self.run { samples[index] = UInt8(truncatingIfNeeded: index &* 167) }
        for index in 0..<128 * Self.run { floats[index] = Float(index % 251) / 250 }
        for index in 0..<4096 { table[index] = min(1, Float(index) / 1024) }
        let base = floats
        func rows(_ index: Int) -> kernels_rows {
            let red = base + index * 4 * Self.run
            return kernels_rows(red: red, green: red + Self.run, blue: red + 2 * Self.run, alpha: nil)
        }
        sharp = rows(0)
        other = rows(1)
    }

    deinit {
        samples.deallocate()
        floats.deallocate()
        table.deallocate()
    }

    /// Each kernel's name, and one call of it.
    static let calls: [(name: String, body: @Sendable (KernelRows) -> Void)] = [
        ("load_ycc", { $0.load() }), ("sepia", { $0.sepia($0.sharp, run, $0.table + 820) }),
        ("noir", { $0.noir($0.sharp, run, $0.table) }), ("store_luma and store_chroma", { $0.store() }),
        ("linearise", { $0.level.linearise($0.sharp, run, $0.table, $0.other) }),
        ("mix", { $0.level.mix($0.sharp, $0.other, $0.table, run, $0.table, $0.table) }),
        ("blur_row, radius 32", { $0.blurRow() }), ("blur_columns, radius 32, 16 rows", { $0.blurColumns() }),
    ]

    private static func point(_ name: String, of level: kernels_level) -> kernels_point {
        var entry = level.points
        while let current = entry, let found = current.pointee.name, let run = current.pointee.run {
            if String(cString: found) == name { return run }
            entry = current + 1
        }
        preconditionFailure("there is no kernel \(name)")
    }

    private func load() {
        level.load_ycc(samples, samples + Self.run, samples + 2 * Self.run, 2, Self.run, sharp)
    }

    private func store() {
        level.store_luma(sharp, Self.run, samples + 3 * Self.run)
        level.store_luma(other, Self.run, samples + 4 * Self.run)
        level.store_chroma(
            [sharp, other], 2, 2, Self.run, samples + 5 * Self.run, samples + 5 * Self.run + Self.run / 2)
    }

    private func blurRow() {
        level.blur_row(floats + 9 * Self.run, Self.run, table, Self.radius, floats + 12 * Self.run)
    }

    private func blurColumns() {
        let inputs = (0..<Self.batch + 2 * Self.radius).map { row in
            UnsafePointer(floats + (13 + row) * Self.run) as UnsafePointer<Float>?
        }
        let outputs = (0..<Self.batch).map { row in
            floats + (100 + row) * Self.run as UnsafeMutablePointer<Float>?
        }
        level.blur_columns(inputs, Self.run, table, Self.radius, outputs, Self.batch)
    }
}
