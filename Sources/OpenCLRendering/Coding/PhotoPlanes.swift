import TintypeImaging
import TintypeKernels
import TintypeRendering

/// All samples of a photo in a device's memory.
struct PhotoPlanes {
    let shape: StripShape
    let buffer: OpenCLBuffer

    init(_ shape: StripShape, lane: OpenCLLane) throws(DeviceError) {
        self.shape = shape
        buffer = try lane.deviceBlock(byteCount: shape.byteCount)
    }

    /// The photo's rows up to `end`, as an argument of kernels.
    func place(to end: Int) -> SegmentKernels.Place {
        SegmentKernels.Place(
            buffer: buffer.handle, rows: 0..<end,
            planes: kernels_planes(shape.planes.map { ($0.byteOffset, $0.bytesPerRow) }))
    }
}

/// All samples of a photo in memory that the host can access.
final class HostPhoto {
    let strip: Strip
    private let block: HostBlock
    private let geometry: PhotoGeometry

    init(
        _ geometry: PhotoGeometry, _ shape: StripShape, lane: OpenCLLane
    ) throws(DeviceError) {
        block = try lane.hostBlock(byteCount: shape.byteCount)
        strip = block.strip(shape)
        self.geometry = geometry
    }

    func read(from source: any StripSource, of plan: RenderPlan, _ isCancelled: () -> Bool) throws {
        let rows = plan.rowsOfWholePhoto
        strip.hasBlockPadding = true
        for first in stride(from: 0, to: geometry.height, by: rows) {
            if isCancelled() { throw CancellationError() }
            let part = part(first, rows)
            try source.read(into: part)
            precondition(part.firstRow == first && part.rowCount > 0, "source rows must be in order")
            if !part.hasBlockPadding { strip.hasBlockPadding = false }
        }
    }

    func write(
        to sink: any StripSink, of plan: RenderPlan, hasBlockPadding: Bool, _ isCancelled: () -> Bool
    ) throws {
        let rows = plan.rowsOfWholePhoto
        for first in stride(from: 0, to: geometry.height, by: rows) {
            if isCancelled() { throw CancellationError() }
            let part = part(first, rows)
            part.firstRow = first
            part.rowCount = min(rows, geometry.height - first)
            part.hasBlockPadding = hasBlockPadding
            try sink.write(part)
        }
    }

    private func part(_ first: Int, _ rows: Int) -> Strip {
        strip.window(atRow: first, rowCapacity: min(rows, strip.rowCapacity - first))
    }

    func upload(to planes: PhotoPlanes, queue: OpenCLQueue) throws(DeviceError) {
        try queue.write(block.address, to: planes.buffer.handle, byteCount: planes.shape.byteCount)
    }

    func download(from planes: PhotoPlanes, queue: OpenCLQueue) throws(DeviceError) {
        try queue.read(planes.buffer.handle, into: block.address, byteCount: planes.shape.byteCount)
    }
}

extension RenderPlan {
    /// Rows that are read or written at a time of a photo that is whole in memory.
    var rowsOfWholePhoto: Int { usualStripRows.roundedUp(toMultipleOf: 64) }
}
