import TintypeImaging
import TintypeRendering

/// One output of a photo on a device: its filters, its samples, and how they leave the device.
final class CodedOutput {
    private let plan: RenderPlan
    /// Nil for samples that stay as they are.
    private let chain: SegmentChain?
    /// Nil for those of the photo.
    private let planes: PhotoPlanes?
    private let result: Result

    private enum Result {
        case encoding(JPEGEncoding, header: [UInt8])
        case samples(HostPhoto)
    }

    /// - Parameters:
    ///   - rows: the most rows that kernels of filters compute at once.
    ///   - encoder: nil if strips are written.
    ///   - expectedByteCount: about the bytes that are encoded.
    init(
        _ output: CodingWork.Output, rows: Int, _ encoder: JPEGEncoderTables?, expectedByteCount: Int,
        lane: OpenCLLane
    ) throws(DeviceError) {
        plan = output.plan
        let geometry = plan.outputGeometry
        let shape =
            encoder?.shape
            ?? StripShape(layout: plan.output, width: geometry.width, rowCapacity: geometry.height)
        if plan.isIdentity {
            chain = nil
            planes = nil
        } else {
            chain = try SegmentChain(
                plan, StripSchedule(plan, stripRows: min(rows, geometry.height)), lane: lane)
            planes = try PhotoPlanes(shape, lane: lane)
        }
        if let encoder, let image = output.image {
            result = .encoding(
                try JPEGEncoding(encoder, expectedByteCount: expectedByteCount, lane: lane),
                header: image.header)
        } else {
            result = .samples(try HostPhoto(geometry, shape, lane: lane))
        }
    }

    /// The programs of the filters.
    var programs: OpenCLPrograms { chain?.programs ?? OpenCLPrograms(all: []) }

    /// Whether the next photo may follow.
    var isReusable: Bool { chain?.isStateless ?? true }

    /// Queues all commands.
    ///
    /// - Parameters:
    ///   - photo: has the plan's geometry and layout.
    ///   - hasBlockPadding: whether its padding has the decoder's samples.
    func enqueue(
        _ photo: PhotoPlanes, hasBlockPadding: Bool, queue: OpenCLQueue
    ) throws(DeviceError) {
        if let chain, let planes {
            let height = plan.outputGeometry.height
            for first in stride(from: 0, to: height, by: chain.schedule.stripRows) {
                let rows = first..<min(first + chain.schedule.stripRows, height)
                try chain.run(
                    rows, from: photo.place(to: chain.schedule.window(for: rows, at: 0).upperBound),
                    to: planes.place(to: height), queue: queue)
            }
        }
        let samples = planes ?? photo
        switch result {
        case .encoding(let encoding, _):
            try encoding.enqueue(
                samples.buffer, hasBlockPadding: planes == nil && hasBlockPadding, queue: queue)
        case .samples(let host): try host.download(from: samples, queue: queue)
        }
    }

    /// Whether the result needs `enqueueRest`.
    var needsRest: Bool {
        if case .encoding(let encoding, _) = result { encoding.needsRest } else { false }
    }

    /// Queues reading what is longer than was expected.
    func enqueueRest(_ queue: OpenCLQueue) throws(DeviceError) {
        guard case .encoding(let encoding, _) = result, encoding.needsRest else { return }
        try encoding.enqueueRest(queue)
    }

    func write(to target: RenderTarget, hasBlockPadding: Bool, _ isCancelled: () -> Bool) throws {
        switch (result, target) {
        case (.encoding(let encoding, let header), .compressed(_, let sink)):
            try encoding.write(header, to: sink)
        case (.samples(let host), .strips(let sink)):
            try host.write(
                to: sink, of: plan, hasBlockPadding: planes == nil && hasBlockPadding, isCancelled)
        default: preconditionFailure("the output is of another kind than its work")
        }
    }
}
