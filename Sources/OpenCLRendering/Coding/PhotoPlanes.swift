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
        func offset(_ plane: Int) -> Int32 {
            shape.planes.count > plane ? Int32(shape.planes[plane].byteOffset) : 0
        }
        return SegmentKernels.Place(
            buffer: buffer.handle, rows: 0..<end,
            planes: kernels_planes(
                second: offset(1), third: offset(2), fourth: 0, stride: Int32(shape.planes[0].bytesPerRow),
                chroma_stride: shape.planes.count > 1 ? Int32(shape.planes[1].bytesPerRow) : 0))
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
        let block = try lane.hostBlock(byteCount: shape.byteCount)
        self.block = block
        self.geometry = geometry
        // The memory lives as long as the strip is used.
        strip = Strip(
            shape, memory: UnsafeMutableRawBufferPointer(start: block.address, count: shape.byteCount),
            release: { _ in withExtendedLifetime(block) {} })
    }

    /// Reads the photo.
    ///
    /// - Parameter rows: at a time.
    func read(from source: any StripSource, rows: Int, _ isCancelled: () -> Bool) throws {
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
        to sink: any StripSink, rows: Int, hasBlockPadding: Bool, _ isCancelled: () -> Bool
    ) throws {
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
