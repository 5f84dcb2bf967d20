import Glibc
import TintypeImaging
import TintypeRendering

/// Renders one photo whole on an OpenCL device, which decodes it, encodes it, or both. All commands are queued at once; the host
/// waits once.
///
/// The lane's thread makes the driver calls. The calling thread reads the photo and writes the outputs.
// @unchecked: two threads use it in turn.
final class CodedRenderer: LaneRenderer, @unchecked Sendable {
    private let lane: OpenCLLane
    private let queue: OpenCLQueue
    /// Nil if strips are read.
    private var decoding: JPEGDecoding?
    /// Nil if the device decodes.
    private var samples: HostPhoto?
    private var photo: PhotoPlanes?
    private var outputs: [CodedOutput]
    /// That of the first output; all have the photo's geometry and layout.
    private let plan: RenderPlan
    private let patience: Double
    /// Whether outputs were longer than expected, for which the lane has lent more memory.
    private var hasReadRests = false

    /// What a work needs of its headers.
    struct Tables {
        /// Nil if strips are read.
        let decoder: JPEGDecoderTables?
        /// Nil for each output that is written in strips.
        let encoders: [JPEGEncoderTables?]
    }

    /// Bytes of planes of floats that filters take if computing fewer rows at once makes that possible. A 48th of the device's memory
    /// leaves enough for other lanes, and is enough for whole photos on large cards: a lens of 12 megapixels needs 1.4 GB at most.
    private static func usualFilterMemory(of device: OpenCLDevice) -> Int {
        max(256 << 20, device.memoryLimit / 12)
    }

    /// Bytes that filters usually take beside the photo's samples.
    static func filterMemory(of work: CodingWork, on device: OpenCLDevice) -> Int {
        work.outputs.allSatisfy { $0.plan.hasPointStagesAlone } ? 0 : usualFilterMemory(of: device)
    }

    var isKept: Bool { !hasReadRests && outputs.allSatisfy(\.isReusable) }

    /// The lane's last renderer, if it does for this photo, or a new one. Call it on the lane's thread.
    ///
    /// - Throws: `DeviceError.tooLarge` if even few rows need too much memory.
    static func renderer(
        _ work: CodingWork, _ tables: Tables, lane: OpenCLLane
    ) throws(DeviceError) -> CodedRenderer {
        if let kept = lane.renderer(for: work) { return kept }
        let made = try make(work, tables, lane: lane)
        if made.isKept { lane.keep(made, for: work) }
        return made
    }

    /// Makes a renderer that computes as many rows at once as fit the lane's memory.
    private static func make(
        _ work: CodingWork, _ tables: Tables, lane: OpenCLLane
    ) throws(DeviceError) -> CodedRenderer {
        let device = lane.device
        let plans = work.outputs.map(\.plan)
        let height = plans.reduce(1) { max($0, $1.outputGeometry.height) }
        let fixed = CodedMemory(work, tables).deviceByteCount
        var rows = lane.rowsAtOnce(for: plans) ?? height
        while true {
            let canBeFewer = rows > 64
            do {
                let made = try CodedRenderer(
                    work, tables, rows: rows, lane: lane,
                    memoryLimit: canBeFewer
                        ? min(device.memoryLimit, fixed + usualFilterMemory(of: device)) : device.memoryLimit)
                lane.keepRowsAtOnce(rows, for: plans)
                return made
            } catch DeviceError.tooLarge where canBeFewer {
                lane.freeBlocks()
                rows = (rows / 2).roundedUp(toMultipleOf: 32)
            }
        }
    }

    private init(
        _ work: CodingWork, _ tables: Tables, rows: Int, lane: OpenCLLane, memoryLimit: Int
    ) throws(DeviceError) {
        self.lane = lane
        queue = try lane.beginRender(memoryLimit: memoryLimit)
        plan = work.outputs[0].plan
        outputs = []
        let expected = work.expectedByteCounts
        for (index, output) in work.outputs.enumerated() {
            outputs.append(
                try CodedOutput(
                    output, rows: rows, tables.encoders[index], expectedByteCount: expected[index], lane: lane
                ))
        }
        if let decoder = tables.decoder, let input = work.input {
            photo = try PhotoPlanes(decoder.shape, lane: lane)
            decoding = try JPEGDecoding(decoder, mostByteCount: input.byteCount ?? 0, lane: lane)
        } else {
            let shape = StripShape(
                layout: plan.input, width: plan.geometry.width, rowCapacity: plan.geometry.height)
            photo = try PhotoPlanes(shape, lane: lane)
            samples = try HostPhoto(plan.geometry, shape, lane: lane)
        }
        patience = Double(1 + work.outputs.count + plan.geometry.pixelCount >> 25)
        // Of mapping new memory, which is done.
        _ = try DeviceTimings(queue.takeEvents(), profiles: false)
    }

