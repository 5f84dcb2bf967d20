import TintypeImaging
import TintypeRendering
import TintypeStages

/// The rows of a photo that a segment's next strip depends on, after the point stages before it, in planes of floats. Each
/// row is loaded once; rows that the next strip needs too are kept.
final class LoadedPlanes {
    private let kernel: LineariseKernel
    /// A table of the photo's rows, all of which are needed.
    private let needed: OpenCLBuffer
    private let kept: RollingPlanes
    /// Strips start at a row of chroma samples: a multiple of so many rows.
    private let granularity: Int

    /// - Parameters:
    ///   - arguments: the arguments of the segment's functions.
    ///   - rows: the most rows that a strip depends on.
    ///   - converts: whether values become linear light.
    init(
        _ segment: Segment, arguments: OpenCLBuffer, rows: Int, converts: Bool, lane: OpenCLLane
    ) throws(DeviceError) {
        kernel = try LineariseKernel(segment, arguments: arguments, converts: converts, device: lane.device)
        needed = try lane.device.constants(Array(repeating: 1, count: segment.photo.height))
        kept = try RollingPlanes(
            width: segment.photo.width, rows: rows, hasAlpha: segment.hasAlpha, lane: lane)
        granularity = BlockSize(segment.input, .floats).height
    }

    var program: OpenCLProgram { kernel.program }
    var planes: DevicePlanes { kept.planes }
    /// The photo's row that is the planes' first.
    var firstRow: Int { kept.rows.lowerBound }

    /// Queues the loading of rows from `first` to the input's last one.
    ///
    /// - Parameter first: at or below the previous call's.
    func advance(
        to first: Int, of input: SegmentKernels.Place, queue: OpenCLQueue
    ) throws(DeviceError) {
        let added = try kept.advance(to: first..<input.rows.upperBound, queue: queue)
        guard !added.isEmpty else { return }
        let start = added.lowerBound - added.lowerBound % granularity
        try kernel.run(
            start..<added.upperBound, from: input, to: .init(planes: planes, firstRow: firstRow), needed,
            queue
        )
    }
}
