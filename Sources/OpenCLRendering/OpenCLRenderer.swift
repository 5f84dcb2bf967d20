import CTintypeOpenCL
import TintypeImaging
import TintypeKernels
import TintypeRendering
import TintypeStages

/// Runs one plan over one photo on an OpenCL device. While the device filters a strip, the calling thread
/// encodes the previous one and decodes the next one.
///
/// The lane's thread makes the driver calls. The calling thread waits for answers, with deadlines.
// @unchecked: two threads use it in turn. The rendering thread does not touch a slot during the device's
// turn. `timings`, the source and the sink belong to the rendering thread.
final class OpenCLRenderer: LaneRenderer, @unchecked Sendable {
    private let plan: RenderPlan
    private let lane: OpenCLLane
    private let queues: OpenCLQueues
    /// Nil after `close`.
    private var chain: SegmentChain?
    private var free: [Slot]
    private var pending: [Slot] = []
    private let schedule: StripSchedule
    /// Factor of the usual time limit for a strip; greater for a blur with a large support.
    private let patience: Double
    private(set) var timings = DeviceTimings()
    /// Whether strips stay with the device, and their samples as they are.
    private var keepsSamples = false

    /// A strip in flight: its input, its result, and its queued commands.
    // @unchecked: see the renderer.
    private final class Slot: @unchecked Sendable {
        let input, output: DeviceStrip
        var rows = 0..<0
        var events: [OpenCLEvent] = []
        var timings: DriverAnswer<DeviceTimings>?

        init(input: DeviceStrip, output: DeviceStrip) {
            self.input = input
            self.output = output
        }
    }

    /// Strips in flight: the device filters one, the host fills or empties one. If strips are copied, a third
    /// is in transfer.
    static func slotCount(sharesHostMemory: Bool) -> Int { sharesHostMemory ? 2 : 3 }

    /// Bytes that a render takes if lower strips make that possible. Photos of 100 megapixels with usual
    /// filters need less.
    private static let usualMemory = 256 << 20

    /// Makes a renderer with the highest strips that fit the lane's memory. Call it on the lane's thread.
    ///
    /// - Parameter stripRows: the greatest height of the strips; nil chooses by width.
    /// - Throws: `DeviceError.tooLarge` if even low strips need too much memory.
    static func make(_ plan: RenderPlan, lane: OpenCLLane, stripRows: Int?) throws(DeviceError)
        -> OpenCLRenderer
    {
        let usual = StripSchedule(plan, pixelsPerStrip: lane.device.tuning.pixelsPerStrip)
        var rows = min(stripRows ?? usual.stripRows, plan.outputGeometry.height)
        // Each strip is sent with the rows of its support, so a strip much lower than the support is
        // inefficient.
        let lowest = max(1, min(rows, usual.support / 4))
        while true {
            let canBeLower = rows > lowest
            let limit = lane.device.memoryLimit
            do {
                return try OpenCLRenderer(
                    plan, lane: lane, StripSchedule(plan, stripRows: rows),
                    memoryLimit: canBeLower ? min(limit, usualMemory) : limit)
            } catch DeviceError.tooLarge where canBeLower {
                lane.freeBlocks()
                rows = max(rows / 2, lowest)
            }
        }
    }

    private init(
        _ plan: RenderPlan, lane: OpenCLLane, _ schedule: StripSchedule, memoryLimit: Int
    ) throws(DeviceError) {
        self.plan = plan
        self.schedule = schedule
        self.lane = lane
        queues = try lane.beginStrips(memoryLimit: memoryLimit)
        let device = lane.device
        // A slow device, such as a laptop's CPU, does 2^30 such steps in about ten seconds.
        patience =
            1 + Double(schedule.windowRows(at: 0) * plan.geometry.width * (1 + 4 * schedule.support)) / 0x1p30
        chain = try SegmentChain(plan, schedule, lane: lane)
        let inputShape = StripShape(
            layout: plan.input, width: plan.geometry.width, rowCapacity: schedule.windowRows(at: 0))
        let outputShape = StripShape(
            layout: plan.output, width: plan.outputGeometry.width, rowCapacity: schedule.stripRows)
        free = []
        for _ in 0..<Self.slotCount(sharesHostMemory: device.sharesHostMemory) {
            free.append(
                Slot(
                    input: try DeviceStrip(inputShape, lane: lane),
                    output: try DeviceStrip(outputShape, lane: lane)))
        }
        // Drops the events of mapping new memory, which are done.
        _ = try DeviceTimings(queues.takeEvents(), profiles: false)
    }

