import Filters
import Imaging

/// A masked blur on a device: the kernels of its passes, and the tables that they read.
///
/// Each row of the photo is made linear, shrunk and blurred along x once; the next strip finds the rows that
/// it needs as well.
final class BlurKernels {
    /// The program of the passes.
    let passes: OpenCLProgram
    private let segment: Segment
    private let linearise, mix: OpenCLKernel
    private let shrinkAlongX, shrinkAlongY, blurAlongX, blurAlongY, widenAlongY: OpenCLKernel
    private let mask, weights, shrinkWeights, widenWeights, widenPattern: OpenCLBuffer
    private let needsRow, needsShrunkRow, needsBlurredRow: OpenCLBuffer
    private let arguments: OpenCLBuffer
    private let masksRows: Bool
    private let grid: BlurGrid
    /// Shrunk rows, blurred along x.
    private let alongX: RollingPlanes

    /// - Parameters:
    ///   - arguments: of the segment's point stages.
    ///   - rows: the most rows of the photo that one call of `run` works on, of its input or its output.
    init(
        _ blur: MaskedBlur, segment: Segment, program: OpenCLProgram, arguments: OpenCLBuffer,
        photo: PhotoGeometry, rows: Int, lane: OpenCLLane
    ) throws(DeviceError) {
        let device = lane.device
        func table(_ values: [Float]) throws(DeviceError) -> OpenCLBuffer {
            try device.constants(values)
        }
        func table(_ marks: [Bool]) throws(DeviceError) -> OpenCLBuffer {
            try table(marks.map { $0 ? Float(1) : 0 })
        }
        self.segment = segment
        self.arguments = arguments
        passes = try device.program(ProgramSource(passesOf: blur.gaussian, blocks: segment.blocks))
        linearise = try program.kernel("linearise")
        mix = try program.kernel("mix_blur")
        shrinkAlongX = try passes.kernel("shrink_along_x")
        shrinkAlongY = try passes.kernel("shrink_along_y")
        blurAlongX = try passes.kernel("blur_along_x")
        blurAlongY = try passes.kernel("blur_along_y")
        widenAlongY = try passes.kernel("widen_along_y")
        grid = BlurGrid(blur, width: photo.width, height: photo.height)
        mask = try table(blur.mask)
        weights = try table(blur.gaussian.weights)
        shrinkWeights = try table(blur.gaussian.shrinkWeights)
        widenWeights = try table(blur.gaussian.widenWeights)
        widenPattern = try table(blur.gaussian.widenPattern)
        needsRow = try table(grid.needsRow)
        needsShrunkRow = try table(grid.needsShrunkRow)
        needsBlurredRow = try table(grid.needsBlurredRow)
        masksRows = blur.axis == .rows
        alongX = try RollingPlanes(
            width: grid.blurredColumns.count, rows: blur.gaussian.shrunkCount(of: rows),
            hasAlpha: segment.hasAlpha, lane: lane)
    }

    /// Queues the segment over `rows`, which follow those of the call before.
    func run(
        from input: SegmentKernels.Place, to output: SegmentKernels.Place, rows: Range<Int>,
        scratch: BlurScratch, queue: OpenCLQueue
    ) throws(DeviceError) {
        let blurred = grid.blurredRows(for: rows), shrunk = grid.shrunkRows(forBlurred: blurred)
        let added = try alongX.advance(to: shrunk, queue: queue)
        if !added.isEmpty { try makeAlongX(added, from: input, scratch: scratch, queue: queue) }
        try run(
            blurAlongY, from: alongX.planes, to: scratch.second, weights, needsBlurredRow,
            ints: [
                blurred.lowerBound - grid.blurredRows.lowerBound, grid.radius,
                blurred.lowerBound - shrunk.lowerBound, shrunk.count,
            ], columns: grid.blurredColumns, rows: blurred, queue)
        var result = scratch.second
        if grid.factor > 1 {
            try run(
                widenAlongY, from: result, to: scratch.first, widenWeights, mask,
                ints: [masksRows ? 1 : 0, blurred.lowerBound, rows.lowerBound],
                columns: grid.blurredColumns, rows: rows, queue)
            result = scratch.first
        }
        try mix.set(
            [.buffer(input.buffer), .buffer(result.buffer.handle), .buffer(output.buffer)]
                + [.buffer(arguments.handle), .buffer(mask.handle), .buffer(widenPattern.handle)]
                + [
                    grid.width, rows.count, rows.lowerBound, rows.lowerBound - input.rows.lowerBound,
                    rows.lowerBound - output.rows.lowerBound,
                ].map { .int($0) }
                + (input.planes + output.planes).map { .int($0) } + result.shape.arguments)
        try queue.run(mix, overBlocksOf: segment, width: grid.width, rows: rows.count)
    }

