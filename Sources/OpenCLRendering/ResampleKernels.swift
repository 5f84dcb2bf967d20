import CPURendering
import Filters
import Imaging
import Kernels
import Rendering

/// A resampling on a device. Each row of the photo is linearised once; rows that the next strip needs too are kept.
final class ResampleKernels {
    /// The programs of all kernels.
    let programs: [OpenCLProgram]
    private let resampling: Resampling
    private let segment: Segment
    private let linearise, resizeY, resizeX: OpenCLKernel
    private let arguments, needed, rowStarts, rowWeights, columnStarts, columnWeights: OpenCLBuffer
    /// Rows of the photo, and sums of them along y.
    private let linear: RollingPlanes
    private let sums: DevicePlanes
    private let view: kernels_view

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
        self.arguments = arguments
        view = kernels_view(segment.photo)
        let device = lane.device, photo = segment.photo
        let linearising = try device.program(
            ProgramSource(linearisingFor: segment, converts: !resampling.onlyMoves))
        let resizing = try device.program(ProgramSource(resizing: resampling, hasAlpha: segment.hasAlpha))
        programs = [linearising, resizing]
        linearise = try linearising.kernel("linearise")
        resizeY = try resizing.kernel("resize_y")
        resizeX = try resizing.kernel("resize_x")
        needed = try device.constants(Array(repeating: 1, count: photo.height))
        func starts(_ axis: ResamplingAxis) throws(DeviceError) -> OpenCLBuffer {
            try device.constants(axis.starts.map { Float($0) })
        }
        rowStarts = try starts(resampling.rows)
        columnStarts = try starts(resampling.columns)
        rowWeights = try device.constants(resampling.rows.weights)
        columnWeights = try device.constants(resampling.columns.weights)
        linear = try RollingPlanes(
            width: photo.width, rows: sourceRows, hasAlpha: segment.hasAlpha, lane: lane)
        let shape = FloatPlanes(width: photo.width, rows: rows, hasAlpha: segment.hasAlpha)
        sums = DevicePlanes(buffer: try lane.deviceBlock(byteCount: shape.byteCount), shape: shape)
    }

    private var planeCount: Int { segment.hasAlpha ? 4 : 3 }

    /// Queues the segment for `rows` of the result, which follow the rows of the previous call.
    func run(
        from input: SegmentKernels.Place, to output: SegmentKernels.Place, rows: Range<Int>,
        queue: OpenCLQueue
    ) throws(DeviceError) {
        let first = resampling.rows.starts[rows.lowerBound]
        let added = try linear.advance(to: first..<input.rows.upperBound, queue: queue)
        try linearise(added, from: input, queue)
        let columns = resampling.columns.sources(of: 0..<resampling.columns.count)
        try resizeY.set(
            [linear.planes.buffer.handle, sums.buffer.handle, rowStarts.handle, rowWeights.handle],
            kernels_resize_y_params(
                columns: Int32(columns.upperBound), rows: Int32(rows.count),
                first_row: Int32(rows.lowerBound),
                from_row: Int32(linear.rows.lowerBound), taps: Int32(resampling.rows.tapCount),
                from: linear.planes.shape.params, to: sums.shape.params))
        try queue.run(resizeY, columns.upperBound, rows.count, planeCount)
        let floatByteCount = Int32(MemoryLayout<Float>.stride)
        try resizeX.set(
            [sums.buffer.handle, output.buffer, columnStarts.handle, columnWeights.handle],
            kernels_resize_x_params(
                columns: Int32(resampling.columns.count), rows: Int32(rows.count),
                to_row: Int32(rows.lowerBound - output.rows.lowerBound), from_column: 0,
                taps: Int32(resampling.columns.tapCount), from: sums.shape.params,
                to: kernels_float_planes(
                    stride: output.planes.stride / floatByteCount,
                    plane: output.planes.second / floatByteCount)))
        try queue.run(resizeX, resampling.columns.count, rows.count)
    }

    /// Converts rows of the photo to linear light, into `linear`.
    private func linearise(
        _ rows: Range<Int>, from input: SegmentKernels.Place, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        guard !rows.isEmpty else { return }
        let block = BlockSize(segment.input, .floats)
        // Starts at a row of chroma samples.
        let start = rows.lowerBound - rows.lowerBound % block.height
        let params = kernels_linearise_params(
            width: Int32(segment.photo.width), rows: Int32(rows.upperBound - start), photo_row: Int32(start),
            in_row: Int32(start - input.rows.lowerBound), to_row: Int32(start - linear.rows.lowerBound),
            first_photo_row: Int32(rows.lowerBound), in: input.planes, to: linear.planes.shape.params,
            view: view)
        try linearise.set(
            [input.buffer, linear.planes.buffer.handle, arguments.handle, needed.handle], params)
        try queue.run(linearise, over: block, width: segment.photo.width, rows: rows.upperBound - start)
    }
}
