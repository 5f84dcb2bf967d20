import COpenCL
import Filters
import Imaging

/// Runs one plan over one photo on an OpenCL device: while the device filters one strip, the calling thread
/// encodes the one before and decodes the one after.
final class OpenCLRenderer {
    private let plan: RenderPlan
    private let device: OpenCLDevice
    private let queue: OpenCLQueue
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
    /// Rows of the photo that have been read.
    private var readRows = 0
    private(set) var timings = DeviceTimings()

    /// A strip on its way: its input, its result, and the commands that are queued for it.
    private final class Slot {
        let input, output: DeviceStrip
        var rows = 0..<0
        var events: [(work: OpenCLQueue.Work, event: OpenCLEvent)] = []

        init(input: DeviceStrip, output: DeviceStrip) {
            self.input = input
            self.output = output
        }
    }

    /// Strips in flight: one that the device filters, one that the host fills or empties.
    private static let slotCount = 2

    init(_ plan: RenderPlan, device: OpenCLDevice, stripRows: Int?) throws(DeviceError) {
        self.plan = plan
        self.device = device
        queue = try OpenCLQueue(device)
        let width = plan.geometry.width, height = plan.geometry.height
        let segments = Segment.segments(of: plan)
        let halo = segments[0].inputHalo
        granularity = max(plan.input.rowGranularity, plan.output.rowGranularity)
        let wanted = stripRows ?? max(device.pixelsPerStrip / width, 4 * halo)
        self.stripRows = min(max(wanted, 1), height).roundedUp(toMultipleOf: granularity)
        let windowRows = self.stripRows + 2 * halo.roundedUp(toMultipleOf: granularity)
        let hasAlpha = plan.input.hasAlpha
        self.segments = try segments.map { (segment) throws(DeviceError) in
            try SegmentKernels(segment, photo: plan.geometry, device: device)
        }
        let blurs = segments.compactMap(\.blur)
        scratch =
            blurs.isEmpty
            ? nil : try BlurScratch(blurs, width: width, rows: windowRows, hasAlpha: hasAlpha, device: device)
        betweenPlanes = FloatPlanes(width: width, rows: windowRows, hasAlpha: hasAlpha)
        var between: [OpenCLBuffer] = []
        for _ in segments.dropFirst() {
            between.append(try OpenCLBuffer(device, byteCount: betweenPlanes.byteCount))
        }
        self.between = between
        let inputShape = StripShape(layout: plan.input, width: width, rowCapacity: windowRows)
        let outputShape = StripShape(layout: plan.output, width: width, rowCapacity: self.stripRows)
        free = []
        for _ in 0..<Self.slotCount {
            free.append(
                Slot(
                    input: try DeviceStrip(inputShape, device: device, queue: queue),
                    output: try DeviceStrip(outputShape, device: device, queue: queue)))
        }
        carry = Strip(layout: plan.input, width: width, rowCapacity: windowRows - self.stripRows)
        _ = queue.takeEvents()
    }

    func run(from source: any StripSource, to sink: any StripSink, isCancelled: () -> Bool) throws {
        // Whatever happens, no command is left that uses memory which is about to go.
        defer { queue.finish() }
        var pending: [Slot] = []
        var nextRow = 0
        while nextRow < plan.geometry.height || !pending.isEmpty {
            if isCancelled() { throw CancellationError() }
            if nextRow < plan.geometry.height, let slot = free.popLast() {
                slot.rows = nextRow..<min(nextRow + stripRows, plan.geometry.height)
                nextRow = slot.rows.upperBound
                try fill(slot, from: source)
                try enqueue(slot)
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

    private func enqueue(_ slot: Slot) throws(DeviceError) {
        try slot.input.giveToDevice(queue, sendsBytes: true)
        try slot.output.giveToDevice(queue, sendsBytes: false)
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
        try slot.input.giveToHost(queue, bringsBytes: false)
        try slot.output.giveToHost(queue, bringsBytes: true)
        slot.events = queue.takeEvents()
        try queue.flush()
    }

    private func complete(_ slot: Slot, sink: any StripSink) throws {
        try slot.events.last?.event.wait()
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
