import CTintypeOpenCL
import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// One segment of a plan on a device: its kernels and their tables.
final class SegmentKernels {
    /// A strip, or planes of floats, as a kernel's argument: memory, the photo's rows in it, and the offsets
    /// of its planes.
    struct Place {
        let buffer: cl_mem
        let rows: Range<Int>
        let planes: kernels_planes
    }

    private enum Kernels {
        case points(OpenCLKernel, OpenCLProgram)
        case blur(BlurKernels)
        case resample(ResampleKernels)
        case window(WindowKernels)
    }

    private let segment: Segment
    private let kernels: Kernels
    private let arguments: OpenCLBuffer
    private let width: Int
    private let view: kernels_view

    /// - Parameters:
    ///   - rows: the most rows of the output in one call of `run`.
    ///   - inputRows: the most rows that such a call's input adds.
    ///   - sourceRows: the most rows of the input that a resampling or a window holds for it.
    init(
        _ segment: Segment, rows: Int, inputRows: Int, sourceRows: Int, lane: OpenCLLane
    ) throws(DeviceError) {
        let photo = segment.photo
        self.segment = segment
        arguments = try lane.device.constants(segment.arguments)
        width = photo.width
        view = kernels_view(photo)
        switch segment.pass {
        case .blur(let blur):
            kernels = .blur(
                try BlurKernels(
                    blur, segment: segment, arguments: arguments, photo: photo, rows: rows,
                    inputRows: inputRows, lane: lane))
        case .resample(let resampling):
            kernels = .resample(
                try ResampleKernels(
                    resampling, segment: segment, arguments: arguments, rows: rows, sourceRows: sourceRows,
                    lane: lane))
        case .window(_, let radius):
            kernels = .window(
                try WindowKernels(
                    radius: radius, segment: segment, arguments: arguments, sourceRows: sourceRows, lane: lane
                ))
        case nil:
            let program = try lane.device.program(ProgramSource(pointsOf: segment))
            kernels = .points(try program.kernel("filter_points"), program)
        }
    }

    /// The programs of all kernels.
    var programs: [OpenCLProgram] {
        switch kernels {
        case .points(_, let program): [program]
        case .blur(let blur): blur.programs
        case .resample(let resample): resample.programs
        case .window(let window): window.programs
        }
    }

    /// Queues the segment for `rows` of its output, which follow the rows of the previous call.
    func run(
        from input: Place, to output: Place, rows: Range<Int>, scratch: BlurScratch?, queue: OpenCLQueue
    ) throws(DeviceError) {
        switch kernels {
        case .points(let points, _):
            let params = kernels_points_params(
                width: Int32(width), rows: Int32(rows.count), photo_row: Int32(rows.lowerBound),
                in_row: Int32(rows.lowerBound - input.rows.lowerBound),
                out_row: Int32(rows.lowerBound - output.rows.lowerBound), in: input.planes,
                out: output.planes,
                view: view)
            try points.set([input.buffer, output.buffer, arguments.handle], params)
            try queue.run(
                points, over: BlockSize(segment.input, segment.output), width: width, rows: rows.count)
        case .blur(let blur):
            guard let scratch else { preconditionFailure("no scratch planes for a blur") }
            try blur.run(from: input, to: output, rows: rows, scratch: scratch, queue: queue)
        case .resample(let resample):
            try resample.run(from: input, to: output, rows: rows, queue: queue)
        case .window(let window):
            try window.run(from: input, to: output, rows: rows, queue: queue)
        }
    }
}

extension kernels_planes {
    /// One plane, or Y, Cb and Cr.
    ///
    /// - Parameter planes: of each, where it begins in its memory, and the bytes from row to row.
    init(_ planes: [(offset: Int, bytesPerRow: Int)]) {
        func offset(_ plane: Int) -> Int32 { planes.count > plane ? Int32(planes[plane].offset) : 0 }
        self.init(
            second: offset(1), third: offset(2), fourth: 0, stride: Int32(planes[0].bytesPerRow),
            chroma_stride: planes.count > 1 ? Int32(planes[1].bytesPerRow) : 0)
    }

    /// The layout of planes of floats.
    var floats: kernels_float_planes {
        let byteCount = Int32(MemoryLayout<Float>.stride)
        return kernels_float_planes(stride: stride / byteCount, plane: second / byteCount)
    }
}

extension OpenCLQueue {
    /// Runs a kernel whose work-items take blocks.
    func run(
        _ kernel: OpenCLKernel, over block: BlockSize, width: Int, rows: Int
    ) throws(DeviceError) {
        try run(
            kernel, width.dividedRoundingUp(by: block.width), rows.dividedRoundingUp(by: block.height))
    }
}
