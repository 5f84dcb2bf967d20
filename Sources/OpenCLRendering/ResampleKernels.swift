import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// A resampling on a device.
final class ResampleKernels {
    /// The programs of all kernels.
    let programs: [OpenCLProgram]
    private let resampling: Resampling
    private let segment: Segment
    private let resizeY, resizeX: OpenCLKernel
    private let rowStarts, rowWeights, columnStarts, columnWeights: OpenCLBuffer
    /// Rows of the photo, and sums of them along y.
    private let linear: LoadedPlanes
    private let sums: DevicePlanes

    /// - Parameters:
    ///   - arguments: the arguments of the segment's point stages.
    ///   - rows: the most rows of the result in one call of `run`.
    ///   - sourceRows: the most rows of the photo that these depend on.
    init(
        _ resampling: Resampling, segment: Segment, arguments: OpenCLBuffer, rows: Int, sourceRows: Int,
        lane: OpenCLLane
    ) throws(DeviceError) {
        self.resampling = resampling
        self.segment = segment
        let device = lane.device, photo = segment.photo
        linear = try LoadedPlanes(
            segment, arguments: arguments, rows: sourceRows, converts: !resampling.onlyMoves, lane: lane)
        let resizing = try device.program(ProgramSource(resizing: resampling, hasAlpha: segment.hasAlpha))
        programs = [linear.program, resizing]
        resizeY = try resizing.kernel("resize_y")
        resizeX = try resizing.kernel("resize_x")
        func starts(_ axis: ResamplingAxis) throws(DeviceError) -> OpenCLBuffer {
            try device.integerConstants(axis.starts.map { Int32($0) })
        }
        rowStarts = try starts(resampling.rows)
        columnStarts = try starts(resampling.columns)
        rowWeights = try device.constants(resampling.rows.weights)
        columnWeights = try device.constants(resampling.columns.weights)
        let shape = FloatPlanes(width: photo.width, rows: rows, hasAlpha: segment.hasAlpha)
        sums = DevicePlanes(buffer: try lane.deviceBlock(byteCount: shape.byteCount), shape: shape)
    }

    private var planeCount: Int { segment.hasAlpha ? 4 : 3 }

    /// Queues the segment for `rows` of the result, which follow the rows of the previous call.
    func run(
        from input: SegmentKernels.Place, to output: SegmentKernels.Place, rows: Range<Int>,
        queue: OpenCLQueue
    ) throws(DeviceError) {
        try linear.advance(to: resampling.rows.starts[rows.lowerBound], of: input, queue: queue)
        let columns = resampling.columns.sources(of: 0..<resampling.columns.count)
        try resizeY.set(
            [linear.planes.buffer.handle, sums.buffer.handle, rowStarts.handle, rowWeights.handle],
            kernels_resize_y_params(
                columns: Int32(columns.upperBound), rows: Int32(rows.count),
                first_row: Int32(rows.lowerBound),
                from_row: Int32(linear.firstRow), taps: Int32(resampling.rows.tapCount),
                from: linear.planes.shape.params, to: sums.shape.params))
        try queue.run(resizeY, columns.upperBound, rows.count, planeCount)
        try resizeX.set(
            [sums.buffer.handle, output.buffer, columnStarts.handle, columnWeights.handle],
            kernels_resize_x_params(
                columns: Int32(resampling.columns.count), rows: Int32(rows.count),
                to_row: Int32(rows.lowerBound - output.rows.lowerBound),
                taps: Int32(resampling.columns.tapCount), from: sums.shape.params,
                to: output.planes.floats))
        try queue.run(resizeX, resampling.columns.count, rows.count)
    }
}
