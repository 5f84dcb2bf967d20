import CPURendering
import Filters
import Imaging
import Rendering

extension OpenCLDevice {
    /// Strips in flight, as `OpenCLRenderer` allocates them. If the device shares the host's memory, also its
    /// planes of floats.
    public func memory(for plan: RenderPlan) -> RenderMemory {
        guard !plan.isIdentity else { return SIMDDevice().memory(for: plan) }
        let width = plan.geometry.width
        let schedule = StripSchedule(plan, pixelsPerStrip: tuning.pixelsPerStrip)
        let window = schedule.windowRows
        let strips =
            OpenCLRenderer.slotCount(self)
            * plan.byteCount(ofInputRows: window, outputRows: schedule.stripRows)
        let carry = StripShape(layout: plan.input, width: width, rowCapacity: schedule.carriedRows).byteCount
        let blurs = StageGroups(plan.stages).blurs
        let floats = FloatPlanes(width: width, rows: window, hasAlpha: plan.input.hasAlpha).byteCount
        // For each blur: linear rows and the results of two passes; parts add more. Between two blurs: a pair
        // of planes.
        let perBlur = blurs.contains(where: \.sigmaChanges) ? 6 : 3
        let planes = blurs.isEmpty || !sharesHostMemory ? 0 : (perBlur + 2 * (blurs.count - 1)) * floats
        // A pool's blocks are up to an eighth larger than requested.
        return RenderMemory(stripRows: window, byteCount: (strips + planes) * 9 / 8 + carry)
    }
}
