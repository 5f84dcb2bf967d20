import TintypeImaging
import TintypeRendering

/// Renders rows of a photo on the CPU while a device renders the photo, and compares both results.
///
/// It keeps a hash of each row, no pixels.
package final class RenderComparison {
    private let plan: RenderPlan
    private let rows: Range<Int>
    private let expected: RowHashes
    private let given: RowHashes
    /// Made with the first strip.
    private var renderer: SIMDRenderer?

    /// - Parameters:
    ///   - rows: of the result. If they are not all, the plan has point stages alone, and the first row is a multiple of
    ///     the plan's row granularity.
    package init(_ plan: RenderPlan, rows: Range<Int>) {
        self.plan = plan
        self.rows = rows
        expected = RowHashes(plan, rows)
        given = RowHashes(plan, rows)
    }

    /// A source that shows the comparison each strip that is read.
    package func watching(_ source: any StripSource) -> any StripSource {
        WatchedSource(source) { [self] strip in try PhotoPhase.host.measure { try render(strip) } }
    }

    /// A sink that shows the comparison each strip that is written.
    package func watching(_ sink: any StripSink) -> any StripSink { WatchedSink(sink, given) }

    /// The first row of the result that the device has rendered differently; nil if there is none.
    package var firstDifference: Int? { given.firstDifference(from: expected) }
    /// The same of a photo that was not rendered to its end: rows that have come from one side only are not compared.
    package var firstDifferenceSoFar: Int? {
        given.firstDifference(from: expected) { $0 != RowHashes.none && $1 != RowHashes.none }
    }

    private var isWhole: Bool { rows.count == plan.outputGeometry.height }

    private func render(_ strip: Strip) throws {
        if isWhole { return try consume(strip) }
        let shared = (strip.firstRow..<strip.endRow).clamped(to: rows)
        guard !shared.isEmpty else { return }
        let part = strip.window(
            atRow: shared.lowerBound - strip.firstRow,
            rowCapacity: shared.count.roundedUp(toMultipleOf: plan.input.rowGranularity(width: strip.width)))
        part.firstRow = shared.lowerBound
        part.rowCount = shared.count
        try consume(part)
    }

    private func consume(_ strip: Strip) throws {
        let renderer: SIMDRenderer
        if let made = self.renderer {
            renderer = made
        } else {
            renderer = try SIMDRenderer(
                [RenderOutput(plan, to: expected)], input: strip, level: .best,
                stripRows: isWhole
                    ? plan.usualStripRows : rows.count.roundedUp(toMultipleOf: plan.rowGranularity),
                firstRow: rows.lowerBound)
            self.renderer = renderer
        }
        try renderer.consume(strip)
    }
}

/// A sink that keeps a hash of each row of samples.
private final class RowHashes: StripSink {
    let layout: PixelLayout
    private let rows: Range<Int>
    /// Of each plane, from its first row in `rows` on; `none` where no row has come.
    private var hashes: [[UInt64]]
    /// Rows of pixels that share a row of a plane.
    private let rowsPerSample: [Int]

    static let none: UInt64 = 0

    init(_ plan: RenderPlan, _ rows: Range<Int>) {
        layout = plan.output
        self.rows = rows
        let vertical = plan.output.subsampling.vertical
        rowsPerSample = if case .yCbCr = plan.output { [1, vertical, vertical] } else { [1] }
        hashes = rowsPerSample.map {
            Array(repeating: Self.none, count: rows.count.dividedRoundingUp(by: $0))
        }
    }

    func write(_ strip: Strip) {
        let shared = (strip.firstRow..<strip.endRow).clamped(to: rows)
        for (index, plane) in strip.planes.enumerated() {
            let byteCount = plane.width * plane.bytesPerSample
            for row in stride(from: shared.lowerBound, to: shared.upperBound, by: rowsPerSample[index]) {
                let samples = UnsafeRawBufferPointer(
                    start: plane.row((row - strip.firstRow) / rowsPerSample[index]), count: byteCount)
                hashes[index][(row - rows.lowerBound) / rowsPerSample[index]] = Self.hash(samples)
            }
        }
    }

    /// - Parameter isCompared: tells by both hashes of a row whether it counts.
    func firstDifference(
        from other: RowHashes, where isCompared: (UInt64, UInt64) -> Bool = { _, _ in true }
    ) -> Int? {
        hashes.indices.compactMap { plane in
            zip(hashes[plane], other.hashes[plane]).enumerated()
                .first { $1.0 != $1.1 && isCompared($1.0, $1.1) }
                .map { rows.lowerBound + $0.offset * rowsPerSample[plane] }
        }.min()
    }

    /// Rows that differ in one word always have different hashes.
    private static func hash(_ samples: UnsafeRawBufferPointer) -> UInt64 {
        // Odd, so that a multiplication loses nothing: 2^64 divided by the golden ratio.
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var hash: UInt64 = 1
        func mix(_ word: UInt64) {
            hash = (hash ^ word) &* factor
            hash ^= hash &>> 32
        }
        let words = samples.count / 8
        for index in 0..<words { mix(samples.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self)) }
        for index in words * 8..<samples.count { mix(UInt64(samples[index])) }
        return hash
    }
}

private final class WatchedSource: StripSource {
    private let source: any StripSource
    private let didRead: (Strip) throws -> Void
    var geometry: PhotoGeometry { source.geometry }
    var layout: PixelLayout { source.layout }

    init(_ source: any StripSource, didRead: @escaping (Strip) throws -> Void) {
        self.source = source
        self.didRead = didRead
    }

    func read(into strip: Strip) throws {
        try source.read(into: strip)
        try didRead(strip)
    }
}

private final class WatchedSink: StripSink {
    private let sink: any StripSink
    private let hashes: RowHashes
    var layout: PixelLayout { sink.layout }

    init(_ sink: any StripSink, _ hashes: RowHashes) {
        self.sink = sink
        self.hashes = hashes
    }

    func write(_ strip: Strip) throws {
        // Before the sink, which may change the samples.
        hashes.write(strip)
        try sink.write(strip)
    }
}
