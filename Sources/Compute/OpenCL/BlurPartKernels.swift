import Filters
import Imaging

/// A part of a masked blur on a device: the kernels of its passes, and the tables that they read.
///
/// Each row of the photo is made linear, shrunk and blurred along the axis that comes first once; the next strip finds
/// the rows that it needs as well. `GaussianRows` does the same on a CPU.
final class BlurPartKernels {
    /// Makes rows of the photo linear, from a row of the photo on that is row 0 of the planes.
    typealias Linearise = (
        _ rows: Range<Int>, _ planes: DevicePlanes, _ first: Int, _ needed: OpenCLBuffer
    ) throws(DeviceError) -> Void

    /// One step of shrinking.
    private struct Step {
        let alongX, alongY: OpenCLKernel
        let weights: OpenCLBuffer
    }

    let widenPattern: OpenCLBuffer
    /// The programs of the passes.
    let programs: [OpenCLProgram]
    private let segment: Segment
    private let steps: [Step]
    private let blurAlongX, blurAlongY, widenAlongY, widenAlongX: OpenCLKernel
    private let mask, weights, places, widenWeights, needsBlurredRow: OpenCLBuffer
    /// For each level, which rows of it are needed.
    private let needsRow: [OpenCLBuffer]
    private let isByRow, alongYFirst: Bool
    private let ownRows: [Bool]
    /// How the part lays out the planes that blurs take in turn.
    private let shapes: BlurScratch.Shapes
    private let grid: BlurGrid
    /// Shrunk rows; blurred along x already where that comes first.
    private let rolling: RollingPlanes

    /// - Parameter rows: the most rows of the result that one call of `run` makes.
    init(
        _ part: MaskedBlur.Part, axis: MaskedBlur.Axis, segment: Segment, photo: PhotoGeometry, rows: Int,
        lane: OpenCLLane
    ) throws(DeviceError) {
        let device = lane.device, gaussian = part.gaussian
        func table(_ values: [Float]) throws(DeviceError) -> OpenCLBuffer {
            try device.constants(values)
        }
        func table(_ marks: [Bool]) throws(DeviceError) -> OpenCLBuffer {
            try table(marks.map { $0 ? Float(1) : 0 })
        }
        self.segment = segment
        let grid = BlurGrid(part, axis: axis, width: photo.width, height: photo.height)
        self.grid = grid
        shapes = BlurScratch.Shapes(gaussian, photo: photo, rows: rows, hasAlpha: segment.hasAlpha)
        isByRow = axis == .rows
        alongYFirst = isByRow && gaussian.kernelOfPlace != nil
        ownRows =
            axis == .rows ? part.mask.map { $0 > 0 } : Array(repeating: true, count: photo.height)
        let passes = try device.program(ProgramSource(passesOf: gaussian, axis: axis, blocks: segment.blocks))
        var programs = [passes]
        blurAlongX = try passes.kernel("blur_along_x")
        blurAlongY = try passes.kernel("blur_along_y")
        widenAlongY = try passes.kernel("widen_along_y")
        widenAlongX = try passes.kernel("widen_along_x")
        steps = try gaussian.steps.map { (step) throws(DeviceError) in
            var shrink = passes
            if step != gaussian.factor {
                shrink = try device.program(ProgramSource(shrinkingBy: step, blocks: segment.blocks))
                programs.append(shrink)
            }
            return Step(
                alongX: try shrink.kernel("shrink_along_x"), alongY: try shrink.kernel("shrink_along_y"),
                weights: try table(Gaussian.shrinkWeights(factor: step)))
        }
        self.programs = programs
        mask = try table(part.mask)
        let tables = BlurTables(part, axis: axis, grid: grid)
        weights = try table(tables.weights)
        places = try table(tables.places)
        widenWeights = try table(gaussian.widenWeights)
        widenPattern = try table(gaussian.widenPattern)
        needsRow = try grid.levels.map { (level) throws(DeviceError) in try table(level.needsRow) }
        needsBlurredRow = try table(grid.needsBlurredRow)
        rolling = try RollingPlanes(
            width: (alongYFirst ? grid.last.columns : grid.blurredColumns).count,
            rows: gaussian.shrunkCount(of: rows), hasAlpha: segment.hasAlpha, lane: lane)
    }

