import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// The first kernel of a blur or a resampling: the point stages before it, then linear light, in planes of floats.
struct LineariseKernel {
    let program: OpenCLProgram
    private let kernel: OpenCLKernel
    private let arguments: OpenCLBuffer
    private let width: Int
    private let view: kernels_view
    private let block: BlockSize

    /// - Parameters:
    ///   - arguments: the arguments of the segment's point stages.
    ///   - converts: false keeps values as they are.
    init(
        _ segment: Segment, arguments: OpenCLBuffer, converts: Bool = true, device: OpenCLDevice
    ) throws(DeviceError) {
        program = try device.program(ProgramSource(linearisingFor: segment, converts: converts))
        kernel = try program.kernel("linearise")
        self.arguments = arguments
        width = segment.photo.width
        view = kernels_view(segment.photo)
        block = BlockSize(segment.input, .floats)
    }

    /// Queues the kernel for rows of the photo.
    ///
    /// - Parameters:
    ///   - rows: start at a row of chroma samples.
    ///   - needed: a table of the photo's rows: whether anything depends on them.
    func run(
        _ rows: Range<Int>, from input: SegmentKernels.Place, to result: BlurPasses.Rows,
        _ needed: OpenCLBuffer, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let params = kernels_linearise_params(
            width: Int32(width), rows: Int32(rows.count), photo_row: Int32(rows.lowerBound),
            in_row: Int32(rows.lowerBound - input.rows.lowerBound),
            to_row: Int32(rows.lowerBound - result.firstRow), first_photo_row: Int32(result.firstRow),
            in: input.planes, to: result.planes.shape.params, view: view)
        try kernel.set(
            [input.buffer, result.planes.buffer.handle, arguments.handle, needed.handle], params)
        try queue.run(kernel, over: block, width: width, rows: rows.count)
    }
}
