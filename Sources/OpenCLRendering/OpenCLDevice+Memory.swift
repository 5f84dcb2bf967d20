import CPURendering
import Filters
import Imaging
import Rendering

extension OpenCLDevice {
    /// Strips in flight, with the sizes of `OpenCLRenderer`. If the device shares the host's memory, also its
    /// planes of floats.
    public func memory(for plan: RenderPlan) -> RenderMemory {
        guard !plan.isIdentity else { return SIMDDevice().memory(for: plan) }
        let width = plan.geometry.width
        let granularity = max(
            plan.input.rowGranularity(width: width), plan.output.rowGranularity(width: width))
        let blurs = StageGroups(plan.stages).blurs
        let height = plan.geometry.height.roundedUp(toMultipleOf: granularity)
        let lead = blurs.reduce(0) { min($0 + $1.support.roundedUp(toMultipleOf: granularity), height) }
        let rows = min(max(tuning.pixelsPerStrip / width, lead, 1), plan.geometry.height)
            .roundedUp(toMultipleOf: granularity)
        let window = min(rows + lead, height)
        let strips = (sharesHostMemory ? 2 : 3) * plan.byteCount(ofInputRows: window, outputRows: rows)
        let carry = StripShape(layout: plan.input, width: width, rowCapacity: lead).byteCount
        let floats = FloatPlanes(width: width, rows: window, hasAlpha: plan.input.hasAlpha).byteCount
        // For each blur: linear rows and the results of two passes; parts add more. Between two blurs: a pair
        // of planes.
        let perBlur = blurs.contains(where: \.sigmaChanges) ? 6 : 3
        let planes = blurs.isEmpty || !sharesHostMemory ? 0 : (perBlur + 2 * (blurs.count - 1)) * floats
        // A pool's blocks are up to an eighth larger than requested.
        return RenderMemory(stripRows: window, byteCount: (strips + planes) * 9 / 8 + carry)
    }
}
