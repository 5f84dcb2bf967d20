import TintypeCodecs
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeRendering
import TintypeResources

/// An upper estimate of the memory that one photo needs, made from its header before anything is allocated.
struct PhotoMemory {
    let byteCount: Int
    /// The smaller of the needs on this device and on the CPU, whose kernels work on a few rows.
    let leastByteCount: Int
    /// The bytes that the photo may take.
    let limit: Int
    /// The device's name, for messages.
    let device: String
    /// Why the photo needs so much, for messages ("an interlaced PNG").
    private let reason: () -> String

    /// - Parameters:
    ///   - paths: the render paths of the outputs, at least one; no strip was read yet.
    ///   - shared: what the sources of all paths read, if several threads do.
    ///   - coding: what the device decodes and encodes itself; nil for nothing.
    init(
        _ reader: PhotoReader, _ paths: [RenderPath], _ shared: SharedStrips? = nil, on device: any Device,
        _ coding: DeviceCoding? = nil
    ) {
        let layout = paths[0].plan.input
        // The photo's limit does not apply to what the user chose: a watermark as large as the photo, a format whose outputs
        // are held as a whole, or progressive JPEGs.
        let arguments = paths.reduce(0) { $0 + $1.plan.argumentByteCount }
        let decoder = reader.memoryByteCount(decodingTo: layout) + arguments
        let strips = { (device: any Device) in paths.stripByteCount(on: device) + (shared?.byteCount ?? 0) }
        let deviceStrips =
            coding.map { paths.stripByteCount($0, on: device) + (shared?.byteCount ?? 0) } ?? strips(device)
        let leastStrips = min(strips(SIMDDevice()), deviceStrips)
        byteCount = decoder + deviceStrips
        leastByteCount = decoder + leastStrips
        let limit = reader.memoryLimit(decodingTo: layout)
        let chosen = paths.reduce(arguments) { $0 + $1.heldByteCount }
        self.limit = limit + min(chosen, .max - limit)
        reason = {
            reader.reasonForMemory(decodingTo: layout, beside: leastStrips)
                ?? (paths.contains { $0.needsMemoryForSteps } ? "filtered in so many steps" : "very wide")
        }
        self.device = device.info.name
    }

    /// - Parameter budget: bytes that all photos may take together.
    /// - Throws: `CodecError.needsTooMuchMemory` if the photo needs more on every device;
    ///   `DeviceError.tooLarge` if only this device needs more.
    func check(budget: Int) throws {
        guard leastByteCount <= min(limit, budget) else {
            throw CodecError.needsTooMuchMemory(
                reason: reason(), byteCount: leastByteCount, limit: min(limit, budget))
        }
        guard byteCount <= budget else {
            throw DeviceError.tooLarge(device: device, byteCount: byteCount, limit: budget)
        }
    }
}

extension RenderPath {
    /// Whether the steps between decoder and encoder need far more than the rows that these two need.
    fileprivate var needsMemoryForSteps: Bool {
        let plain = RenderPlan([], for: plan.outputGeometry, input: plan.output, output: plan.output)
        return plan.stages.count > 1
            && SIMDDevice().memory(for: plan).byteCount / 4 > SIMDDevice().memory(for: plain).byteCount
    }

    /// Bytes of the encoder, also where a device encodes in its place.
    fileprivate var encoderByteCount: Int {
        let turning = if case .strips(let sink) = target { sink.memoryByteCount } else { 0 }
        return writerByteCount + coefficientByteCount
            + (optimizesCodes ? PhotoWriter.optimizingByteCount : 0) + turning + gainMapByteCount
    }

    /// Bytes of the gain map's file, and of a part of the photo's file before it is written.
    private var gainMapByteCount: Int {
        gainMap.map { $0.file.count + PhotoWriter.gainMapBufferByteCount } ?? 0
    }

    private var coefficientByteCount: Int {
        isProgressive ? format.codec.coefficientByteCount(writtenLayout, writtenGeometry) : 0
    }

    /// Bytes for writing the output's format.
    private var writerByteCount: Int {
        if isCopy, format.codec.holdsOutputs || copierByteCount > 0 { return copierByteCount }
        return PhotoWriter.memoryByteCount(format, writtenLayout, writtenGeometry)
    }

    /// Bytes of an output that is held as a whole.
    fileprivate var heldByteCount: Int {
        let sized = if isSized, case .strips(let sink) = target { sink.memoryByteCount } else { 0 }
        return (format.codec.holdsOutputs ? writerByteCount : copierByteCount) + coefficientByteCount + sized
    }
}

extension [RenderPath] {
    /// Bytes of all strips, sources and encoders.
    fileprivate func stripByteCount(on device: any Device) -> Int {
        let renders = map { device.memory(for: $0.plan) }
        return renders.reduce(codecByteCount(stripRows: renders.map(\.stripRows))) { $0 + $1.byteCount }
    }

    /// The same on a device that decodes or encodes as it has offered. Outputs that it does not encode may be rendered beside
    /// the others.
    fileprivate func stripByteCount(_ coding: DeviceCoding, on device: any Device) -> Int {
        let renders = map { path in
            let isOffered = if case .compressed = path.target { true } else { coding.work.input != nil }
            return isOffered
                ? RenderMemory(stripRows: coding.memory.stripRows, byteCount: 0)
                : device.memory(for: path.plan)
        }
        let codecs = codecByteCount(stripRows: renders.map(\.stripRows))
        return renders.reduce(coding.memory.byteCount + codecs) { $0 + $1.byteCount }
    }

    /// Bytes of sources and encoders.
    private func codecByteCount(stripRows: [Int]) -> Int {
        // Paths of one group have one source.
        var sources: [ObjectIdentifier: Int] = [:]
        for (path, rows) in zip(self, stripRows) {
            guard case .strips(let source) = path.input else { continue }
            let place = ObjectIdentifier(source)
            sources[place] = Swift.max(source.memoryByteCount(stripRows: rows), sources[place] ?? 0)
        }
        return reduce(sources.values.reduce(0, +)) { $0 + $1.encoderByteCount }
    }
}

extension PhotoPipeline {
    /// Waits until there is memory for a photo, then runs `body`, which decodes, filters and encodes it.
    ///
    /// - Throws: what `PhotoMemory.check` and `body` throw; `CancellationError`.
    func withMemory(
        _ needs: PhotoMemory, _ isCancelled: () -> Bool, _ body: () throws -> Void
    ) throws {
        try needs.check(budget: memory?.byteCount ?? .max)
        func work() throws { try PhotoPhase.host.measure(body) }
        guard let memory else { return try work() }
        try PhotoPhase.wait.measure {
            try memory.lend(needs.byteCount, isCancelled: isCancelled, to: work)
        }
    }
}

extension RenderPlan {
    /// Bytes of the tables that point stages are given: in the functions' order, and in a device's memory.
    fileprivate var argumentByteCount: Int {
        stages.reduce(0) { sum, stage in
            guard case .point(let function) = stage else { return sum }
            return function.arguments.values.reduce(sum) { sum, argument in
                guard case .table(let values) = argument else { return sum }
                return sum + 2 * values.count * MemoryLayout<Float>.size
            }
        }
    }
}
