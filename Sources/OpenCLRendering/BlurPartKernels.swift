import TintypeImaging
import TintypeRendering
import TintypeStages

/// One part of a masked blur on a device.
///
/// Each row of the photo is linearised, downsampled and blurred along the first axis once. Rows that the next
/// strip needs too are kept. `GaussianRows` does the same on a CPU.
final class BlurPartKernels {
    /// Converts rows of the photo to linear light, into planes.
    typealias Linearise = (
        _ rows: Range<Int>, _ result: BlurPasses.Rows, _ needed: OpenCLBuffer
    ) throws(DeviceError) -> Void

    let passes: BlurPasses
    private let segment: Segment
    private let stepCount: Int
    private let alongYFirst: Bool
    private let ownRows: [Bool]
    /// The sizes of the planes in the shared scratch memory.
    private let shapes: BlurScratch.Shapes
    private let grid: BlurGrid
    /// Downsampled rows; if the blur along x comes first, also blurred along x.
    private let rolling: RollingPlanes

    /// - Parameters:
    ///   - rows: the most rows of the result in one call of `run`.
    ///   - inputRows: the most rows that such a call's input adds.
    init(
        _ part: MaskedBlur.Part, axis: MaskedBlur.Axis, segment: Segment, photo: PhotoGeometry, rows: Int,
        inputRows: Int, lane: OpenCLLane
    ) throws(DeviceError) {
        let gaussian = part.gaussian
        self.segment = segment
        stepCount = gaussian.steps.count
        grid = BlurGrid(part, axis: axis, width: photo.width, height: photo.height)
        shapes = BlurScratch.Shapes(
            gaussian, photo: photo, rows: rows, inputRows: inputRows, hasAlpha: segment.hasAlpha)
        alongYFirst = axis == .rows && gaussian.kernelOfPlace != nil
        ownRows =
            axis == .rows ? part.mask.map { $0 != 0 } : Array(repeating: true, count: photo.height)
        passes = try BlurPasses(
            part, axis: axis, grid: grid, hasAlpha: segment.hasAlpha, device: lane.device)
        rolling = try RollingPlanes(
            width: (alongYFirst ? grid.last.columns : grid.blurredColumns).count,
            rows: gaussian.downsampledCount(of: rows), hasAlpha: segment.hasAlpha, lane: lane)
    }

    private var downsamples: Bool { grid.factor > 1 }

    /// Queues the part for `rows`, which follow the rows of the previous call.
    ///
    /// - Parameter joined: the destination of the part's own rows or columns; it starts with the first of
    ///   `rows`.
    /// - Returns: the planes with the blur: `joined`, or planes that are upsampled along y only.
    func run(
        _ rows: Range<Int>, joined: DevicePlanes?, scratch: BlurScratch, queue: OpenCLQueue,
        linearise: Linearise
    ) throws(DeviceError) -> DevicePlanes {
        let added = try rolling.advance(
            to: grid.downsampledRows(forBlurred: grid.blurredRows(for: rows)), queue: queue)
        if let added = added.hull(where: grid.last.needs) {
            try makeRolling(added, scratch: scratch, queue: queue, linearise: linearise)
        }
        let (first, second) = (firstPlanes(scratch), secondPlanes(scratch))
        guard let joined else {
            let blurred = grid.blurredRows(for: rows)
            try blurAlongY(blurred, to: second, queue)
            guard downsamples else { return second }
            try passes.upsampleAlongY(
                rows, from: .init(planes: second, firstRow: blurred.lowerBound), to: first, queue)
            return first
        }
        guard let own = rows.hull(where: { ownRows[$0] }) else { return joined }
        let result = BlurPasses.Rows(planes: joined, firstRow: rows.lowerBound)
        try join(own, to: result, first: first, second: second, queue: queue)
        return joined
    }

