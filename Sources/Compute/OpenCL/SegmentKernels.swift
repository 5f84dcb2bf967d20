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
    private let blur: BlurKernels?
    private let arguments: OpenCLBuffer

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
        blur = try BlurKernels(stage, segment: segment, program: program, photo: photo, device: device)
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
        _ blur: BlurKernels, from input: Place, to output: Place, width: Int, scratch: BlurScratch,
        queue: OpenCLQueue
    ) throws(DeviceError) {
        try blur.setLinearise(from: input, arguments: arguments, width: width, scratch: scratch)
        try runOverBlocks(blur.linearise, width: width, rows: input.rows.count, queue)
        let blurred = try blur.runPasses(
            from: input.rows, to: output.rows, planes: segment.hasAlpha ? 4 : 3, scratch: scratch,
            queue: queue)
        try blur.setMix(blurred, from: input, to: output, arguments: arguments, width: width)
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

/// Sizes of planes of floats, in floats.
struct FloatPlanes: Hashable {
    let stride: Int
    let plane: Int
    let byteCount: Int

    init(width: Int, rows: Int, hasAlpha: Bool) {
        stride = width.roundedUp(toMultipleOf: 16)
        plane = stride * rows
        // Vectors may be read from any of them.
        byteCount = (plane * (hasAlpha ? 4 : 3) + 16) * MemoryLayout<Float>.stride
    }

    /// As `SegmentKernels.Place` has them.
    var planes: [Int] { [stride, plane, 2 * plane, 3 * plane] }
}
