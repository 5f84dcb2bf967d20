import TintypeImaging
import TintypeRendering
import TintypeStages

extension OpenCLDevice {
    public func memory(for plan: RenderPlan) -> RenderMemory {
        StripMemory(sharesHostMemory: sharesHostMemory, pixelsPerStrip: tuning.pixelsPerStrip).memory(
            for: plan)
    }
}

/// Estimates the host memory that a render takes on an OpenCL device.
package struct StripMemory: Sendable {
    package let sharesHostMemory: Bool
    package let pixelsPerStrip: Int

    package init(sharesHostMemory: Bool, pixelsPerStrip: Int) {
        self.sharesHostMemory = sharesHostMemory
        self.pixelsPerStrip = pixelsPerStrip
    }

    /// Strips in flight, as `OpenCLRenderer` allocates them. If the device shares the host's memory, also its
    /// planes of floats.
    package func memory(for plan: RenderPlan) -> RenderMemory {
        guard !plan.isIdentity else { return plan.memoryOfStrips }
        let schedule = StripSchedule(plan, pixelsPerStrip: pixelsPerStrip)
        let window = schedule.windowRows(at: 0)
        let strips =
            OpenCLRenderer.slotCount(sharesHostMemory: sharesHostMemory)
            * plan.byteCount(ofInputRows: window, outputRows: schedule.stripRows)
        let carry = StripShape(
            layout: plan.input, width: plan.geometry.width, rowCapacity: schedule.carriedRows
        ).byteCount
        let planes = sharesHostMemory ? planeByteCount(plan, schedule) : 0
        // A pool's blocks are up to an eighth larger than requested.
        return RenderMemory(stripRows: window, byteCount: (strips + planes) * 9 / 8 + carry)
    }

    /// Bytes of all planes of floats.
    private func planeByteCount(_ plan: RenderPlan, _ schedule: StripSchedule) -> Int {
        let groups = StageGroups(plan)
        func floats(_ photo: PhotoGeometry, _ rows: Int) -> Int {
            FloatPlanes(width: photo.width, rows: rows, hasAlpha: plan.input.hasAlpha).byteCount
        }
        var sum = 0, blurs = 0
        for (index, step) in groups.steps.enumerated() {
            let photo = groups.geometries[index], window = floats(photo, schedule.windowRows(at: index))
            // A pair of planes between two segments.
            if index > 0 { sum += 2 * window }
            switch step {
            case .blur(let blur):
                // Linear rows and the results of two passes; parts add more. Blurs share them.
                blurs = max(blurs, (blur.sigmaChanges ? 6 : 3) * window)
            case .resample:
                let sums = floats(photo, schedule.addedRows(at: index + 1))
                sum += 2 * floats(photo, schedule.sourceRows(at: index)) + sums
            case .window:
                sum += 2 * floats(photo, schedule.sourceRows(at: index))
            case nil: break
            }
        }
        return sum + blurs
    }
}
