import Filters
import Imaging

/// A masked blur on a device: its parts, and the kernels before and after them.
final class BlurKernels {
    private let segment: Segment
    private let linearise, mix: OpenCLKernel
    private let parts: [BlurPartKernels]
    private let mask, arguments: OpenCLBuffer
    private let width: Int
    /// Where the parts lay their rows and columns together, at full size; nil where there is one blur for all, which the
    /// last kernel widens along x.
    private let joined: DevicePlanes?

    /// - Parameters:
    ///   - arguments: of the segment's point stages.
    ///   - rows: the most rows of the result that one call of `run` makes.
    init(
        _ blur: MaskedBlur, segment: Segment, program: OpenCLProgram, arguments: OpenCLBuffer,
        photo: PhotoGeometry, rows: Int, lane: OpenCLLane
    ) throws(DeviceError) {
        self.segment = segment
        self.arguments = arguments
        width = photo.width
        linearise = try program.kernel("linearise")
        mix = try program.kernel("mix_blur")
        mask = try lane.device.constants(blur.mask)
        parts = try blur.parts.map { (part) throws(DeviceError) in
            try BlurPartKernels(part, axis: blur.axis, segment: segment, photo: photo, rows: rows, lane: lane)
        }
        if blur.sigmaChanges {
            let shape = FloatPlanes(width: photo.width, rows: rows, hasAlpha: segment.hasAlpha)
            joined = DevicePlanes(buffer: try lane.deviceBlock(byteCount: shape.byteCount), shape: shape)
        } else {
            joined = nil
        }
    }

    /// The programs of the passes.
    var programs: [OpenCLProgram] { parts.flatMap(\.programs) }

    /// Queues the segment over `rows`, which follow those of the call before.
    func run(
        from input: SegmentKernels.Place, to output: SegmentKernels.Place, rows: Range<Int>,
        scratch: BlurScratch, queue: OpenCLQueue
    ) throws(DeviceError) {
        var blurred: DevicePlanes?
        for part in parts {
            blurred = try part.run(rows, joined: joined, scratch: scratch, queue: queue) {
                (rows, planes, first, needed) throws(DeviceError) in
                try linearise(rows, from: input, to: planes, from: first, needed, queue)
            }
        }
        guard let blurred else { return }
        let buffers: [OpenCLKernel.Argument] = [
            .buffer(input.buffer), .buffer(blurred.buffer.handle), .buffer(output.buffer),
            .buffer(arguments.handle), .buffer(mask.handle), .buffer(parts[0].widenPattern.handle),
        ]
        let sizes = [
            width, rows.count, rows.lowerBound, rows.lowerBound - input.rows.lowerBound,
            rows.lowerBound - output.rows.lowerBound,
        ]
        let places = (sizes + input.planes + output.planes).map { OpenCLKernel.Argument.int($0) }
        try mix.set(buffers + places + blurred.shape.arguments)
        try queue.run(mix, overBlocksOf: segment, width: width, rows: rows.count)
    }

    /// Makes rows of the photo linear.
    ///
    /// - Parameters:
    ///   - rows: begin where chroma samples do.
    ///   - first: the row of the photo that is row 0 of `planes`.
    private func linearise(
        _ rows: Range<Int>, from input: SegmentKernels.Place, to planes: DevicePlanes, from first: Int,
        _ needed: OpenCLBuffer, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let buffers: [OpenCLKernel.Argument] = [
            .buffer(input.buffer), .buffer(planes.buffer.handle), .buffer(arguments.handle),
            .buffer(needed.handle),
        ]
        let sizes = [
            width, rows.count, rows.lowerBound, rows.lowerBound - input.rows.lowerBound,
            rows.lowerBound - first, first,
        ]
        let places = (sizes + input.planes).map { OpenCLKernel.Argument.int($0) }
        try linearise.set(buffers + places + planes.shape.arguments)
        try queue.run(linearise, overBlocksOf: segment, width: width, rows: rows.count)
    }
}
