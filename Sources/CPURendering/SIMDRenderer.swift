import Filters
import Imaging
import Kernels
import Rendering

/// Runs one plan over one photo's strips, top to bottom.
final class SIMDRenderer {
    private let plan: RenderPlan
    private let loaded: LoadedRows
    /// The consumer of the loaded rows: the first blur, or the output.
    private let first: any RowConsumer

    /// - Parameter input: the strip that `consume` will be called with.
    /// - Throws: `OutOfMemory`, `DeviceError.invalidStage`.
    init(_ plan: RenderPlan, input: Strip, level: SIMDLevel, stripRows: Int) throws {
        self.plan = plan
        let groups = StageGroups(plan.stages)
        let points = try groups.points.map { try PointPass($0, photo: plan.geometry, level: level) }
        loaded = LoadedRows(input, points: points[0], level: level)
        var consumer: any RowConsumer = try OutputStrips(plan, level: level, stripRows: stripRows)
        for index in groups.blurs.indices.reversed() {
            consumer = try BlurPass(
                groups.blurs[index], plan: plan, level: level, points: points[index + 1], next: consumer
            ) { [loaded] (capacity) throws(OutOfMemory) in
                guard index > 0 else { return try SharpSamples(loaded, capacity: capacity) }
                return try SharpFloats(
                    width: plan.geometry.width, capacity: capacity, hasAlpha: plan.input.hasAlpha)
            }
        }
        first = consumer
    }

    /// Filters a strip and passes the rows that are complete to `sink`.
    func consume(_ strip: Strip, sink: any StripSink) throws {
        guard !plan.isIdentity else { return try sink.write(strip) }
        loaded.strip = strip
        try first.consume(strip.firstRow..<strip.endRow, from: loaded, sink: sink)
    }
}
