import Filters
import Imaging
import Rendering

/// A part of a masked blur on a device.
///
/// Each row of the photo is made linear, downsampled and blurred along the axis that comes first once; the next strip
/// finds the rows that it needs as well. `GaussianRows` does the same on a CPU.
final class BlurPartKernels {
    /// Makes rows of the photo linear, into planes.
    typealias Linearise = (
        _ rows: Range<Int>, _ result: BlurPasses.Rows, _ needed: OpenCLBuffer
    ) throws(DeviceError) -> Void

    let passes: BlurPasses
    private let segment: Segment
    private let stepCount: Int
    private let alongYFirst: Bool
    private let ownRows: [Bool]
    /// How the part lays out the planes that blurs take in turn.
    private let shapes: BlurScratch.Shapes
    private let grid: BlurGrid
    /// Downsampled rows; blurred along x already where that comes first.
    private let rolling: RollingPlanes

    /// - Parameter rows: the most rows of the result that one call of `run` makes.
    init(
        _ part: MaskedBlur.Part, axis: MaskedBlur.Axis, segment: Segment, photo: PhotoGeometry, rows: Int,
        lane: OpenCLLane
    ) throws(DeviceError) {
        let gaussian = part.gaussian
        self.segment = segment
        stepCount = gaussian.steps.count
        grid = BlurGrid(part, axis: axis, width: photo.width, height: photo.height)
        shapes = BlurScratch.Shapes(gaussian, photo: photo, rows: rows, hasAlpha: segment.hasAlpha)
        alongYFirst = axis == .rows && gaussian.kernelOfPlace != nil
        ownRows =
            axis == .rows ? part.mask.map { $0 > 0 } : Array(repeating: true, count: photo.height)
        passes = try BlurPasses(
            part, axis: axis, grid: grid, hasAlpha: segment.hasAlpha, device: lane.device)
        rolling = try RollingPlanes(
            width: (alongYFirst ? grid.last.columns : grid.blurredColumns).count,
            rows: gaussian.downsampledCount(of: rows), hasAlpha: segment.hasAlpha, lane: lane)
    }

    private var downsamples: Bool { grid.factor > 1 }

    /// Queues the part over `rows`, which follow those of the call before.
    ///
    /// - Parameter joined: where the part's own rows or columns are to go, from the first of `rows` on.
    /// - Returns: where the blur is: in `joined`, or upsampled along y alone.
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

    /// Blurs and upsamples the part's own rows, and lays them where its result belongs.
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

    /// Where rows that stay belong.
    private var kept: BlurPasses.Rows { .init(planes: rolling.planes, firstRow: rolling.rows.lowerBound) }

    /// Makes rows of the last level, blurred along x where that comes first.
    private func makeRolling(
        _ added: Range<Int>, scratch: BlurScratch, queue: OpenCLQueue, linearise: Linearise
    ) throws(DeviceError) {
        let photoRows = grid.rows(of: 0, for: added, of: stepCount)
        // Where its chroma samples begin.
        var next = photoRows.lowerBound - photoRows.lowerBound % BlockSize(segment.input, .floats).height
        let first = next
        while next < photoRows.upperBound {
            let rows = next..<min(next + scratch.linearRows, photoRows.upperBound)
            next = rows.upperBound
            if !downsamples && alongYFirst {
                try linearise(rows, kept, passes.neededPhotoRows)
                continue
            }
            let linear = BlurPasses.Rows(planes: scratch.linear, firstRow: rows.lowerBound)
            try linearise(rows, linear, passes.neededPhotoRows)
            if downsamples {
                try passes.downsampleAlongX(
                    rows, step: 0, from: scratch.linear,
                    to: .init(planes: firstPlanes(scratch), firstRow: first), queue)
            } else {
                try passes.blurAlongX(rows, afterY: false, from: scratch.linear, to: kept, queue)
            }
        }
        if downsamples {
            let narrow = BlurPasses.Rows(planes: firstPlanes(scratch), firstRow: first)
            try downsample(added, from: narrow, second: secondPlanes(scratch), queue: queue)
        }
    }

    /// Downsamples as far as it goes, from rows that were downsampled along x once.
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
    /// From the first element that satisfies `predicate` to the last; nil where none does.
    fileprivate func hull(where predicate: (Int) -> Bool) -> Range<Int>? {
        guard let first = first(where: predicate), let last = last(where: predicate) else { return nil }
        return first..<last + 1
    }
}
