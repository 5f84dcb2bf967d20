import Foundation
import TintypeImaging

/// A photo, or a rectangle of it, at another size.
///
/// Along each axis, a pixel of the result is a weighted sum of pixels, in linear light with premultiplied alpha. Sums
/// along y are made first, then sums of these along x.
public struct Resampling: Hashable, Sendable {
    /// Along x, in the photo as stored.
    public let columns: ResamplingAxis
    /// Along y, in the photo as stored.
    public let rows: ResamplingAxis

    /// The most bytes of its tables for each row or column.
    package static let tableBytesPerRow = 150

    public init(columns: ResamplingAxis, rows: ResamplingAxis) {
        self.columns = columns
        self.rows = rows
    }

    /// The pixels of an area, unchanged. Those outside of the photo are 0.
    package init(of photo: PhotoGeometry, in area: ShownArea) {
        let stored = area.stored(in: photo)
        columns = ResamplingAxis(cropping: photo.width, to: stored.columns)
        rows = ResamplingAxis(cropping: photo.height, to: stored.rows)
    }

    /// True if the photo stays as it is.
    public var isIdentity: Bool { columns.isIdentity && rows.isIdentity }

    /// True if the result shows the whole photo, and nothing else.
    var showsWholePhoto: Bool { columns.isOfAll && rows.isOfAll }

    /// True if every pixel of the result is a pixel of the photo, or outside of it. Such values are not converted.
    package var onlyMoves: Bool { columns.onlyMoves && rows.onlyMoves }

    /// The result's geometry.
    package func result(of photo: PhotoGeometry) -> PhotoGeometry {
        PhotoGeometry(width: columns.count, height: rows.count, orientation: photo.orientation)
    }

    /// The same for a photo that has already been reduced: each pixel is the mean of `divisor` x `divisor` pixels.
    package func afterReduction(by divisor: Int) -> Resampling {
        Resampling(columns: columns.afterReduction(by: divisor), rows: rows.afterReduction(by: divisor))
    }

    /// The same for a photo that `first` has already made smaller; nil if that would show.
    ///
    /// Lanczos keeps detail up to about half of its own finest. So `first` must be a Lanczos of the whole photo, and a
    /// pixel of the result a sum over at least two of its pixels along each axis.
    package func after(_ first: Resampling) -> Resampling? {
        guard let columns = columns.after(first.columns), let rows = rows.after(first.rows) else {
            return nil
        }
        return Resampling(columns: columns, rows: rows)
    }

    /// The same part of another picture of the same, in as many pixels for each of its own; not in more than the part has.
    package func following(width: Int, height: Int) -> Resampling {
        Resampling(columns: columns.following(length: width), rows: rows.following(length: height))
    }

    /// About the same factors for a photo of another size.
    package func stretched(width: Int, height: Int) -> Resampling {
        Resampling(columns: columns.stretched(to: width), rows: rows.stretched(to: height))
    }
}

/// One axis of a resampling: the weights of pixels in each pixel of the result.
public struct ResamplingAxis: Hashable, Sendable {
    /// The photo's length in pixels.
    public let sourceCount: Int
    /// The part of the photo that becomes the result, in pixels from its start. It may exceed the photo only if
    /// nothing is resampled.
    public let range: Range<Double>
    /// The result's length in pixels.
    public let count: Int
    /// The interpolation.
    public let kernel: ResamplingKernel
    /// Pixels that each pixel of the result is a sum of.
    package let tapCount: Int
    /// For each pixel of the result: the first pixel of its sum. They never decrease.
    package let starts: [Int]
    /// `tapCount` weights for each pixel of the result. Their sum is 1, or 0 outside of the photo.
    package let weights: [Float]

    /// The value of which these are the parts.
    package init(
        sourceCount: Int, range: Range<Double>, count: Int, kernel: ResamplingKernel, tapCount: Int,
        starts: [Int], weights: [Float]
    ) {
        self.sourceCount = sourceCount
        self.range = range
        self.count = count
        self.kernel = kernel
        self.tapCount = tapCount
        self.starts = starts
        self.weights = weights
    }

    /// - Parameters:
    ///   - sourceCount: the photo's length in pixels, at least 1.
    ///   - range: the part of the photo that becomes the result, within 0...`sourceCount`.
    ///   - count: the result's length in pixels, at least 1.
    public init(
        _ sourceCount: Int, range: Range<Double>, count: Int, kernel: ResamplingKernel
    ) {
        self.sourceCount = sourceCount
        self.range = range
        self.count = count
        self.kernel = kernel
        let sums = ResamplingSums.of(
            .init(sourceCount: sourceCount, range: range, count: count, kernel: kernel))
        tapCount = sums.tapCount
        starts = sums.starts
        weights = sums.weights
    }

    /// Pixels `range` of the photo, unchanged. Pixels outside of the photo are 0.
    public init(cropping sourceCount: Int, to range: Range<Int>) {
        self.sourceCount = sourceCount
        self.range = Double(range.lowerBound)..<Double(range.upperBound)
        count = range.count
        kernel = .box
        tapCount = 1
        starts = range.map { min(max($0, 0), sourceCount - 1) }
        weights = range.map { 0..<sourceCount ~= $0 ? 1 : 0 }
    }

    /// True if the axis stays as it is.
    public var isIdentity: Bool { onlyMoves && count == sourceCount && range.lowerBound == 0 }

    /// True if nothing is cropped or added. After a reduction, the last pixel may count in part.
    fileprivate var isOfAll: Bool {
        range.lowerBound == 0 && range.upperBound <= Double(sourceCount)
            && range.upperBound > Double(sourceCount - 1)
    }

