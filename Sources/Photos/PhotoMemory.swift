import Codecs
import Compute
import Imaging
import Resources

/// What one photo takes of memory on its way: an upper estimate, told by its header, before any of it is taken.
struct PhotoMemory {
    let byteCount: Int
    /// What it takes at least: on this device or on the CPU, whose kernels work on a few rows.
    let leastByteCount: Int
    /// The device's name, for messages.
    let device: String
    /// What the photo is that it needs so much ("an interlaced PNG").
    let reason: String

    /// - Parameters:
    ///   - path: of the photo, of which no strip was read yet.
    ///   - readsAhead: whether other threads may decode strips ahead.
    init(_ reader: PhotoReader, _ path: RenderPath, on device: any Device, readsAhead: Bool) {
        let plan = path.plan, width = plan.geometry.width
        func strip(_ width: Int, _ rows: Int) -> Int {
            StripShape(layout: plan.input, width: width, rowCapacity: rows).byteCount
        }
        func strips(_ render: RenderMemory) -> Int {
            var strips = render.byteCount
            if readsAhead, plan.geometry.height >= ReadAheadSource.leastStrips * render.stripRows {
                strips += StripsAhead.stripCount * strip(width, render.stripRows)
            }
            guard reader.geometry != plan.geometry else { return strips }
            return strips + strip(reader.geometry.width, 2 * render.stripRows)
        }
        let decoder = reader.memoryByteCount(decodingTo: plan.input)
        let codecs = decoder + PhotoWriter.memoryByteCount(path.format, plan.output, width: width)
        let deviceStrips = strips(device.memory(for: plan))
        let leastStrips = min(strips(SIMDDevice().memory(for: plan)), deviceStrips)
        byteCount = codecs + deviceStrips
        leastByteCount = codecs + leastStrips
        reason = decoder > leastStrips ? reader.reasonToHoldAll ?? "very wide" : "very wide"
        self.device = device.info.name
    }

    /// - Parameters:
    ///   - limit: what the photo may take.
    ///   - budget: what there is for all photos.
    /// - Throws: `CodecError.needsTooMuchMemory` where the photo needs more on every device, and
    ///   `DeviceError.tooLarge` where it is the device that asks for more than there is.
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
    /// Runs `body`, which decodes, filters and encodes a photo, once there is memory for it.
    ///
    /// - Throws: as `PhotoMemory.check`.
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
