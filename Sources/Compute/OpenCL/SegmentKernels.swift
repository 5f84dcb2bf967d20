import COpenCL
import Filters
import Imaging

/// One segment of a plan on a device: its kernels, and the tables that they read.
final class SegmentKernels {
    /// A strip (or planes of floats) as kernels see it: memory, the photo's rows in it, and where its planes
    /// lie.
    struct Place {
        let buffer: cl_mem
        let rows: Range<Int>
        /// Row stride, second and third plane, chroma stride (for floats: fourth plane).
        let planes: [Int]
    }

    let segment: Segment
    private let points: OpenCLKernel?
    private let blur: Blur?
    private let arguments: OpenCLBuffer

    private struct Blur {
        let linearise, alongX, alongY, mix: OpenCLKernel
        let weights, mask, neededRows: OpenCLBuffer
        let toLinear, fromLinear: OpenCLBuffer
        let radius: Int
        let masksRows: Bool
    }

    init(_ segment: Segment, photo: PhotoGeometry, device: OpenCLDevice) throws(DeviceError) {
        self.segment = segment
        let program = try device.program(ProgramSource(segment))
        arguments = try OpenCLBuffer(device, constants: segment.arguments)
        guard let stage = segment.blur else {
            points = try program.kernel("filter_points")
            blur = nil
            return
        }
        points = nil
        let passes = try device.program(.blurPasses)
        let needed = stage.neededRows(height: photo.height).map { $0 ? Float(1) : 0 }
        blur = Blur(
            linearise: try program.kernel("linearise"), alongX: try passes.kernel("blur_along_x"),
            alongY: try passes.kernel("blur_along_y"), mix: try program.kernel("mix_blur"),
            weights: try OpenCLBuffer(device, constants: stage.weights),
            mask: try OpenCLBuffer(device, constants: stage.mask),
            neededRows: try OpenCLBuffer(device, constants: needed),
            toLinear: try OpenCLBuffer(device, constants: TransferTables.toLinear),
            fromLinear: try OpenCLBuffer(device, constants: TransferTables.fromLinear), radius: stage.radius,
            masksRows: stage.axis == .rows)
    }

    /// Queues the segment over the rows of `output`.
    func run(
        from input: Place, to output: Place, width: Int, scratch: BlurScratch?, queue: OpenCLQueue
    ) throws(DeviceError) {
        if let points {
            try points.set(
                [.buffer(input.buffer), .buffer(output.buffer), .buffer(arguments.handle)]
                    + [width, output.rows.count, output.rows.lowerBound - input.rows.lowerBound, 0].map {
                        .int($0)
                    }
                    + (input.planes + output.planes).map { .int($0) })
            try runOverBlocks(points, width: width, rows: output.rows.count, queue)
        } else if let blur, let scratch {
            try run(blur, from: input, to: output, width: width, scratch: scratch, queue: queue)
        }
    }

    private func run(
        _ blur: Blur, from input: Place, to output: Place, width: Int, scratch: BlurScratch,
        queue: OpenCLQueue
    ) throws(DeviceError) {
        let rows = input.rows.count, firstRow = input.rows.lowerBound
        let inRow = output.rows.lowerBound - firstRow
        let sizes = [OpenCLKernel.Argument.int(scratch.stride), .int(scratch.plane)]
        let planes = segment.hasAlpha ? 4 : 3
        try blur.linearise.set(
            [.buffer(input.buffer), .buffer(scratch.linear.handle), .buffer(arguments.handle)]
                + [.buffer(blur.toLinear.handle), .buffer(blur.neededRows.handle)]
                + ([width, rows, firstRow] + input.planes).map { .int($0) } + sizes)
        try runOverBlocks(blur.linearise, width: width, rows: rows, queue)
        try blur.alongX.set(
            [.buffer(scratch.linear.handle), .buffer(scratch.blurredAlongX.handle)]
                + [.buffer(blur.weights.handle), .buffer(blur.neededRows.handle)]
                + [blur.radius, width, rows, firstRow].map { .int($0) } + sizes)
        try queue.run(blur.alongX, width, rows, planes)
        // The linear rows have served; the result takes their place.
        try blur.alongY.set(
            [.buffer(scratch.blurredAlongX.handle), .buffer(scratch.linear.handle)]
                + [.buffer(blur.weights.handle), .buffer(blur.mask.handle)]
                + [
                    blur.masksRows ? 1 : 0, blur.radius, width, output.rows.count, output.rows.lowerBound,
                    inRow, rows,
                ].map {
                    .int($0)
                } + sizes)
        try queue.run(blur.alongY, width, output.rows.count, planes)
        try blur.mix.set(
            [
                .buffer(input.buffer), .buffer(scratch.linear.handle), .buffer(output.buffer),
                .buffer(arguments.handle),
            ]
                + [.buffer(blur.toLinear.handle), .buffer(blur.fromLinear.handle), .buffer(blur.mask.handle)]
                + [width, output.rows.count, output.rows.lowerBound, inRow, 0].map { .int($0) }
                + (input.planes + output.planes).map { .int($0) } + sizes)
        try runOverBlocks(blur.mix, width: width, rows: output.rows.count, queue)
    }

    private func runOverBlocks(
        _ kernel: OpenCLKernel, width: Int, rows: Int, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        try queue.run(
            kernel, width.dividedRoundingUp(by: segment.blockWidth),
            rows.dividedRoundingUp(by: segment.blockHeight))
    }
}

/// Planes of floats that a blur works in.
struct BlurScratch {
    let linear, blurredAlongX: OpenCLBuffer
    /// Floats a row.
    let stride: Int
    /// Floats a plane.
    let plane: Int

    init(_ lane: OpenCLLane, width: Int, rows: Int, hasAlpha: Bool) throws(DeviceError) {
        let shape = FloatPlanes(width: width, rows: rows, hasAlpha: hasAlpha)
        stride = shape.stride
        plane = shape.plane
        linear = try lane.deviceBlock(byteCount: shape.byteCount)
        blurredAlongX = try lane.deviceBlock(byteCount: shape.byteCount)
    }
}

/// Sizes of planes of floats, in floats.
struct FloatPlanes {
    let stride: Int
    let plane: Int
    let byteCount: Int

    init(width: Int, rows: Int, hasAlpha: Bool) {
        stride = width.roundedUp(toMultipleOf: 16)
        plane = stride * rows
        byteCount = plane * (hasAlpha ? 4 : 3) * MemoryLayout<Float>.stride
    }

    /// As `SegmentKernels.Place` has them.
    var planes: [Int] { [stride, plane, 2 * plane, 3 * plane] }
}