    var onlyMoves: Bool { tapCount == 1 && range.upperBound - range.lowerBound == Double(count) }

    /// `range` in whole pixels, for an axis that only moves them.
    package var pixels: Range<Int> { Int(range.lowerBound)..<Int(range.upperBound) }

    /// Pixels of the photo that the result's pixels `range` depend on.
    package func sources(of range: Range<Int>) -> Range<Int> {
        starts[range.lowerBound]..<starts[range.upperBound - 1] + tapCount
    }

    /// Pixels of the photo for each pixel of the result.
    package var factor: Double { (range.upperBound - range.lowerBound) / Double(count) }

    fileprivate func afterReduction(by divisor: Int) -> ResamplingAxis {
        let reduced = (sourceCount + divisor - 1) / divisor
        let scaled = range.lowerBound / Double(divisor)..<range.upperBound / Double(divisor)
        return ResamplingAxis(reduced, range: scaled, count: count, kernel: kernel)
    }

    fileprivate func after(_ first: ResamplingAxis) -> ResamplingAxis? {
        guard first.sourceCount == sourceCount, first.range == 0..<Double(sourceCount),
            first.kernel == .lanczos, first.factor >= 1, factor >= 2 * first.factor
        else { return nil }
        let scaled =
            range.lowerBound / first.factor..<min(range.upperBound / first.factor, Double(first.count))
        return ResamplingAxis(first.count, range: scaled, count: count, kernel: kernel)
    }

    fileprivate func following(length: Int) -> ResamplingAxis {
        let scale = Double(length) / Double(sourceCount), tolerance = 1e-6
        func place(_ value: Double) -> Double {
            let place = value * scale
            return abs(place - place.rounded()) < tolerance ? place.rounded() : place
        }
        let start = place(range.lowerBound), end = place(range.upperBound)
        let whole = Int(start.rounded())..<max(Int(end.rounded()), Int(start.rounded()) + 1)
        let isInside = start >= 0 && end <= Double(length)
        let resultCount = max(1, Int(min(Double(count) * scale, end - start).rounded()))
        // Pixels as they are, and those outside.
        if !isInside
            || start == Double(whole.lowerBound) && end == Double(whole.upperBound)
                && resultCount == whole.count
        {
            return ResamplingAxis(cropping: length, to: whole)
        }
        return ResamplingAxis(
            length, range: start..<end, count: resultCount,
            kernel: onlyMoves ? .catmullRom : kernel)
    }

    fileprivate func stretched(to length: Int) -> ResamplingAxis {
        let count = max(1, min(Int((Double(length) / factor).rounded()), 3 * length))
        guard !onlyMoves else {
            let first = Int(range.lowerBound.rounded()) % length
            return ResamplingAxis(cropping: length, to: first..<first + count)
        }
        return ResamplingAxis(length, range: 0..<Double(length), count: count, kernel: kernel)
    }
}

/// How pixels of another size are interpolated.
///
/// Source: the definitions in K. Turkowski, "Filters for Common Resampling Tasks" (1990). For a smaller result, a kernel
/// is stretched by the factor, so that it averages what it must not show. At the photo's edges, weights of
/// pixels outside are dropped and the rest is scaled to a sum of 1.
public enum ResamplingKernel: String, CaseIterable, Hashable, Sendable {
    /// The mean of the area that a pixel covers.
    case box
    /// The cubic of Catmull and Rom, over 4 pixels: less sharp, with a smaller overshoot.
    case catmullRom = "catmull-rom"
    /// A sinc that is windowed by a wider sinc, over 6 pixels: sharp.
    case lanczos = "lanczos"

    /// The weights of one pixel of the result, which covers `step` pixels from `first` on.
    func taps(from first: Double, step: Double, sourceCount: Int) -> (start: Int, weights: [Double]) {
        let scale = max(step, 1), centre = first + step / 2
        // Pixels on each side of the centre that contribute.
        let reach =
            switch self {
            case .box: step / 2
            case .catmullRom: 2 * scale
            case .lanczos: 3 * scale
            }
        let start = min(max(Int((centre - reach + 1e-9).rounded(.down)), 0), sourceCount - 1)
        let end = max(min(Int((centre + reach - 1e-9).rounded(.up)), sourceCount), start + 1)
        var weights = (start..<end).map { pixel in
            let place = abs((Double(pixel) + 0.5 - centre) / scale)
            return switch self {
            case .box: max(min(Double(pixel) + 1, centre + reach) - max(Double(pixel), centre - reach), 0)
            case .catmullRom: Self.catmullRom(place)
            case .lanczos: place < 3 ? Self.sinc(place) * Self.sinc(place / 3) : 0
            }
        }
        let sum = weights.reduce(0, +)
        weights = weights.map { $0 / sum }
        let isUsed: (Double) -> Bool = { abs($0) > 1e-8 }
        let used = (weights.firstIndex(where: isUsed) ?? 0)...(weights.lastIndex(where: isUsed) ?? 0)
        return (start + used.lowerBound, Array(weights[used]))
    }

    private static func catmullRom(_ x: Double) -> Double {
        if x < 1 { return (1.5 * x - 2.5) * x * x + 1 }
        return x < 2 ? ((-0.5 * x + 2.5) * x - 4) * x + 2 : 0
    }

    private static func sinc(_ x: Double) -> Double {
        x == 0 ? 1 : sin(.pi * x) / (.pi * x)
    }
}
