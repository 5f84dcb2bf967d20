import COpenCL
import Filters
import Imaging

/// Runs one plan over one photo on an OpenCL device: while the device filters one strip, the calling thread
/// encodes the one before and decodes the one after.
///
/// Calls of the driver's are made on the lane's thread: the one that renders waits for answers, with deadlines.
// @unchecked: handed to and fro between two threads. While a slot is the device's, the thread that renders
// leaves it alone; `timings` and what is read and written belong to that thread.
final class OpenCLRenderer: @unchecked Sendable {
    private let plan: RenderPlan
    private let lane: OpenCLLane
    private let queues: OpenCLQueues
    private let segments: [SegmentKernels]
    private let scratch: BlurScratch?
    /// What lies between two segments: planes of floats.
    private let between: [OpenCLBuffer]
    private let betweenPlanes: FloatPlanes
    private var free: [Slot]
    private var carry: Strip
    /// Rows of the result a strip; a multiple of `granularity`.
    private let stripRows: Int
    private let granularity: Int
    /// How many times the usual limit a strip may take: more for a blur that reaches far.
    private let patience: Double
    /// Rows of the photo that have been read.
    private var readRows = 0
    private(set) var timings = DeviceTimings()

    /// A strip on its way: its input, its result, and the commands that are queued for it.
    private final class Slot {
        let input, output: DeviceStrip
        var rows = 0..<0
        var events: [(work: OpenCLQueue.Work, event: OpenCLEvent)] = []
        var isDone: DriverAnswer<Void>?

        init(input: DeviceStrip, output: DeviceStrip) {
            self.input = input
            self.output = output
        }
    }

    /// Strips in flight: one that the device filters, one that the host fills or empties; and where strips are
    /// copied, one that is on its way.
    private static func slotCount(_ device: OpenCLDevice) -> Int { device.sharesHostMemory ? 2 : 3 }

    /// To be called on the lane's thread.
    init(_ plan: RenderPlan, lane: OpenCLLane, stripRows: Int?) throws(DeviceError) {
        self.plan = plan
        self.lane = lane
        queues = try lane.beginRender()
        let device = lane.device
        let width = plan.geometry.width, height = plan.geometry.height
        let segments = Segment.segments(of: plan, blocks: device.blocks)
        let halo = segments[0].inputHalo
        granularity = max(plan.input.rowGranularity, plan.output.rowGranularity)
        let wanted = stripRows ?? max(device.tuning.pixelsPerStrip / width, 4 * halo)
        self.stripRows = min(max(wanted, 1), height).roundedUp(toMultipleOf: granularity)
        let windowRows = self.stripRows + 2 * halo.roundedUp(toMultipleOf: granularity)
        // A slow device, a laptop's CPU, does 2^30 such steps in ten seconds or so.
        patience = 1 + Double(windowRows * width * (1 + 4 * halo)) / 0x1p30
        let hasAlpha = plan.input.hasAlpha
        self.segments = try segments.map { (segment) throws(DeviceError) in
            try SegmentKernels(segment, photo: plan.geometry, device: device)
        }
        let blurs = segments.compactMap(\.blur)
        scratch =
            blurs.isEmpty
            ? nil : try BlurScratch(blurs, width: width, rows: windowRows, hasAlpha: hasAlpha, lane: lane)
        betweenPlanes = FloatPlanes(width: width, rows: windowRows, hasAlpha: hasAlpha)
        var between: [OpenCLBuffer] = []
        for _ in segments.dropFirst() {
            between.append(try lane.deviceBlock(byteCount: betweenPlanes.byteCount))
        }
        self.between = between
        let inputShape = StripShape(layout: plan.input, width: width, rowCapacity: windowRows)
        let outputShape = StripShape(layout: plan.output, width: width, rowCapacity: self.stripRows)
        free = []
        for _ in 0..<Self.slotCount(device) {
            free.append(
                Slot(
                    input: try DeviceStrip(inputShape, lane: lane),
                    output: try DeviceStrip(outputShape, lane: lane)))
        }
        carry = Strip(layout: plan.input, width: width, rowCapacity: windowRows - self.stripRows)
        _ = queues.takeEvents()
    }

