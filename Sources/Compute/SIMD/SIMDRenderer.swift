import Filters
import Imaging
import Kernels

/// Runs one plan over one photo's strips, top to bottom.
final class SIMDRenderer {
    private let plan: RenderPlan
    private let rows: StripRows
    private let first: PointPass
    private let output: OutputStrips
    /// The first blur, which hands its rows on to the next; nil in a plan of point stages alone.
    private let blur: BlurPass?
    private let chunk: FloatRows

    /// Pixels of a run that goes through all point stages at once: four rows of three channels fit in 32 KiB.
    private static let chunkWidth = 512

    init(_ plan: RenderPlan, level: SIMDLevel, stripRows: Int) {
        self.plan = plan
        rows = StripRows(level: level)
        let groups = StageGroups(plan.stages)
        output = OutputStrips(
            plan, lastPoints: PointPass(groups.points[groups.blurs.count], level: level), level: level,
            stripRows: stripRows)
        first = PointPass(groups.points[0], level: level)
        var consumer: any RowConsumer = output
        for index in groups.blurs.indices.reversed() {
            let before = index == 0 ? nil : PointPass(groups.points[index], level: level)
            consumer = BlurPass(
                groups.blurs[index], plan: plan, level: level, pointsBefore: before, next: consumer)
        }
        blur = consumer as? BlurPass
        chunk = FloatRows(
            count: blur == nil ? 4 : 0, width: Self.chunkWidth, hasAlpha: plan.input.hasAlpha)
    }

    /// Filters a strip and gives `sink` what is complete by then.
    func consume(_ strip: Strip, sink: any StripSink) throws {
        if plan.isIdentity {
            try sink.write(strip)
        } else if let blur {
            for row in 0..<strip.rowCount {
                try blur.push(sink: sink) { floats in
                    self.rows.load(strip, row: row, x: 0, count: strip.width, into: floats)
                    self.first.run(floats, count: strip.width)
                }
            }
        } else {
            try filterPoints(strip, sink: sink)
        }
    }

    private func filterPoints(_ strip: Strip, sink: any StripSink) throws {
        let blockRows = output.blockRows
        for row in stride(from: 0, to: strip.rowCount, by: blockRows) {
            let rowCount = min(blockRows, strip.rowCount - row)
            for x in stride(from: 0, to: strip.width, by: Self.chunkWidth) {
                let count = min(Self.chunkWidth, strip.width - x)
                for index in 0..<rowCount {
                    rows.load(strip, row: row + index, x: x, count: count, into: chunk[index])
                }
                output.add(rowCount: rowCount, x: x, count: count) { self.chunk[$0] }
            }
            try output.advance(by: rowCount, sink: sink)
        }
    }
}
