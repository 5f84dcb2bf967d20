import Filters
import Imaging
import Kernels
import Rendering

/// Runs one plan over one photo's strips, top to bottom.
final class SIMDRenderer {
    private let plan: RenderPlan
    private let loaded: LoadedRows
    /// The consumer of the loaded rows: the first pass, or the output.
    private let first: any RowConsumer

    /// - Parameter input: the strip that `consume` will be called with.
    /// - Throws: `OutOfMemory`, `DeviceError.invalidStage`.
    init(_ plan: RenderPlan, input: Strip, level: SIMDLevel, stripRows: Int) throws {
        self.plan = plan
        let groups = StageGroups(plan), hasAlpha = plan.input.hasAlpha
        let points = try zip(groups.points, groups.geometries).map {
            try PointPass($0, photo: $1, level: level)
        }
        loaded = LoadedRows(input, points: points[0], level: level)
        var consumer: any RowConsumer = try OutputStrips(plan, level: level, stripRows: stripRows)
        for (index, pass) in groups.passes.enumerated().reversed() {
            let photo = groups.geometries[index]
            switch pass {
            case .resample(let resampling) where resampling.onlyMoves:
                consumer = try MovePass(
                    resampling, photo: photo, hasAlpha: hasAlpha, points: points[index + 1], next: consumer)
            case .resample(let resampling):
                consumer = try ResamplePass(
                    resampling, hasAlpha: hasAlpha, level: level, points: points[index + 1], next: consumer)
            case .window(let function, let radius):
                consumer = try WindowPass(
                    function, radius: radius, photo: photo, hasAlpha: hasAlpha, level: level,
                    points: points[index + 1], next: consumer)
            case .blur(let blur):
                consumer = try BlurPass(
                    blur, photo: photo, hasAlpha: hasAlpha, level: level, points: points[index + 1],
                    next: consumer
                ) { [loaded] (capacity) throws(OutOfMemory) in
                    guard index > 0 else { return try SharpSamples(loaded, capacity: capacity) }
                    return try SharpFloats(width: photo.width, capacity: capacity, hasAlpha: hasAlpha)
                }
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
