import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// A masked blur on a device: its parts, and the kernels before and after them.
final class BlurKernels {
    /// The programs of all kernels.
    let programs: [OpenCLProgram]
    private let segment: Segment
    private let linearise: LineariseKernel
    private let mix: OpenCLKernel
    private let parts: [BlurPartKernels]
    private let mask, arguments: OpenCLBuffer
    private let width: Int
    private let view: kernels_view
    /// Where the parts store their rows and columns, at full size. Nil with a single gaussian: the last
    /// kernel then upsamples its result along x.
    private let joined: DevicePlanes?

    /// - Parameters:
    ///   - arguments: the arguments of the segment's point stages.
    ///   - rows: the most rows of the result in one call of `run`.
    ///   - inputRows: the most rows that such a call's input adds.
    init(
        _ blur: MaskedBlur, segment: Segment, arguments: OpenCLBuffer, photo: PhotoGeometry, rows: Int,
        inputRows: Int, lane: OpenCLLane
    ) throws(DeviceError) {
        self.segment = segment
        self.arguments = arguments
        width = photo.width
        view = kernels_view(photo)
        linearise = try LineariseKernel(segment, arguments: arguments, device: lane.device)
        let mixing = try lane.device.program(ProgramSource(mixing: blur, in: segment))
        mix = try mixing.kernel("mix_blur")
        mask = try lane.device.constants(blur.mask)
        parts = try blur.parts.map { (part) throws(DeviceError) in
            try BlurPartKernels(
                part, axis: blur.axis, segment: segment, photo: photo, rows: rows, inputRows: inputRows,
                lane: lane)
        }
        programs = [linearise.program, mixing] + parts.flatMap(\.passes.programs)
        if blur.sigmaChanges {
            let shape = FloatPlanes(width: photo.width, rows: rows, hasAlpha: segment.hasAlpha)
            joined = DevicePlanes(buffer: try lane.deviceBlock(byteCount: shape.byteCount), shape: shape)
        } else {
            joined = nil
        }
    }

    /// Queues the segment for `rows`, which follow the rows of the previous call.
    func run(
        from input: SegmentKernels.Place, to output: SegmentKernels.Place, rows: Range<Int>,
        scratch: BlurScratch, queue: OpenCLQueue
    ) throws(DeviceError) {
        var blurred: DevicePlanes?
        for part in parts {
            blurred = try part.run(rows, joined: joined, scratch: scratch, queue: queue) {
                (rows, result, needed) throws(DeviceError) in
                try linearise.run(rows, from: input, to: result, needed, queue)
            }
        }
        guard let blurred else { return }
        let params = kernels_mix_params(
            width: Int32(width), rows: Int32(rows.count), photo_row: Int32(rows.lowerBound),
            in_row: Int32(rows.lowerBound - input.rows.lowerBound),
            out_row: Int32(rows.lowerBound - output.rows.lowerBound),
            factor_log2: Int32(parts[0].passes.factor.trailingZeroBitCount), in: input.planes,
            out: output.planes, blurred: blurred.shape.params, view: view)
        try mix.set(
            [
                input.buffer, blurred.buffer.handle, output.buffer, arguments.handle, mask.handle,
                parts[0].passes.upsampleWeights.handle,
            ], params)
        try queue.run(mix, over: BlockSize(segment.input, segment.output), width: width, rows: rows.count)
    }
}
