import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// A plan's segments on a device, with their planes and tables.
final class SegmentChain {
    let schedule: StripSchedule
    private let segments: [SegmentKernels]
    private let scratch: BlurScratch?
    /// Planes of floats between segments.
    private let between: [RollingPlanes]

    init(
        _ plan: RenderPlan, _ schedule: StripSchedule, lane: OpenCLLane
    ) throws(DeviceError) {
        self.schedule = schedule
        let segments = try Segment.segments(of: plan)
        isStateless = segments.count == 1 && segments[0].pass == nil
        let hasAlpha = plan.input.hasAlpha
        let addedRows = (0...segments.count).map { schedule.addedRows(at: $0) }
        self.segments = try segments.enumerated().map { (index, segment) throws(DeviceError) in
            try SegmentKernels(
                segment, rows: addedRows[index + 1], inputRows: addedRows[index],
                sourceRows: schedule.sourceRows(at: index), lane: lane)
        }
        let blurs = segments.enumerated().compactMap { index, segment in
            segment.pass?.blur.map {
                (blur: $0, rows: addedRows[index + 1], inputRows: addedRows[index], photo: segment.photo)
            }
        }
        scratch = blurs.isEmpty ? nil : try BlurScratch(blurs, hasAlpha: hasAlpha, lane: lane)
        between = try segments.enumerated().dropFirst().map { (index, segment) throws(DeviceError) in
            try RollingPlanes(
                width: segment.photo.width, rows: schedule.windowRows(at: index), hasAlpha: hasAlpha,
                lane: lane)
        }
    }

    /// The programs of all segments.
    var programs: OpenCLPrograms { OpenCLPrograms(all: segments.flatMap(\.programs)) }

    /// Whether it keeps no rows of one photo for later strips of it, so that the next photo may follow.
    let isStateless: Bool

    /// Queues the commands for `rows` of the result, which follow those of the previous call.
    func run(
        _ rows: Range<Int>, from input: SegmentKernels.Place, to output: SegmentKernels.Place,
        queue: OpenCLQueue
    ) throws(DeviceError) {
        var place = input
        for (index, kernels) in segments.enumerated() {
            let next: SegmentKernels.Place
            if index < between.count {
                let rows = schedule.window(for: rows, at: index + 1)
                _ = try between[index].advance(to: rows, queue: queue)
                let planes = between[index].planes
                next = .init(buffer: planes.buffer.handle, rows: rows, planes: planes.shape.planes)
            } else {
                next = output
            }
            let added = schedule.added(by: rows, at: index + 1)
            if !added.isEmpty {
                try kernels.run(from: place, to: next, rows: added, scratch: scratch, queue: queue)
            }
            place = next
        }
    }
}
