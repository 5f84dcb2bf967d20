import Codecs
import Compute
import Imaging

/// What one photo takes of memory on its way: an upper estimate, told by its header, before any of it is taken.
struct PhotoMemory {
    let byteCount: Int
    /// What the photo is that it needs so much ("an interlaced PNG").
    let reason: String

    /// - Parameters:
    ///   - way: of the photo, of which no strip was read yet.
    ///   - readsAhead: whether other threads may decode strips ahead.
    init(_ reader: PhotoReader, _ way: RenderWay, on device: any Device, readsAhead: Bool) {
        let plan = way.plan, width = plan.geometry.width
        let render = device.memory(for: plan)
        func strip(_ width: Int, _ rows: Int) -> Int {
            StripShape(layout: plan.input, width: width, rowCapacity: rows).byteCount
        }
        var strips = render.byteCount
        if readsAhead, plan.geometry.height >= ReadAheadSource.leastStrips * render.stripRows {
            strips += StripsAhead.stripCount * strip(width, render.stripRows)
        }
        if reader.geometry != plan.geometry { strips += strip(reader.geometry.width, 2 * render.stripRows) }
        let decoder = reader.memoryByteCount(decodingTo: plan.input)
        byteCount =
            strips + decoder
            + PhotoWriter.memoryByteCount(way.format, plan.output, width: width)
        reason = decoder > strips ? reader.reasonToHoldAll ?? "very wide" : "very wide"
    }

    /// - Throws: `CodecError.needsTooMuchMemory` where the photo needs more than `limit` bytes.
    func check(limit: Int) throws(CodecError) {
        guard byteCount > limit else { return }
        throw .needsTooMuchMemory(reason: reason, byteCount: byteCount, limit: limit)
    }
}

extension PhotoPipeline {
    /// Runs `body`, which decodes, filters and encodes a photo, once there is memory for it.
    ///
    /// - Throws: `CodecError.needsTooMuchMemory` where the photo needs more than it may have.
    func withMemory(
        for way: RenderWay, of reader: PhotoReader, on device: any Device, _ isCancelled: () -> Bool,
        _ body: () throws -> Void
    ) throws {
        let needs = PhotoMemory(reader, way, on: device, readsAhead: workers != nil && !way.isCopy)
        let limit = limits.memoryLimit(for: reader.geometry, decodedTo: way.plan.input)
        try needs.check(limit: min(limit, memory?.byteCount ?? limit))
        guard let memory else { return try body() }
        try memory.lend(needs.byteCount, isCancelled: isCancelled, to: body)
    }
}
