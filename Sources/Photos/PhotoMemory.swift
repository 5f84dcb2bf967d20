import Codecs
import Compute
import Imaging
import Resources

/// An upper estimate of the memory that one photo needs, made from its header before anything is allocated.
struct PhotoMemory {
    let byteCount: Int
    /// The smaller of the needs on this device and on the CPU, whose kernels work on a few rows.
    let leastByteCount: Int
    /// The device's name, for messages.
    let device: String
    /// Why the photo needs so much, for messages ("an interlaced PNG").
    let reason: String

    /// - Parameters:
    ///   - path: the photo's render path; no strip was read from it yet.
    ///   - readsAhead: whether other threads may decode strips ahead.
    init(_ reader: PhotoReader, _ path: RenderPath, on device: any Device, readsAhead: Bool) {
        let plan = path.plan
        func strip(_ width: Int, _ rows: Int) -> Int {
            StripShape(layout: plan.input, width: width, rowCapacity: rows).byteCount
        }
        func strips(_ render: RenderMemory) -> Int {
            var strips = render.byteCount
            if readsAhead, plan.geometry.height >= ReadAheadSource.leastStrips * render.stripRows {
                strips += StripsAhead.stripCount * strip(plan.geometry.width, render.stripRows)
            }
            guard path.source is HalfSizeSource else { return strips }
            return strips + strip(reader.geometry.width, 2 * render.stripRows)
        }
        let decoder = reader.memoryByteCount(decodingTo: plan.input)
        let codecs =
            decoder + PhotoWriter.memoryByteCount(path.format, plan.output, width: plan.outputGeometry.width)
            + (path.optimizesCodes ? PhotoWriter.optimizingByteCount : 0)
        let deviceStrips = strips(device.memory(for: plan))
        let leastStrips = min(strips(SIMDDevice().memory(for: plan)), deviceStrips)
        byteCount = codecs + deviceStrips
        leastByteCount = codecs + leastStrips
        reason = decoder > leastStrips ? reader.reasonToHoldAll ?? "very wide" : "very wide"
        self.device = device.info.name
    }

    /// - Parameters:
    ///   - limit: bytes that the photo may take.
    ///   - budget: bytes that all photos may take together.
    /// - Throws: `CodecError.needsTooMuchMemory` if the photo needs more on every device;
    ///   `DeviceError.tooLarge` if only this device needs more.
    func check(limit: Int, budget: Int) throws {
        guard leastByteCount <= min(limit, budget) else {
            throw CodecError.needsTooMuchMemory(
                reason: reason, byteCount: leastByteCount, limit: min(limit, budget))
        }
        guard byteCount <= budget else {
            throw DeviceError.tooLarge(device: device, byteCount: byteCount, limit: budget)
        }
    }
}

extension PhotoPipeline {
    /// Waits until there is memory for a photo, then runs `body`, which decodes, filters and encodes it.
    ///
    /// - Throws: what `PhotoMemory.check` and `body` throw; `CancellationError`.
    func withMemory(
        for path: RenderPath, of reader: PhotoReader, on device: any Device, _ isCancelled: () -> Bool,
        _ body: () throws -> Void
    ) throws {
        let needs = PhotoMemory(reader, path, on: device, readsAhead: workers != nil && !path.isCopy)
        let limit = limits.memoryLimit(for: reader.geometry, decodedTo: path.plan.input)
        try needs.check(limit: limit, budget: memory?.byteCount ?? .max)
        guard let memory else { return try body() }
        try memory.lend(needs.byteCount, isCancelled: isCancelled, to: body)
    }
}