    /// Makes shrunk rows, blurred along x.
    private func makeAlongX(
        _ added: Range<Int>, from input: SegmentKernels.Place, scratch: BlurScratch, queue: OpenCLQueue
    ) throws(DeviceError) {
        let photoRows = grid.photoRows(ofShrunk: added)
        let firstColumn = grid.blurredColumns.lowerBound - grid.shrunkColumns.lowerBound
        func blurAlongX(_ rows: Range<Int>, of source: DevicePlanes) throws(DeviceError) {
            try run(
                self.blurAlongX, from: source, to: alongX.planes, weights, needsShrunkRow,
                ints: [
                    rows.lowerBound - grid.shrunkRows.lowerBound, rows.lowerBound - alongX.rows.lowerBound,
                    grid.radius, firstColumn, grid.shrunkColumns.count,
                ], columns: grid.blurredColumns, rows: rows, queue)
        }
        // Where its chroma samples begin.
        var next = photoRows.lowerBound - photoRows.lowerBound % segment.blockHeight
        let first = next
        while next < photoRows.upperBound {
            let rows = next..<min(next + scratch.linearRows, photoRows.upperBound)
            next = rows.upperBound
            try linearise.set(
                [.buffer(input.buffer), .buffer(scratch.linear.buffer.handle), .buffer(arguments.handle)]
                    + [.buffer(needsRow.handle)]
                    + ([grid.width, rows.count, rows.lowerBound, rows.lowerBound - input.rows.lowerBound]
                    + input.planes).map { .int($0) }
                    + scratch.linear.shape.arguments)
            try queue.run(linearise, overBlocksOf: segment, width: grid.width, rows: rows.count)
            if grid.factor == 1 {
                try blurAlongX(rows, of: scratch.linear)
            } else {
                try run(
                    shrinkAlongX, from: scratch.linear, to: scratch.first, shrinkWeights, needsRow,
                    ints: [
                        rows.lowerBound, rows.lowerBound - first, grid.shrunkColumns.lowerBound, grid.width,
                    ],
                    columns: grid.shrunkColumns, rows: rows, queue)
            }
        }
        guard grid.factor > 1 else { return }
        try run(
            shrinkAlongY, from: scratch.first, to: scratch.second, shrinkWeights, needsShrunkRow,
            ints: [added.lowerBound - grid.shrunkRows.lowerBound, added.lowerBound, first, grid.height],
            columns: grid.shrunkColumns, rows: added, queue)
        try blurAlongX(added, of: scratch.second)
    }

    private func run(
        _ kernel: OpenCLKernel, from: DevicePlanes, to: DevicePlanes,
        _ tables: OpenCLBuffer..., ints: [Int], columns: Range<Int>, rows: Range<Int>, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        try kernel.set(
            [.buffer(from.buffer.handle), .buffer(to.buffer.handle)] + tables.map { .buffer($0.handle) }
                + (ints + [columns.count, rows.count]).map { .int($0) } + from.shape.arguments
                + to.shape.arguments)
        try queue.run(
            kernel, columns.count.dividedRoundingUp(by: segment.blocks.blurSpan), rows.count,
            segment.hasAlpha ? 4 : 3)
    }
}
