import Imaging
import Kernels

/// Memory for rows of planar floats: red, green, blue and, where asked for, alpha.
///
/// Each channel's row begins on a 64-byte boundary. From one row to the next it is an odd number of cache
/// lines: rows a power of two apart would share a few places of the cache, and a blur along y would miss it
/// at every step.
final class FloatRows {
    let count: Int
    private let memory: UnsafeMutablePointer<Float>
    /// Floats from one channel's row to the next channel's.
    private let channelStride: Int
    /// Floats from one row to the next.
    private let rowStride: Int
    private let channelCount: Int
    /// Floats that kernels may take at once: every channel's row has room for whole tiles.
    private static let tile = 64

    /// - Parameters:
    ///   - count: rows.
    ///   - width: pixels a row.
    init(count: Int, width: Int, hasAlpha: Bool) {
        self.count = count
        channelCount = hasAlpha ? 4 : 3
        let cacheLine = StripShape.alignment / MemoryLayout<Float>.stride
        channelStride = width.roundedUp(toMultipleOf: Self.tile)
        let lines = channelCount * channelStride / cacheLine
        rowStride = (lines | 1) * cacheLine
        // Vectors may be read past the last row's end.
        let floatCount = count * rowStride + Self.tile
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: floatCount * MemoryLayout<Float>.stride, alignment: StripShape.alignment)
        memory = bytes.bindMemory(to: Float.self, capacity: floatCount)
        memory.initialize(repeating: 0, count: floatCount)
    }

    deinit { UnsafeMutableRawPointer(memory).deallocate() }

    subscript(index: Int) -> kernels_rows {
        let row = memory + index * rowStride
        return kernels_rows(
            red: row, green: row + channelStride, blue: row + 2 * channelStride,
            alpha: channelCount == 4 ? row + 3 * channelStride : nil)
    }
}

extension kernels_rows {
    /// The channels that there are.
    var channels: [UnsafeMutablePointer<Float>] { [red, green, blue, alpha].compactMap { $0 } }

    /// The same rows from `x` pixels on.
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
