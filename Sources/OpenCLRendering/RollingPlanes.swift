import TintypeImaging
import TintypeKernels
import TintypeRendering

/// Planes of floats with a moving window of a photo's rows. Rows that the next strip needs too are kept, so
/// each is computed once.
final class RollingPlanes {
    /// The rows in the window.
    private(set) var rows = 0..<0
    private let shape: FloatPlanes
    private let planeCount: Int
    /// Two buffers in turn: rows that are kept are copied from one to the other.
    private var buffers: (current: OpenCLBuffer, other: OpenCLBuffer)

    /// - Parameter rows: the most rows of the window.
    init(width: Int, rows: Int, hasAlpha: Bool, lane: OpenCLLane) throws(DeviceError) {
        shape = FloatPlanes(width: width, rows: rows, hasAlpha: hasAlpha)
        planeCount = hasAlpha ? 4 : 3
        buffers = (
            try lane.deviceBlock(byteCount: shape.byteCount), try lane.deviceBlock(byteCount: shape.byteCount)
        )
    }

    var planes: DevicePlanes { DevicePlanes(buffer: buffers.current, shape: shape) }

    /// Moves the window to `rows`, and keeps rows that it already had.
    ///
    /// - Parameter rows: start and end at or below the previous window's.
    /// - Returns: the rows that are still to be computed.
    func advance(to rows: Range<Int>, queue: OpenCLQueue) throws(DeviceError) -> Range<Int> {
        let kept = self.rows.clamped(to: rows)
        if rows.lowerBound != self.rows.lowerBound {
            for plane in 0..<planeCount where !kept.isEmpty {
                func byteOffset(_ row: Int) -> Int {
                    (plane * shape.plane + row * shape.stride) * MemoryLayout<Float>.stride
                }
                try queue.copy(
                    from: buffers.current, at: byteOffset(kept.lowerBound - self.rows.lowerBound),
                    to: buffers.other, at: byteOffset(kept.lowerBound - rows.lowerBound),
                    byteCount: kept.count * shape.stride * MemoryLayout<Float>.stride)
            }
            buffers = (buffers.other, buffers.current)
        }
        self.rows = rows
        return kept.isEmpty ? rows : kept.upperBound..<rows.upperBound
    }
}

/// Planes of floats in a device's memory.
struct DevicePlanes {
    let buffer: OpenCLBuffer
    let shape: FloatPlanes
}

/// Sizes of planes of floats, in floats.
struct FloatPlanes: Hashable {
    let stride: Int
    let plane: Int
    let byteCount: Int

    init(width: Int, rows: Int, hasAlpha: Bool) {
        stride = width.roundedUp(toMultipleOf: 16)
        plane = stride * rows
        // Vectors may read past the end of any plane.
        byteCount = (plane * (hasAlpha ? 4 : 3) + 16) * MemoryLayout<Float>.stride
    }

    /// In the form of a blur's passes.
    var params: kernels_float_planes { kernels_float_planes(stride: Int32(stride), plane: Int32(plane)) }

    /// In the form of `SegmentKernels.Place`, in bytes.
    var planes: kernels_planes {
        let size = MemoryLayout<Float>.stride
        return kernels_planes(
            second: Int32(size * plane), third: Int32(size * 2 * plane), fourth: Int32(size * 3 * plane),
            stride: Int32(size * stride), chroma_stride: 0)
    }
}