    /// The programs of the render.
    var programs: OpenCLPrograms { chain?.programs ?? OpenCLPrograms(all: []) }

    func close() {
        free = []
        pending = []
        chain = nil
    }

    /// - Parameter waitForUse: see `OpenCLDevice.renderUntested`.
    func run(
        from source: any StripSource, to sink: any StripSink, waitForUse: () throws -> Void = {},
        isCancelled: () -> Bool
    ) throws {
        // Rows of the input that the next strip needs again.
        let carry = try Strip(
            layout: plan.input, width: plan.geometry.width, rowCapacity: schedule.carriedRows)
        do {
            try run(from: source, to: sink, waitForUse, carrying: carry, isCancelled)
        } catch {
            // The strips' memory is freed next, and the sink may still need it.
            try? waitForUse()
            throw error
        }
        // Other renders get the strips' memory next.
        try waitForUse()
    }

    private func run(
        from source: any StripSource, to sink: any StripSink, _ waitForUse: () throws -> Void,
        carrying carry: Strip, _ isCancelled: () -> Bool
    ) throws {
        try skip(schedule.firstRow, of: source, isCancelled)
        try forEachStrip(isCancelled) { slot in
            if schedule.added(by: slot.rows, at: 0).isEmpty { try waitForUse() }
            try fill(slot, from: source, carrying: carry)
        } use: { slot in
            slot.output.strip.firstRow = slot.rows.lowerBound
            slot.output.strip.rowCount = slot.rows.count
            try sink.write(slot.output.strip)
        }
        // A crop may need no further rows, but the decoder must see the photo's end.
        try skip(
            plan.geometry.height - schedule.end(plan.outputGeometry.height, at: 0), of: source, isCancelled)
    }

    /// Runs the photo's kernels over what the strips' memory holds: nothing is decoded or encoded, or passes between host and
    /// device meanwhile.
    ///
    /// - Returns: seconds from the first strip to the last.
    func runKernels(isCancelled: () -> Bool) throws -> Double {
        let slots = free
        try lane.driver.run { [self] () throws(DeviceError) in
            for slot in slots {
                try slot.input.giveToDevice(queues.compute, sendsBytes: true)
                try slot.output.giveToDevice(queues.compute, sendsBytes: true)
            }
            try queues.finish()
        }
        keepsSamples = true
        let time = try ContinuousClock().measure {
            try forEachStrip(isCancelled, fill: { _ in }, use: { _ in })
        }
        try lane.driver.run { [self] () throws(DeviceError) in
            for slot in slots {
                try slot.input.giveToHost(queues.compute, bringsBytes: false)
                try slot.output.giveToHost(queues.compute, bringsBytes: false)
            }
            try queues.finish()
        }
        return time / .seconds(1)
    }

