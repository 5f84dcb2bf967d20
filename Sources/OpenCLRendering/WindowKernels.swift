import CPURendering
import Filters
import Imaging
import Kernels
import Rendering

/// A function of a window of pixels on a device. Each row of the photo is loaded once; rows that the next strip needs too
/// are kept.
final class WindowKernels {
    /// The programs of all kernels.
    let programs: [OpenCLProgram]
    private let radius: Int
    private let photo: PhotoGeometry
    private let loading: LineariseKernel
    private let window: OpenCLKernel
    private let arguments, needed: OpenCLBuffer
    private let rows: RollingPlanes
    private let granularity: Int

    /// - Parameters:
    ///   - arguments: the arguments of the segment's functions.
    ///   - sourceRows: the most rows of the photo that a call of `run` depends on.
    init(
        radius: Int, segment: Segment, arguments: OpenCLBuffer, sourceRows: Int, lane: OpenCLLane
    ) throws(DeviceError) {
        self.radius = radius
        self.arguments = arguments
        photo = segment.photo
        granularity = BlockSize(segment.input, .floats).height
        loading = try LineariseKernel(segment, arguments: arguments, converts: false, device: lane.device)
        let program = try lane.device.program(ProgramSource(windowOf: segment))
        window = try program.kernel("window_pass")
        programs = [loading.program, program]
        needed = try lane.device.constants(Array(repeating: 1, count: segment.photo.height))
        rows = try RollingPlanes(
            width: segment.photo.width, rows: sourceRows, hasAlpha: segment.hasAlpha, lane: lane)
    }

    /// Queues the segment for `rows` of the result, which follow the rows of the previous call.
    func run(
        from input: SegmentKernels.Place, to output: SegmentKernels.Place, rows wanted: Range<Int>,
        queue: OpenCLQueue
    ) throws(DeviceError) {
        let first = max(wanted.lowerBound - radius, 0)
        let added = try rows.advance(to: first..<input.rows.upperBound, queue: queue)
        if !added.isEmpty {
            // Starts at a row of chroma samples.
            let start = added.lowerBound - added.lowerBound % granularity
            try loading.run(
                start..<added.upperBound, from: input,
                to: .init(planes: rows.planes, firstRow: rows.rows.lowerBound), needed, queue)
        }
        try window.set(
            [rows.planes.buffer.handle, output.buffer, arguments.handle],
            kernels_window_params(
                width: Int32(photo.width), height: Int32(photo.height), rows: Int32(wanted.count),
                photo_row: Int32(wanted.lowerBound), from_row: Int32(rows.rows.lowerBound),
                to_row: Int32(wanted.lowerBound - output.rows.lowerBound), from: rows.planes.shape.params,
                to: output.planes.floats, view: kernels_view(photo)))
        try queue.run(window, photo.width, wanted.count)
    }
}