    func run(from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool) throws {
        var pending: [Slot] = []
        var nextRow = 0
        while nextRow < plan.geometry.height || !pending.isEmpty {
            if isCancelled() { throw CancellationError() }
            if nextRow < plan.geometry.height, let slot = free.popLast() {
                slot.rows = nextRow..<min(nextRow + stripRows, plan.geometry.height)
                nextRow = slot.rows.upperBound
                try fill(slot, from: source)
                slot.isDone = lane.driver.start { [self] (answer) throws(DeviceError) in
                    try enqueue(slot)
                    // Before anything is sent: not every driver calls back for what is done already.
                    try slot.events.last?.event.whenDone(answer.give)
                    try queues.flush()
                }
                pending.append(slot)
            } else {
                let slot = pending.removeFirst()
                try complete(slot, sink: sink)
                free.append(slot)
            }
        }
    }

    /// The photo's rows that `rows` of the result depend on, `halo` above and below, on whole blocks.
    private func window(_ rows: Range<Int>, halo: Int) -> Range<Int> {
        let reach = halo.roundedUp(toMultipleOf: granularity)
        return max(0, rows.lowerBound - reach)..<min(plan.geometry.height, rows.upperBound + reach)
    }

    /// Gets the strip's window of rows: some from the strip before, the others from the source.
    private func fill(_ slot: Slot, from source: any StripSource) throws {
        let halo = segments[0].segment.inputHalo
        let window = window(slot.rows, halo: halo)
        let strip = slot.input.strip
        strip.firstRow = window.lowerBound
        carry.copyRows(window.lowerBound..<readRows, to: strip)
        if readRows < window.upperBound {
            let missing = strip.window(
                atRow: readRows - window.lowerBound,
                rowCapacity: (window.upperBound - readRows).roundedUp(toMultipleOf: granularity))
            try source.read(into: missing)
            precondition(missing.endRow == window.upperBound, "a source gives all rows, in order")
            readRows = window.upperBound
        }
        strip.rowCount = window.count
        let next = self.window(slot.rows.upperBound..<slot.rows.upperBound, halo: halo)
        if next.lowerBound < readRows {
            carry.firstRow = next.lowerBound
            carry.rowCount = readRows - next.lowerBound
            strip.copyRows(next.lowerBound..<readRows, to: carry)
        }
    }

    /// Runs on the lane's thread.
    private func enqueue(_ slot: Slot) throws(DeviceError) {
        let queue = queues.compute
        try slot.input.giveToDevice(queues.upload, sendsBytes: true)
        try slot.output.giveToDevice(queues.upload, sendsBytes: false)
        try queue.follow(queues.upload)
        var place = SegmentKernels.Place(
            buffer: slot.input.buffer, rows: window(slot.rows, halo: segments[0].segment.inputHalo),
            planes: slot.input.strip.planePlaces)
        for (index, kernels) in segments.enumerated() {
            let isLast = index == segments.count - 1
            let next = SegmentKernels.Place(
                buffer: isLast ? slot.output.buffer : between[index].handle,
                rows: window(slot.rows, halo: kernels.segment.outputHalo),
                planes: isLast ? slot.output.strip.planePlaces : betweenPlanes.planes)
            try kernels.run(
                from: place, to: next, width: plan.geometry.width, scratch: scratch, queue: queue)
            place = next
        }
        try queues.download.follow(queue)
        try slot.input.giveToHost(queues.download, bringsBytes: false)
        try slot.output.giveToHost(queues.download, bringsBytes: true)
        slot.events = queues.takeEvents()
    }

    private func complete(_ slot: Slot, sink: any StripSink) throws {
        try slot.isDone?.wait(patience: patience)
        for (work, event) in slot.events {
            switch work {
            case .upload: timings.upload += event.nanoseconds
            case .kernels: timings.kernels += event.nanoseconds
            case .download: timings.download += event.nanoseconds
            }
        }
        slot.events = []
        slot.output.strip.firstRow = slot.rows.lowerBound
        slot.output.strip.rowCount = slot.rows.count
        try sink.write(slot.output.strip)
    }
}

extension Strip {
    /// Where the planes lie, as `Kernels/strip.cl` wants it: row stride, second and third plane, chroma
    /// stride.
    fileprivate var planePlaces: [Int] {
        func offset(_ plane: Int) -> Int {
            planes.count > plane ? planes[plane].base - memory.baseAddress! : 0
        }
        return [planes[0].bytesPerRow, offset(1), offset(2), planes.count > 1 ? planes[1].bytesPerRow : 0]
    }
}
