import Filters
import Imaging

/// This machine's CPU, through the kernels compiled for one instruction-set level.
///
/// A render runs on the thread that calls it.
public final class SIMDDevice: Device {
    package let level: SIMDLevel
    public let info: DeviceInfo
    /// Rows of pixels a strip, before rounding up to whole blocks; nil chooses by width.
    let stripRows: Int?

    /// - Parameters:
    ///   - level: the best of this machine where nothing is said.
    ///   - stripRows: height of the strips in pixels; any gives the same bytes.
    package init(level: SIMDLevel = .best, stripRows: Int? = nil) {
        self.level = level
        self.stripRows = stripRows
        info = DeviceInfo(
            identifier: level == .best ? "cpu" : "cpu.\(level.name)", kind: .simd, name: "SIMD \(level.name)",
            driver: "", memoryByteCount: SystemMemory.byteCount)
    }

    public func render(
        _ plan: RenderPlan, from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool
    ) throws {
        let rows = stripRows ?? Self.stripRows(for: plan)
        let input = try Strip(layout: plan.input, width: plan.geometry.width, rowCapacity: rows)
        let renderer = try SIMDRenderer(plan, input: input, level: level, stripRows: rows)
        var nextRow = 0
        while nextRow < plan.geometry.height {
            if isCancelled() { throw CancellationError() }
            try source.read(into: input)
            precondition(input.firstRow == nextRow && input.rowCount > 0, "a source gives all rows, in order")
            nextRow = input.endRow
            try renderer.consume(input, sink: sink)
        }
    }

    public func selfTest(_ plan: RenderPlan) throws {
        try SelfTest.run(plan, deviceName: info.name) { plan, source, sink in
            try render(plan, from: source, to: sink, isCancelled: { false })
        }
    }

    /// About 128 KiB of input at a time: it stays in the second-level cache from decoder to encoder.
    static func stripRows(for plan: RenderPlan) -> Int {
        let width = plan.geometry.width
        let bytesPerRow = StripShape(layout: plan.input, width: width, rowCapacity: 8).byteCount / 8
        let granularity = max(
            plan.input.rowGranularity(width: width), plan.output.rowGranularity(width: width))
        return max(granularity, (131_072 / bytesPerRow).roundedUp(toMultipleOf: granularity))
    }
}
