import Filters
import Imaging

/// Planes of floats that blurs work in, one blur after the other.
struct BlurScratch {
    /// Some of the photo's rows in linear light.
    let linear: DevicePlanes
    /// How many at once.
    let linearRows: Int
    /// What the passes write in turn.
    let first, second: DevicePlanes

    /// - Parameters:
    ///   - rows: the most rows of the photo that a blur works on at once.
    ///   - blurs: all that take turns.
    init(
        _ blurs: [MaskedBlur], width: Int, rows: Int, hasAlpha: Bool, blocks: Segment.Blocks, lane: OpenCLLane
    ) throws(DeviceError) {
        func planes(width: Int, rows: Int) throws(DeviceError) -> DevicePlanes {
            let shape = FloatPlanes(width: width, rows: rows, hasAlpha: hasAlpha)
            return DevicePlanes(buffer: try lane.deviceBlock(byteCount: shape.byteCount), shape: shape)
        }
        linearRows = min(rows, blocks.linearRows(width: width))
        linear = try planes(width: width, rows: linearRows)
        let shrinking = blurs.filter { $0.gaussian.factor > 1 }
        let shrunkWidth = shrinking.map { $0.gaussian.shrunkCount(of: width) }.max() ?? 1
        let shrunkRows = shrinking.map { $0.gaussian.shrunkCount(of: rows) }.max() ?? 1
        first = try planes(width: shrunkWidth, rows: shrinking.isEmpty ? 1 : max(rows, shrunkRows))
        let shrinksAlways = shrinking.count == blurs.count
        second = try planes(
            width: shrinksAlways ? shrunkWidth : max(width, shrunkWidth),
            rows: shrinksAlways ? shrunkRows : max(rows, shrunkRows))
    }
}

extension Gaussian {
    /// The most shrunk rows, or columns, that the blur of `count` rows of the photo depends on: they reach past
    /// those by the blur's radius, and by a widened pixel.
    func shrunkCount(of count: Int) -> Int { count.dividedRoundingUp(by: factor) + 2 * radius + 5 }
}
