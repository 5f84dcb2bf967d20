import Imaging

/// Downsamples a photo to half its size. Each pixel is the mean of 2 x 2, or of fewer at the right and lower
/// edge.
///
/// Values are rounded half up, as in Pillow's `reduce(2)`. Colour is weighted by alpha; it is 0 if all are
/// transparent.
public final class HalfSizeSource: StripSource {
    /// The size of the result: both sides halved, rounded up.
    public let geometry: PhotoGeometry
    /// The layout of the photo and of the result, which is interleaved.
    public let layout: PixelLayout

    private let source: any StripSource
    private var strip: Strip?

    /// - Precondition: the source's layout is interleaved.
    public init(_ source: any StripSource) {
        guard case .interleaved = source.layout else { preconditionFailure("the layout must be interleaved") }
        self.source = source
        layout = source.layout
        geometry = source.geometry.halved
    }

    public func read(into target: Strip) throws {
        precondition(target.layout == layout && target.width == geometry.width, "wrong layout or width")
        let rowCapacity = 2 * target.rowCapacity
        if strip?.rowCapacity != rowCapacity {
            strip = try Strip(layout: layout, width: source.geometry.width, rowCapacity: rowCapacity)
        }
        guard let strip else { return }
        try source.read(into: strip)
        target.firstRow = strip.firstRow / 2
        target.rowCount = strip.rowCount.dividedRoundingUp(by: 2)
        target.hasBlockPadding = false
        switch layout.depth {
        case .eight: halve(strip, into: target, of: UInt8.self)
        case .sixteen: halve(strip, into: target, of: UInt16.self)
        }
    }

    private func halve<Sample: FixedWidthInteger>(_ strip: Strip, into target: Strip, of: Sample.Type) {
        guard case .interleaved(let channels, _) = layout else { return }
        let from = strip.planes[0]
        for row in 0..<target.rowCount {
            let upper = from.row(2 * row).assumingMemoryBound(to: Sample.self)
            let hasLower = 2 * row + 1 < strip.rowCount
            let lower = hasLower ? from.row(2 * row + 1).assumingMemoryBound(to: Sample.self) : nil
            let halver = RowHalver(
                upper: upper, lower: lower, width: strip.width, channelCount: channels.rawValue)
            let output = target.planes[0].row(row).assumingMemoryBound(to: Sample.self)
            if channels.hasAlpha {
                halver.averageWithAlpha(into: output)
            } else {
                halver.average(into: output)
            }
        }
    }
}

/// Averages two rows, or a single last one.
private struct RowHalver<Sample: FixedWidthInteger> {
    let upper: UnsafePointer<Sample>
    let lower: UnsafePointer<Sample>?
    let width: Int
    let channelCount: Int

    init(
        upper: UnsafeMutablePointer<Sample>, lower: UnsafeMutablePointer<Sample>?, width: Int,
        channelCount: Int
    ) {
        self.upper = UnsafePointer(upper)
        self.lower = lower.map { UnsafePointer($0) }
        self.width = width
        self.channelCount = channelCount
    }

    /// A missing row or column is a second copy of the existing one, which gives the same mean.
    func average(into output: UnsafeMutablePointer<Sample>) {
        let lower = lower ?? upper
        for column in 0..<width.dividedRoundingUp(by: 2) {
            let left = 2 * column * channelCount
            let right = 2 * column + 1 < width ? left + channelCount : left
            for channel in 0..<channelCount {
                let sum =
                    UInt32(upper[left + channel]) + UInt32(upper[right + channel])
                    + UInt32(lower[left + channel]) + UInt32(lower[right + channel])
                output[column * channelCount + channel] = Sample(truncatingIfNeeded: (sum + 2) >> 2)
            }
        }
    }

    func averageWithAlpha(into output: UnsafeMutablePointer<Sample>) {
        let lower = lower ?? upper
        let alphaChannel = channelCount - 1
        for column in 0..<width.dividedRoundingUp(by: 2) {
            let left = 2 * column * channelCount
            let right = 2 * column + 1 < width ? left + channelCount : left
            let pixels = (upper + left, upper + right, lower + left, lower + right)
            func weight(_ pixel: UnsafePointer<Sample>) -> UInt64 { UInt64(pixel[alphaChannel]) }
            let alpha = weight(pixels.0) + weight(pixels.1) + weight(pixels.2) + weight(pixels.3)
            let result = output + column * channelCount
            for channel in 0..<alphaChannel {
                func light(_ pixel: UnsafePointer<Sample>) -> UInt64 {
                    UInt64(pixel[channel]) * weight(pixel)
                }
                let sum = light(pixels.0) + light(pixels.1) + light(pixels.2) + light(pixels.3)
                result[channel] = alpha == 0 ? 0 : Sample(truncatingIfNeeded: (sum + alpha / 2) / alpha)
            }
            result[alphaChannel] = Sample(truncatingIfNeeded: (alpha + 2) >> 2)
        }
    }
}