    /// Queues the part over `rows`, which follow those of the call before.
    ///
    /// - Parameter joined: where the part's own rows or columns are to go, from its first row on.
    /// - Returns: where the blur is: in `joined`, or widened along y alone.
    func run(
        _ rows: Range<Int>, joined: DevicePlanes?, scratch: BlurScratch, queue: OpenCLQueue,
        linearise: Linearise
    ) throws(DeviceError) -> DevicePlanes {
        let added = try rolling.advance(
            to: grid.shrunkRows(forBlurred: grid.blurredRows(for: rows)), queue: queue)
        if let added = added.hull(where: grid.last.needs) {
            try makeRolling(added, scratch: scratch, queue: queue, linearise: linearise)
        }
        guard let joined else {
            let blurred = grid.blurredRows(for: rows)
            try alongY(blurred, from: rolling.planes, to: secondPlanes(scratch), queue)
            guard grid.factor > 1 else { return secondPlanes(scratch) }
            try widenAlongY(rows, from: secondPlanes(scratch), of: blurred, to: firstPlanes(scratch), queue)
            return firstPlanes(scratch)
        }
        guard let own = rows.hull(where: { ownRows[$0] }) else { return joined }
        try join(own, to: joined, from: own.lowerBound - rows.lowerBound, scratch: scratch, queue: queue)
        return joined
    }

    /// Blurs and widens the part's own rows, and lays them into `joined` from `place` on.
    private func join(
        _ rows: Range<Int>, to joined: DevicePlanes, from place: Int, scratch: BlurScratch, queue: OpenCLQueue
    ) throws(DeviceError) {
        let blurred = grid.blurredRows(for: rows)
        let (first, second) = (firstPlanes(scratch), secondPlanes(scratch))
        let shrinks = grid.factor > 1
        if alongYFirst {
            try alongY(blurred, from: rolling.planes, to: shrinks ? first : second, queue)
            try run(
                blurAlongX, from: shrinks ? first : second, to: shrinks ? second : joined,
                [weights, places, needsBlurredRow],
                [
                    blurred.lowerBound - grid.blurredRows.lowerBound, shrinks ? 0 : place, grid.radius,
                    grid.blurredColumns.lowerBound - grid.last.columns.lowerBound, grid.last.columns.count,
                ], columns: grid.blurredColumns, rows: blurred, queue)
            if !shrinks { return }
        } else {
            try alongY(blurred, from: rolling.planes, to: second, queue)
        }
        if shrinks { try widenAlongY(rows, from: second, of: blurred, to: first, queue) }
        try run(
            widenAlongX, from: shrinks ? first : second, to: joined, [widenPattern, mask],
            [isByRow ? 1 : 0, rows.lowerBound, place], columns: 0..<grid.width, rows: rows, queue)
    }

    /// Blurs rows along y.
    private func alongY(
        _ rows: Range<Int>, from source: DevicePlanes, to result: DevicePlanes, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        try run(
            blurAlongY, from: source, to: result, [weights, places, needsBlurredRow],
            [
                rows.lowerBound - grid.blurredRows.lowerBound, grid.radius,
                rows.lowerBound - rolling.rows.lowerBound, rolling.rows.count,
            ], columns: alongYFirst ? grid.last.columns : grid.blurredColumns, rows: rows, queue)
    }

    private func widenAlongY(
        _ rows: Range<Int>, from source: DevicePlanes, of blurred: Range<Int>, to result: DevicePlanes,
        _ queue: OpenCLQueue
    ) throws(DeviceError) {
        try run(
            widenAlongY, from: source, to: result, [widenWeights, mask],
            [isByRow ? 1 : 0, blurred.lowerBound, rows.lowerBound], columns: grid.blurredColumns, rows: rows,
            queue)
    }

    // MARK: Shrinking

    /// Makes rows of the last level, blurred along x where that comes first.
    private func makeRolling(
        _ added: Range<Int>, scratch: BlurScratch, queue: OpenCLQueue, linearise: Linearise
    ) throws(DeviceError) {
        let photoRows = grid.rows(of: 0, for: added, of: steps.count)
        // Where its chroma samples begin.
        var next = photoRows.lowerBound - photoRows.lowerBound % segment.blockHeight
        let first = next
        while next < photoRows.upperBound {
            let rows = next..<min(next + scratch.linearRows, photoRows.upperBound)
            next = rows.upperBound
            if steps.isEmpty && alongYFirst {
                try linearise(rows, rolling.planes, rolling.rows.lowerBound, needsRow[0])
                continue
            }
            try linearise(rows, scratch.linear, rows.lowerBound, needsRow[0])
            if steps.isEmpty {
                try alongX(rows, from: scratch.linear, queue)
            } else {
                try shrinkAlongX(
                    rows, step: 0, from: scratch.linear, to: firstPlanes(scratch), at: first, queue)
            }
        }
        try shrink(added, narrowFrom: first, scratch: scratch, queue: queue)
    }