    /// Each output's programs of filters.
    var programs: [OpenCLPrograms] { outputs.map(\.programs) }

    func close() {
        decoding = nil
        samples = nil
        photo = nil
        outputs = []
    }

    /// Renders the photo. An output that cannot be written keeps the error.
    ///
    /// - Returns: false if the photo's data are irregular; then nothing was written.
    func run(
        _ results: [RenderOutput], from input: RenderInput, isCancelled: () -> Bool
    ) throws -> Bool {
        let byteCount = try read(input, isCancelled)
        if let decoding, let byteCount, !decoding.looksRegular(byteCount) { return false }
        let hasBlockPadding = decoding?.hasBlockPadding ?? samples?.strip.hasBlockPadding ?? false
        try wait(isCancelled) { [self] () throws(DeviceError) in
            guard let photo else { return }
            if let decoding, let byteCount {
                try decoding.enqueue(byteCount, to: photo, queue: queue)
            } else {
                try samples?.upload(to: photo, queue: queue)
            }
            for output in outputs {
                try output.enqueue(photo, hasBlockPadding: hasBlockPadding, queue: queue)
            }
        }
        if let decoding, let byteCount, !decoding.conclude(byteCount) { return false }
        if outputs.contains(where: \.needsRest) {
            hasReadRests = true
            try wait(isCancelled) { [self] () throws(DeviceError) in
                for output in outputs { try output.enqueueRest(queue) }
            }
        }
        for (index, result) in results.enumerated() {
            do {
                try outputs[index].write(
                    to: result.target, hasBlockPadding: hasBlockPadding, isCancelled)
            } catch {
                result.failure = error
            }
        }
        return true
    }

    /// Reads the photo.
    ///
    /// - Returns: bytes of compressed data; nil if strips were read.
    private func read(_ input: RenderInput, _ isCancelled: () -> Bool) throws -> Int? {
        switch input {
        case .strips(let source):
            try samples?.read(from: source, of: plan, isCancelled)
            return nil
        case .compressed(_, _, let source):
            guard let decoding else { preconditionFailure("the device decodes nothing") }
            var count = 0
            while count < decoding.data.count {
                if isCancelled() { throw CancellationError() }
                let part = try source.read(
                    into: UnsafeMutableRawBufferPointer(rebasing: decoding.data[count...]))
                if part == 0 { break }
                count += part
            }
            return count
        }
    }

    /// Queues commands on the lane's thread, and waits until they are done.
    private func wait(
        _ isCancelled: () -> Bool, _ enqueue: @escaping () throws(DeviceError) -> Void
    ) throws {
        let timeToQueue = try lane.driver.start {
            [self] (answer: DriverAnswer<Duration>) throws(DeviceError) in
            if lane.device.isPoCL { PoCLTurn.begin() }
            defer { if lane.device.isPoCL { PoCLTurn.end() } }
            let start = ContinuousClock.now
            try enqueue()
            let events = queue.takeEvents()
            try queue.flush()
            let time = start.duration(to: .now)
            try waitOnLane(events)
            answer.give(.success(time))
        }.wait(patience: patience, isCancelled: isCancelled)
        PhaseClock.count(timeToQueue, as: .queue)
    }

    /// Waits for commands on the lane's thread, which sleeps between its looks. NVIDIA's driver keeps a core busy in
    /// `clWaitForEvents`, and calls back up to some 10 ms late.
    private func waitOnLane(_ events: [OpenCLEvent]) throws(DeviceError) {
        let start = ContinuousClock.now
        while let last = events.last, try !last.isOver() {
            try lane.device.watch.check()
            let share = start.duration(to: .now) / Self.looksAtLeast
            let sleep = max(Self.shortestSleep, min(share, Self.longestSleep))
            usleep(UInt32(sleep / .microseconds(1)))
        }
        for event in events { try event.check() }
    }

    private static let shortestSleep = Duration.microseconds(50)
    private static let longestSleep = Duration.milliseconds(1)
    /// A photo is seen to be done late by at most so large a part of its time.
    private static let looksAtLeast = 16
}
