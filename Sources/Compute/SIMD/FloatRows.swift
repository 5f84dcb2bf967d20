import Imaging
import Kernels

/// Memory for rows of planar floats: red, green, blue and, where asked for, alpha.
///
/// Each channel's row begins on a 64-byte boundary.
final class FloatRows {
    let count: Int
    private let memory: UnsafeMutablePointer<Float>
    private let floatsPerChannel: Int
    private let channelCount: Int

    /// - Parameters:
    ///   - count: rows.
    ///   - width: pixels a row.
    init(count: Int, width: Int, hasAlpha: Bool) {
        self.count = count
        channelCount = hasAlpha ? 4 : 3
        floatsPerChannel = width.roundedUp(toMultipleOf: StripShape.alignment / MemoryLayout<Float>.stride)
        let bytes = UnsafeMutableRawPointer.allocate(
            byteCount: count * channelCount * floatsPerChannel * MemoryLayout<Float>.stride,
            alignment: StripShape.alignment)
        memory = bytes.bindMemory(to: Float.self, capacity: count * channelCount * floatsPerChannel)
    }

    deinit { UnsafeMutableRawPointer(memory).deallocate() }

    subscript(index: Int) -> kernels_rows {
        let row = memory + index * channelCount * floatsPerChannel
        return kernels_rows(
            red: row, green: row + floatsPerChannel, blue: row + 2 * floatsPerChannel,
            alpha: channelCount == 4 ? row + 3 * floatsPerChannel : nil)
    }
}

extension kernels_rows {
    /// The channels that there are.
    var channels: [UnsafeMutablePointer<Float>] { [red, green, blue, alpha].compactMap { $0 } }

    func copy(to other: kernels_rows, count: Int) {
        for (source, destination) in zip(channels, other.channels) { destination.update(from: source, count: count) }
    }
}