    /// Shrinks as far as it goes, from rows that were shrunk along x once and lie in the first planes.
    private func shrink(
        _ added: Range<Int>, narrowFrom first: Int, scratch: BlurScratch, queue: OpenCLQueue
    ) throws(DeviceError) {
        var first = first
        for index in steps.indices {
            let level = grid.levels[index + 1], source = grid.levels[index]
            let isLast = index == steps.count - 1
            let rows = grid.rows(of: index + 1, for: added, of: steps.count)
            let result = isLast && alongYFirst ? rolling.planes : secondPlanes(scratch)
            try run(
                steps[index].alongY, from: firstPlanes(scratch), to: result,
                [steps[index].weights, needsRow[index + 1]],
                [
                    rows.lowerBound - level.rows.lowerBound,
                    isLast && alongYFirst ? rows.lowerBound - rolling.rows.lowerBound : 0, rows.lowerBound,
                    first,
                    source.rows.lowerBound, source.rows.upperBound - 1,
                ], columns: level.columns, rows: rows, queue)
            first = rows.lowerBound
            if !isLast {
                try shrinkAlongX(
                    rows, step: index + 1, from: result, to: firstPlanes(scratch), at: first, queue)
            } else if !alongYFirst {
                try alongX(rows, from: result, queue)
            }
        }
    }

    /// Shrinks rows of the level `step` along x. Row 0 of `result` is the row `first`.
    private func shrinkAlongX(
        _ rows: Range<Int>, step: Int, from source: DevicePlanes, to result: DevicePlanes, at first: Int,
        _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let level = grid.levels[step]
        try run(
            steps[step].alongX, from: source, to: result, [steps[step].weights, needsRow[step]],
            [
                rows.lowerBound - level.rows.lowerBound, rows.lowerBound - first,
                grid.levels[step + 1].columns.lowerBound, level.columns.lowerBound, level.columns.count,
            ], columns: grid.levels[step + 1].columns, rows: rows, queue)
    }

    /// Blurs shrunk rows along x, into their places as far as there are some.
    private func alongX(
        _ rows: Range<Int>, from source: DevicePlanes, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        try run(
            blurAlongX, from: source, to: rolling.planes,
            [weights, places, needsRow[steps.count]],
            [
                rows.lowerBound - grid.last.rows.lowerBound, rows.lowerBound - rolling.rows.lowerBound,
                grid.radius, grid.blurredColumns.lowerBound - grid.last.columns.lowerBound,
                grid.last.columns.count,
            ], columns: grid.blurredColumns, rows: rows, queue)
    }

    private func firstPlanes(_ scratch: BlurScratch) -> DevicePlanes {
        DevicePlanes(buffer: scratch.first, shape: shapes.first)
    }

    private func secondPlanes(_ scratch: BlurScratch) -> DevicePlanes {
        DevicePlanes(buffer: scratch.second, shape: shapes.second)
    }

    private func run(
        _ kernel: OpenCLKernel, from: DevicePlanes, to: DevicePlanes, _ tables: [OpenCLBuffer], _ ints: [Int],
        columns: Range<Int>, rows: Range<Int>, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let buffers = ([from.buffer, to.buffer] + tables).map { OpenCLKernel.Argument.buffer($0.handle) }
        let sizes = (ints + [columns.count, rows.count]).map { OpenCLKernel.Argument.int($0) }
        try kernel.set(buffers + sizes + from.shape.arguments + to.shape.arguments)
        try queue.run(
            kernel, columns.count.dividedRoundingUp(by: segment.blocks.blurSpan), rows.count,
            segment.hasAlpha ? 4 : 3)
    }
}

extension Range<Int> {
    /// From the first element that satisfies `predicate` to the last; nil where none does.
    fileprivate func hull(where predicate: (Int) -> Bool) -> Range<Int>? {
        guard let first = first(where: predicate), let last = last(where: predicate) else { return nil }
        return first..<last + 1
    }
}
