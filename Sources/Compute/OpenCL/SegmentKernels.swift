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
    private let program: OpenCLProgram
    private let points: OpenCLKernel?
    private let blur: BlurKernels?
    private let arguments: OpenCLBuffer
    private let width: Int

    /// - Parameter rows: the most rows of its output that one call of `run` makes.
    init(_ segment: Segment, photo: PhotoGeometry, rows: Int, lane: OpenCLLane) throws(DeviceError) {
        self.segment = segment
        program = try lane.device.program(ProgramSource(segment))
        arguments = try lane.device.constants(segment.arguments)
        width = photo.width
        guard let stage = segment.blur else {
            points = try program.kernel("filter_points")
            blur = nil
            return
        }
        points = nil
        blur = try BlurKernels(
            stage, segment: segment, program: program, arguments: arguments, photo: photo, rows: rows,
            lane: lane)
    }

    /// The programs that the kernels are of.
    var programs: [OpenCLProgram] { [program] + (blur?.programs ?? []) }

    /// Queues the segment over `rows` of its output, which follow those of the call before.
    func run(
        from input: Place, to output: Place, rows: Range<Int>, scratch: BlurScratch?, queue: OpenCLQueue
    ) throws(DeviceError) {
        if let points {
            try points.set(
                [.buffer(input.buffer), .buffer(output.buffer), .buffer(arguments.handle)]
                    + [
                        width, rows.count, rows.lowerBound - input.rows.lowerBound,
                        rows.lowerBound - output.rows.lowerBound,
                    ].map { .int($0) }
                    + (input.planes + output.planes).map { .int($0) })
            try queue.run(points, overBlocksOf: segment, width: width, rows: rows.count)
        } else if let blur, let scratch {
            try blur.run(from: input, to: output, rows: rows, scratch: scratch, queue: queue)
        }
    }
}

extension OpenCLQueue {
    /// Runs a kernel whose work-items take a segment's blocks.
    func run(
        _ kernel: OpenCLKernel, overBlocksOf segment: Segment, width: Int, rows: Int
    ) throws(DeviceError) {
        try run(
            kernel, width.dividedRoundingUp(by: segment.blockWidth),
            rows.dividedRoundingUp(by: segment.blockHeight))
    }
}
