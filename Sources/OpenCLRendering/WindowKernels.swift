import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// A function of a window of pixels on a device.
final class WindowKernels {
    /// The programs of all kernels.
    let programs: [OpenCLProgram]
    private let radius: Int
    private let photo: PhotoGeometry
    private let window: OpenCLKernel
    private let arguments: OpenCLBuffer
    private let rows: LoadedPlanes

    /// - Parameters:
    ///   - arguments: the arguments of the segment's functions.
    ///   - sourceRows: the most rows of the photo that a call of `run` depends on.
    init(
        radius: Int, segment: Segment, arguments: OpenCLBuffer, sourceRows: Int, lane: OpenCLLane
    ) throws(DeviceError) {
        self.radius = radius
        self.arguments = arguments
        photo = segment.photo
        rows = try LoadedPlanes(
            segment, arguments: arguments, rows: sourceRows, converts: false, lane: lane)
        let program = try lane.device.program(ProgramSource(windowOf: segment))
        window = try program.kernel("window_pass")
        programs = [rows.program, program]
    }

    /// Queues the segment for `rows` of the result, which follow the rows of the previous call.
    func run(
        from input: SegmentKernels.Place, to output: SegmentKernels.Place, rows wanted: Range<Int>,
        queue: OpenCLQueue
    ) throws(DeviceError) {
        try rows.advance(to: max(wanted.lowerBound - radius, 0), of: input, queue: queue)
        try window.set(
            [rows.planes.buffer.handle, output.buffer, arguments.handle],
            kernels_window_params(
                width: Int32(photo.width), height: Int32(photo.height), rows: Int32(wanted.count),
                photo_row: Int32(wanted.lowerBound), from_row: Int32(rows.firstRow),
                to_row: Int32(wanted.lowerBound - output.rows.lowerBound), from: rows.planes.shape.params,
                to: output.planes.floats, view: kernels_view(photo)))
        try queue.run(window, photo.width, wanted.count)
    }
}
