import Filters
import Imaging

/// A masked blur on a device: the kernels of its passes, and the tables that they read.
final class BlurKernels {
    let linearise, mix: OpenCLKernel
    private let shrinkAlongX, shrinkAlongY, blurAlongX, blurAlongY, widenAlongY: OpenCLKernel
    private let mask, weights, shrinkWeights, widenWeights, widenPattern: OpenCLBuffer
    private let needsRow, needsShrunkRow, needsBlurredRow: OpenCLBuffer
    private let masksRows: Bool
    private let span: Int
    private let grid: BlurGrid

    init(
        _ blur: MaskedBlur, segment: Segment, program: OpenCLProgram, photo: PhotoGeometry,
        device: OpenCLDevice
    ) throws(DeviceError) {
        func table(_ values: [Float]) throws(DeviceError) -> OpenCLBuffer {
            try OpenCLBuffer(device, constants: values)
        }
        func table(_ marks: [Bool]) throws(DeviceError) -> OpenCLBuffer {
            try table(marks.map { $0 ? Float(1) : 0 })
        }
        let passes = try device.program(ProgramSource(passesOf: blur.gaussian, blocks: segment.blocks))
        span = segment.blocks.blurSpan
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
    }

    /// Prepares `linearise`, to run over all rows of `input`.
    func setLinearise(
        from input: SegmentKernels.Place, arguments: OpenCLBuffer, width: Int, scratch: BlurScratch
    ) throws(DeviceError) {
        try linearise.set(
            [.buffer(input.buffer), .buffer(scratch.linear.buffer.handle), .buffer(arguments.handle)]
                + [.buffer(needsRow.handle)]
                + ([width, input.rows.count, input.rows.lowerBound] + input.planes).map { .int($0) }
                + scratch.linear.sizes)
    }

    /// Queues the passes between `linearise` and `mix`.
    ///
    /// - Returns: the blur of the photo's rows `output`; not widened along x.
    func runPasses(
        from input: Range<Int>, to output: Range<Int>, planes: Int, scratch: BlurScratch, queue: OpenCLQueue
    ) throws(DeviceError) -> BlurScratch.Planes {
        let blurred = grid.blurredRows(for: output), shrunk = grid.shrunkRows(forBlurred: blurred)
        func run(
            _ kernel: OpenCLKernel, _ from: BlurScratch.Planes, _ to: BlurScratch.Planes,
            _ tables: OpenCLBuffer..., ints: [Int], columns: Range<Int>, rows: Range<Int>
        ) throws(DeviceError) {
            try kernel.set(
                [.buffer(from.buffer.handle), .buffer(to.buffer.handle)] + tables.map { .buffer($0.handle) }
                    + (ints + [columns.count, rows.count]).map { .int($0) } + from.sizes + to.sizes)
            try queue.run(kernel, columns.count.dividedRoundingUp(by: span), rows.count, planes)
        }
        var source = scratch.linear, rows = input
        var needs = needsRow, neededRow = input.lowerBound
        if grid.factor > 1 {
            try run(
                shrinkAlongX, scratch.linear, scratch.first, shrinkWeights, needsRow,
                ints: [neededRow, grid.shrunkColumns.lowerBound, grid.width],
                columns: grid.shrunkColumns, rows: input)
            source = scratch.second
            rows = shrunk
            needs = needsShrunkRow
            neededRow = shrunk.lowerBound - grid.shrunkRows.lowerBound
            try run(
                shrinkAlongY, scratch.first, source, shrinkWeights, needs,
                ints: [neededRow, rows.lowerBound, input.lowerBound, grid.height],
                columns: grid.shrunkColumns, rows: rows)
        }
        let firstColumn = grid.blurredColumns.lowerBound - grid.shrunkColumns.lowerBound
        try run(
            blurAlongX, source, scratch.first, weights, needs,
            ints: [neededRow, grid.radius, firstColumn, grid.shrunkColumns.count],
            columns: grid.blurredColumns, rows: rows)
        // What the blur along x read has served; the result takes its place.
        try run(
            blurAlongY, scratch.first, source, weights, needsBlurredRow,
            ints: [
                blurred.lowerBound - grid.blurredRows.lowerBound, grid.radius,
                blurred.lowerBound - rows.lowerBound, rows.count,
            ], columns: grid.blurredColumns, rows: blurred)
        guard grid.factor > 1 else { return source }
        try run(
            widenAlongY, source, scratch.first, widenWeights, mask,
            ints: [masksRows ? 1 : 0, blurred.lowerBound, output.lowerBound],
            columns: grid.blurredColumns, rows: output)
        return scratch.first
    }

    /// Prepares `mix`, to run over all rows of `output`.
    func setMix(
        _ blurred: BlurScratch.Planes, from input: SegmentKernels.Place, to output: SegmentKernels.Place,
        arguments: OpenCLBuffer, width: Int
    ) throws(DeviceError) {
        let rows = output.rows
        try mix.set(
            [.buffer(input.buffer), .buffer(blurred.buffer.handle), .buffer(output.buffer)]
                + [.buffer(arguments.handle), .buffer(mask.handle), .buffer(widenPattern.handle)]
                + [width, rows.count, rows.lowerBound, rows.lowerBound - input.rows.lowerBound, 0]
                .map { .int($0) }
                + (input.planes + output.planes).map { .int($0) } + blurred.sizes)
    }
}

/// Planes of floats that blurs work in.
struct BlurScratch {
    struct Planes {
        let buffer: OpenCLBuffer
        let shape: FloatPlanes

        /// As kernels take them.
        var sizes: [OpenCLKernel.Argument] { [.int(shape.stride), .int(shape.plane)] }
    }

    /// The photo's rows in linear light.
    let linear: Planes
    /// What the passes write in turn; `second` is used only where a blur shrinks.
    let first, second: Planes

    /// - Parameters:
    ///   - rows: the most rows of the photo that a strip's window has.
    ///   - blurs: all that take turns.
    init(_ blurs: [MaskedBlur], width: Int, rows: Int, hasAlpha: Bool, lane: OpenCLLane)
        throws(DeviceError)
    {
        func planes(width: Int, rows: Int) throws(DeviceError) -> Planes {
            let shape = FloatPlanes(width: width, rows: rows, hasAlpha: hasAlpha)
            return Planes(buffer: try lane.deviceBlock(byteCount: shape.byteCount), shape: shape)
        }
        // A shrunk form reaches past the photo by its blur's radius, and by a widened pixel.
        func shrunk(_ count: Int, _ blur: MaskedBlur) -> Int {
            count.dividedRoundingUp(by: blur.gaussian.factor) + 2 * blur.gaussian.radius + 5
        }
        let shrinking = blurs.filter { $0.gaussian.factor > 1 }
        linear = try planes(width: width, rows: rows)
        let shrunkWidth = shrinking.map { shrunk(width, $0) }.max() ?? 1
        let shrunkRows = shrinking.map { shrunk(rows, $0) }.max() ?? 1
        first = try planes(
            width: max(shrunkWidth, shrinking.count < blurs.count ? width : 0), rows: max(rows, shrunkRows))
        second = try planes(width: shrunkWidth, rows: shrunkRows)
    }
}
