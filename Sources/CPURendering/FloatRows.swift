import TintypeImaging
import TintypeKernels

/// Memory for rows of planar floats: red, green, blue and optionally alpha.
///
/// Each channel's row begins on a 64-byte boundary. The row stride is an odd number of cache lines. With a
/// power of two, rows would share a few cache sets, and a blur along y would miss the cache at every tap.
final class FloatRows {
    let count: Int
    private let memory: UnsafeMutablePointer<Float>
    private let shape: FloatRowsShape

    /// - Parameters:
    ///   - count: the number of rows.
    ///   - width: pixels in a row.
    init(count: Int, width: Int, hasAlpha: Bool) throws(OutOfMemory) {
        self.count = count
        let shape = FloatRowsShape(count: count, width: width, hasAlpha: hasAlpha)
        self.shape = shape
        // Zero bytes are the float 0.
        let bytes = try UnsafeMutableRawPointer.zeroed(byteCount: shape.byteCount)
        memory = bytes.bindMemory(to: Float.self, capacity: shape.byteCount / MemoryLayout<Float>.stride)
    }

    deinit { UnsafeMutableRawPointer(memory).releaseZeroed(byteCount: shape.byteCount) }

    subscript(index: Int) -> kernels_rows {
        let row = memory + index * shape.rowStride
        return kernels_rows(
            red: row, green: row + shape.channelStride, blue: row + 2 * shape.channelStride,
            alpha: shape.channelCount == 4 ? row + 3 * shape.channelStride : nil)
    }
}

/// The layout of `FloatRows` in memory.
struct FloatRowsShape {
    let channelCount: Int
    /// Floats from one channel's row to the next channel's.
    let channelStride: Int
    /// Floats from one row to the next.
    let rowStride: Int
    let byteCount: Int
    /// Floats that kernels may read or write at once. Every channel's row is padded to whole tiles.
    private static let tile = 64
    /// Floats that downsampling by 8 may read past the last row's end.
    private static let readAhead = 256

    init(count: Int, width: Int, hasAlpha: Bool) {
        channelCount = hasAlpha ? 4 : 3
        let cacheLine = StripShape.alignment / MemoryLayout<Float>.stride
        channelStride = width.roundedUp(toMultipleOf: Self.tile)
        let lines = channelCount * channelStride / cacheLine
        rowStride = (lines | 1) * cacheLine
        byteCount = (count * rowStride + Self.readAhead) * MemoryLayout<Float>.stride
    }
}

extension kernels_rows {
    /// The channels' rows; alpha only if present.
    var channels: [UnsafeMutablePointer<Float>] { [red, green, blue, alpha].compactMap { $0 } }

    /// The same rows, starting at pixel `x`.
    static func + (rows: kernels_rows, x: Int) -> kernels_rows {
        kernels_rows(
            red: rows.red + x, green: rows.green + x, blue: rows.blue + x, alpha: rows.alpha.map { $0 + x })
    }

    func copy(to other: kernels_rows, count: Int) {
        for (source, destination) in zip(channels, other.channels) {
            destination.update(from: source, count: count)
        }
    }
}