    /// Blurs and upsamples the part's own rows, and stores them in `joined`.
    private func join(
        _ rows: Range<Int>, to joined: BlurPasses.Rows, first: DevicePlanes, second: DevicePlanes,
        queue: OpenCLQueue
    ) throws(DeviceError) {
        let blurred = grid.blurredRows(for: rows)
        if alongYFirst {
            let result = downsamples ? BlurPasses.Rows(planes: second, firstRow: blurred.lowerBound) : joined
            try blurAlongY(blurred, to: downsamples ? first : second, queue)
            try passes.blurAlongX(
                blurred, afterY: true, from: downsamples ? first : second, to: result, queue)
            if !downsamples { return }
        } else {
            try blurAlongY(blurred, to: second, queue)
        }
        if downsamples {
            try passes.upsampleAlongY(
                rows, from: .init(planes: second, firstRow: blurred.lowerBound), to: first, queue)
        }
        try passes.upsampleAlongX(rows, from: downsamples ? first : second, to: joined, queue)
    }

    private func blurAlongY(
        _ rows: Range<Int>, to result: DevicePlanes, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        try passes.blurAlongY(
            rows, columns: alongYFirst ? grid.last.columns : grid.blurredColumns, from: rolling, to: result,
            queue)
    }

    // MARK: Downsampling

    /// The destination of rows that the next strip may need.
    private var kept: BlurPasses.Rows { .init(planes: rolling.planes, firstRow: rolling.rows.lowerBound) }

    /// Makes rows of the last level; blurs them along x if that comes first.
    private func makeRolling(
        _ added: Range<Int>, scratch: BlurScratch, queue: OpenCLQueue, linearise: Linearise
    ) throws(DeviceError) {
        let photoRows = grid.rows(of: 0, for: added, of: stepCount)
        // Starts at a row of chroma samples.
        var next = photoRows.lowerBound - photoRows.lowerBound % BlockSize(segment.input, .floats).height
        let first = next
        while next < photoRows.upperBound {
            let rows = next..<min(next + scratch.linearRows, photoRows.upperBound)
            next = rows.upperBound
            if !downsamples && alongYFirst {
                try linearise(rows, kept, passes.neededPhotoRows)
                continue
            }
            // `kept` may begin between rows that share chroma samples.
            let stored = downsamples ? rows : rows.clamped(to: photoRows)
            let linear = BlurPasses.Rows(planes: scratch.linear, firstRow: stored.lowerBound)
            try linearise(rows, linear, passes.neededPhotoRows)
            if downsamples {
                try passes.downsampleAlongX(
                    rows, step: 0, from: scratch.linear,
                    to: .init(planes: firstPlanes(scratch), firstRow: first), queue)
            } else {
                try passes.blurAlongX(stored, afterY: false, from: scratch.linear, to: kept, queue)
            }
        }
        if downsamples {
            let narrow = BlurPasses.Rows(planes: firstPlanes(scratch), firstRow: first)
            try downsample(added, from: narrow, second: secondPlanes(scratch), queue: queue)
        }
    }

    /// Runs the downsampling passes that follow the first one along x.
    private func downsample(
        _ added: Range<Int>, from narrow: BlurPasses.Rows, second: DevicePlanes, queue: OpenCLQueue
    ) throws(DeviceError) {
        var narrow = narrow
        for step in 0..<stepCount {
            let isLast = step == stepCount - 1
            let rows = grid.rows(of: step + 1, for: added, of: stepCount)
            let result =
                isLast && alongYFirst ? kept : BlurPasses.Rows(planes: second, firstRow: rows.lowerBound)
            try passes.downsampleAlongY(rows, step: step, from: narrow, to: result, queue)
            if !isLast {
                narrow = .init(planes: narrow.planes, firstRow: rows.lowerBound)
                try passes.downsampleAlongX(rows, step: step + 1, from: second, to: narrow, queue)
            } else if !alongYFirst {
                try passes.blurAlongX(rows, afterY: false, from: second, to: kept, queue)
            }
        }
    }

    private func firstPlanes(_ scratch: BlurScratch) -> DevicePlanes {
        DevicePlanes(buffer: scratch.first, shape: shapes.first)
    }

    private func secondPlanes(_ scratch: BlurScratch) -> DevicePlanes {
        DevicePlanes(buffer: scratch.second, shape: shapes.second)
    }
}

extension Range<Int> {
    /// The range from the first to the last element that satisfies `predicate`; nil if none does.
    fileprivate func hull(where predicate: (Int) -> Bool) -> Range<Int>? {
        guard let first = first(where: predicate), let last = last(where: predicate) else { return nil }
        return first..<last + 1
    }
}
