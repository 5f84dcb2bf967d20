import Filters
import Imaging

extension SIMDDevice {
    public func memory(for plan: RenderPlan) -> RenderMemory {
        let rows = stripRows ?? Self.stripRows(for: plan)
        let blurs = StageGroups(plan.stages).blurs.enumerated().map { index, blur in
            BlurPass.memoryByteCount(blur, plan: plan, isFirst: index == 0)
        }
        return RenderMemory(
            stripRows: rows,
            byteCount: plan.byteCount(ofInputRows: rows, outputRows: rows) + blurs.reduce(0, +))
    }
}

extension BlurPass {
    /// What a pass allocates: the rings of rows of `BlurPass` and of `GaussianRows`. The first pass keeps the photo's
    /// samples, those that follow floats.
    static func memoryByteCount(_ blur: MaskedBlur, plan: RenderPlan, isFirst: Bool) -> Int {
        let width = plan.geometry.width, gaussian = blur.gaussian
        func floats(_ count: Int, _ width: Int) -> Int {
            FloatRowsShape(count: count, width: width, hasAlpha: plan.input.hasAlpha).byteCount
        }
        let sharpRows = batchRows(gaussian) + gaussian.reach + 8
        let sharp =
            isFirst
            ? StripShape(layout: plan.input, width: width, rowCapacity: sharpRows).byteCount
            : floats(sharpRows, width)
        let blurredColumns = width.dividedRoundingUp(by: gaussian.factor) + 2
        let shrunkColumns = blurredColumns + 2 * gaussian.radius
        let batch = batchRows(gaussian) / gaussian.factor + 3
        return sharp + floats(1, width + 2 * gaussian.factor * (gaussian.radius + 3))
            + floats(3 * gaussian.factor, shrunkColumns)
            + floats(2 * gaussian.radius + 2 * batch + 1, blurredColumns)
    }
}
