import CPURendering
import Filters
import Imaging
import Kernels
import Rendering

/// A masked blur on a device: its parts, and the kernels before and after them.
final class BlurKernels {
    /// The programs of all kernels.
    let programs: [OpenCLProgram]
    private let segment: Segment
    private let linearise, mix: OpenCLKernel
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
    init(
        _ blur: MaskedBlur, segment: Segment, arguments: OpenCLBuffer, photo: PhotoGeometry, rows: Int,
        lane: OpenCLLane
    ) throws(DeviceError) {
        self.segment = segment
        self.arguments = arguments
        width = photo.width
        view = kernels_view(photo)
        let linearising = try lane.device.program(ProgramSource(linearisingFor: segment))
        let mixing = try lane.device.program(ProgramSource(mixing: blur, in: segment))
        linearise = try linearising.kernel("linearise")
        mix = try mixing.kernel("mix_blur")
        mask = try lane.device.constants(blur.mask)
        parts = try blur.parts.map { (part) throws(DeviceError) in
            try BlurPartKernels(part, axis: blur.axis, segment: segment, photo: photo, rows: rows, lane: lane)
        }
        programs = [linearising, mixing] + parts.flatMap(\.passes.programs)
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
                try linearise(rows, from: input, to: result, needed, queue)
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

    /// Converts rows of the photo to linear light.
    ///
    /// - Parameters:
    ///   - rows: start at a row of chroma samples.
    ///   - needed: a table of the photo's rows: whether anything depends on them.
    private func linearise(
        _ rows: Range<Int>, from input: SegmentKernels.Place, to result: BlurPasses.Rows,
        _ needed: OpenCLBuffer, _ queue: OpenCLQueue
    ) throws(DeviceError) {
        let params = kernels_linearise_params(
            width: Int32(width), rows: Int32(rows.count), photo_row: Int32(rows.lowerBound),
            in_row: Int32(rows.lowerBound - input.rows.lowerBound),
            to_row: Int32(rows.lowerBound - result.firstRow), first_photo_row: Int32(result.firstRow),
            in: input.planes, to: result.planes.shape.params, view: view)
        try linearise.set(
            [input.buffer, result.planes.buffer.handle, arguments.handle, needed.handle], params)
        try queue.run(linearise, over: BlockSize(segment.input, .floats), width: width, rows: rows.count)
    }
}
