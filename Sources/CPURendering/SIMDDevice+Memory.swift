import Filters
import Imaging
import Rendering

extension SIMDDevice {
    public func memory(for plan: RenderPlan) -> RenderMemory {
        let rows = stripRows ?? plan.usualStripRows
        let blurs = StageGroups(plan.stages).blurs.enumerated().map { index, blur in
            BlurPass.memoryByteCount(blur, plan: plan, isFirst: index == 0)
        }
        return RenderMemory(
            stripRows: rows,
            byteCount: plan.byteCount(ofInputRows: rows, outputRows: rows) + blurs.reduce(0, +))
    }
}

extension BlurPass {
    /// Bytes that a pass allocates: the sharp rows and its parts' rows. The first pass keeps samples, later
    /// ones floats.
    static func memoryByteCount(_ blur: MaskedBlur, plan: RenderPlan, isFirst: Bool) -> Int {
        let width = plan.geometry.width, hasAlpha = plan.input.hasAlpha
        let rows = keptRows(blur, height: plan.geometry.height)
        let sharp =
            isFirst
            ? StripShape(layout: plan.input, width: width, rowCapacity: rows).byteCount
            : FloatRowsShape(count: rows, width: width, hasAlpha: hasAlpha).byteCount
        return blur.parts.reduce(sharp) { sum, part in
            sum + GaussianRows.memoryByteCount(part.gaussian, width: width, hasAlpha: hasAlpha)
        }
    }
}

extension GaussianRows {
    /// The most bytes that a part's rings of rows take.
    static func memoryByteCount(_ gaussian: Gaussian, width: Int, hasAlpha: Bool) -> Int {
        func floats(_ count: Int, _ width: Int) -> Int {
            FloatRowsShape(count: count, width: width + 64, hasAlpha: hasAlpha).byteCount
        }
        let batch = BlurPass.batchRows.dividedRoundingUp(by: gaussian.factor) + 3
        var sum = floats(1, width + 2 * DownsampleStep.edge(step: gaussian.steps.first ?? 1))
        var columns = width
        for step in gaussian.steps {
            columns = columns.dividedRoundingUp(by: step)
            sum += floats(3 * step, columns + 4 + 2 * DownsampleStep.edge(step: step))
        }
        let edge = gaussian.radius.roundedUp(toMultipleOf: 16)
        return sum + floats(waitingRows(gaussian, batch: batch) + 2 * batch + 1, columns + 4 + 2 * edge)
    }
}
