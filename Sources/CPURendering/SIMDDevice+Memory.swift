import TintypeImaging
import TintypeRendering
import TintypeStages

extension SIMDDevice {
    public func memory(for plan: RenderPlan) -> RenderMemory {
        let rows = stripRows ?? plan.usualStripRows
        let groups = StageGroups(plan), hasAlpha = plan.input.hasAlpha
        let passes = groups.passes.enumerated().map { index, pass in
            switch pass {
            case .blur(let blur):
                BlurPass.memoryByteCount(
                    blur, photo: groups.geometries[index], hasAlpha: hasAlpha,
                    layout: index == 0 ? plan.input : nil)
            case .resample(let resampling) where resampling.onlyMoves:
                FloatRowsShape(
                    count: MovePass.keptRows, width: resampling.columns.count, hasAlpha: hasAlpha
                ).byteCount
            case .resample(let resampling):
                ResamplePass.memoryByteCount(resampling, hasAlpha: hasAlpha)
            case .window(_, let radius):
                WindowPass.memoryByteCount(
                    radius: radius, width: groups.geometries[index].width, hasAlpha: hasAlpha)
            }
        }
        return RenderMemory(
            stripRows: rows,
            byteCount: plan.byteCount(ofInputRows: rows, outputRows: rows) + passes.reduce(0, +))
    }
}

extension BlurPass {
    /// Bytes that a pass allocates: the sharp rows and its parts' rows.
    ///
    /// - Parameter layout: of the sharp rows; nil if they are floats, after another pass.
    static func memoryByteCount(
        _ blur: MaskedBlur, photo: PhotoGeometry, hasAlpha: Bool, layout: PixelLayout?
    ) -> Int {
        let width = photo.width, rows = keptRows(blur, height: photo.height)
        let sharp =
            layout.map { StripShape(layout: $0, width: width, rowCapacity: rows).byteCount }
            ?? FloatRowsShape(count: rows, width: width, hasAlpha: hasAlpha).byteCount
        return blur.parts.reduce(sharp) { sum, part in
            sum + GaussianRows.memoryByteCount(part.gaussian, width: width, hasAlpha: hasAlpha)
        }
    }
}

extension ResamplePass {
    /// Bytes of the rows that a pass keeps.
    static func memoryByteCount(_ resampling: Resampling, hasAlpha: Bool) -> Int {
        let columns = resampling.columns
        let sums = FloatRowsShape(
            count: sumCount(resampling.rows), width: columns.sourceCount, hasAlpha: hasAlpha)
        let results = FloatRowsShape(count: RowBatches.rowCount, width: columns.count, hasAlpha: hasAlpha)
        let weights = (columns.weights.count + columns.starts.count) * MemoryLayout<Float>.stride
        return sums.byteCount + results.byteCount + weights
    }
}

extension GaussianRows {
    /// The most bytes that a part's rings of rows take.
    static func memoryByteCount(_ gaussian: Gaussian, width: Int, hasAlpha: Bool) -> Int {
        func floats(_ count: Int, _ width: Int) -> Int {
            FloatRowsShape(count: count, width: width + 64, hasAlpha: hasAlpha).byteCount
        }
        let batch = RowBatches.rowCount.dividedRoundingUp(by: gaussian.factor) + 3
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