    /// Renders strip by strip. While the device has some of them, the caller fills or uses others.
    ///
    /// - Parameters:
    ///   - fill: gives the input of a strip's rows.
    ///   - use: takes the result.
    private func forEachStrip(
        _ isCancelled: () -> Bool, fill: (Slot) throws -> Void, use: (Slot) throws -> Void
    ) throws {
        let height = plan.outputGeometry.height
        var nextRow = 0
        while nextRow < height || !pending.isEmpty {
            if isCancelled() { throw CancellationError() }
            if nextRow < height, let slot = free.popLast() {
                slot.rows = nextRow..<min(nextRow + schedule.stripRows, height)
                nextRow = slot.rows.upperBound
                try fill(slot)
                slot.timings = lane.driver.start { [self] (answer) throws(DeviceError) in
                    try enqueue(slot, answer)
                }
                pending.append(slot)
            } else {
                let slot = pending[0]
                if let answer = slot.timings {
                    timings += try answer.wait(patience: patience, isCancelled: isCancelled)
                }
                try use(slot)
                free.append(pending.removeFirst())
            }
        }
    }

    /// Reads rows that the result does not depend on.
    private func skip(_ rowCount: Int, of source: any StripSource, _ isCancelled: () -> Bool) throws {
        var rest = rowCount
        while rest > 0 {
            if isCancelled() { throw CancellationError() }
            let rows = min(rest.roundedUp(toMultipleOf: schedule.granularity), schedule.skippedRows)
            let strip = try Strip(layout: plan.input, width: plan.geometry.width, rowCapacity: rows)
            try source.read(into: strip)
            rest -= strip.rowCount
        }
    }

    /// Fills the strip's window: rows kept from the previous strip, then new rows from the source.
    private func fill(_ slot: Slot, from source: any StripSource, carrying carry: Strip) throws {
        let window = schedule.window(for: slot.rows, at: 0), added = schedule.added(by: slot.rows, at: 0)
        let strip = slot.input.strip
        strip.firstRow = window.lowerBound
        carry.copyRows(window.lowerBound..<added.lowerBound, to: strip)
        if !added.isEmpty {
            let missing = strip.window(
                atRow: added.lowerBound - window.lowerBound,
                rowCapacity: added.count.roundedUp(toMultipleOf: schedule.granularity))
            try source.read(into: missing)
            precondition(missing.endRow == added.upperBound, "source rows must be in order")
        }
        strip.rowCount = window.count
        carry.firstRow = schedule.start(slot.rows.upperBound, at: 0)
        strip.copyRows(carry.firstRow..<window.upperBound, to: carry)
    }

    /// Queues a strip's commands, and checks them when they are done. Runs on the lane's thread.
    private func enqueue(_ slot: Slot, _ answer: DriverAnswer<DeviceTimings>) throws(DeviceError) {
        try queueCommands(of: slot)
        // Called before the flush: some drivers do not call back for commands that are already done.
        try slot.events.last?.whenDone { [self] last in
            lane.driver.goOn(with: answer) { (answer) throws(DeviceError) in
                let events = slot.events
                slot.events = []
                let timings = try DeviceTimings(events, profiles: self.lane.profiles)
                try last.get()
                answer.give(.success(timings))
            }
        }
        try queues.flush()
    }

    private func queueCommands(of slot: Slot) throws(DeviceError) {
        let queue = queues.compute
        if !keepsSamples {
            try slot.input.giveToDevice(queues.upload, sendsBytes: true)
            try slot.output.giveToDevice(queues.upload, sendsBytes: false)
            try queue.follow(queues.upload)
        }
        try chain?.run(
            slot.rows,
            from: .init(
                buffer: slot.input.buffer, rows: schedule.window(for: slot.rows, at: 0),
                planes: slot.input.strip.planePlaces),
            to: .init(buffer: slot.output.buffer, rows: slot.rows, planes: slot.output.strip.planePlaces),
            queue: queue)
        if !keepsSamples {
            try queues.download.follow(queue)
            try slot.input.giveToHost(queues.download, bringsBytes: false)
            try slot.output.giveToHost(queues.download, bringsBytes: true)
        }
        slot.events = queues.takeEvents()
    }
}

extension Strip {
    fileprivate var planePlaces: kernels_planes {
        kernels_planes(planes.map { ($0.base - memory.baseAddress!, $0.bytesPerRow) })
    }
}
