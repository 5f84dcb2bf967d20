import TintypeImaging

/// Downsamples a photo's planes by 2, 4 or 8. Each sample is the mean of a square of samples, or of the part of it
/// inside the plane, rounded half up.
///
/// A JPEG that is decoded at a fraction of its size has the same samples, give or take 1: see
/// `PhotoReader.makeReducedSource(layout:by:)`. Memory: a row of blocks, and a row of sums.
package final class PlaneAverageSource: StripSource {
    /// The size of the result: both sides divided by the divisor, rounded up.
    package let geometry: PhotoGeometry
    package let layout: PixelLayout

    private let source: any StripSource
    private let divisor: Int
    private var strip: Strip?
    private var nextRow = 0
    /// Sums of pairs of columns of a square.
    private var sums: [UInt16]

    /// - Precondition: the source has planes, no wider than a JPEG's; the divisor is 2, 4 or 8.
    init(_ source: any StripSource, divisor: Int) {
        guard case .yCbCr = source.layout, [2, 4, 8].contains(divisor) else {
            preconditionFailure("the layout must be planes, the divisor 2, 4 or 8")
        }
        self.source = source
        self.divisor = divisor
        layout = source.layout
        geometry = source.geometry.divided(by: divisor)
        sums = Array(repeating: 0, count: source.geometry.width / 2)
    }

    package func read(into target: Strip) throws {
        precondition(target.layout == layout && target.width == geometry.width, "wrong layout or width")
        let strip =
            try strip
            ?? Strip(
                layout: layout, width: source.geometry.width,
                rowCapacity: layout.rowGranularity(width: source.geometry.width))
        self.strip = strip
        target.firstRow = nextRow
        target.rowCount = min(target.rowCapacity, geometry.height - nextRow)
        target.hasBlockPadding = false
        // A row of blocks becomes whole rows of the result, in every plane.
        for row in stride(from: 0, to: target.rowCount, by: strip.rowCapacity / divisor) {
            try source.read(into: strip)
            for (from, to) in zip(strip.planes, target.planes) {
                let vertical = from.subsampling.vertical
                average(from, strip.rowCount.dividedRoundingUp(by: vertical), to: to, atRow: row / vertical)
            }
        }
        nextRow = target.endRow
    }

    package func memoryByteCount(stripRows: Int) -> Int {
        let shape = StripShape(layout: layout, width: source.geometry.width, rowCapacity: 1)
        return 2 * shape.byteCount
            + source.memoryByteCount(stripRows: layout.rowGranularity(width: source.geometry.width))
    }

    private func average(_ from: Strip.Plane, _ rowCount: Int, to: Strip.Plane, atRow first: Int) {
        for row in stride(from: 0, to: rowCount, by: divisor) {
            let rows = row..<min(row + divisor, rowCount)
            let output = to.row(first + row / divisor).assumingMemoryBound(to: UInt8.self)
            let wholeCount = rows.count == divisor ? from.width / divisor : 0
            if wholeCount > 0 { writeWhole(wholeCount, from, rows, to: output) }
            for x in wholeCount..<from.width.dividedRoundingUp(by: divisor) {
                output[x] = mean(from, rows, x * divisor..<min((x + 1) * divisor, from.width))
            }
        }
    }

    /// Squares that lie inside the plane.
    private func writeWhole(
        _ count: Int, _ from: Strip.Plane, _ rows: Range<Int>, to output: UnsafeMutablePointer<UInt8>
    ) {
        let pairCount = divisor / 2, shift = UInt16(2 * divisor.trailingZeroBitCount)
        sums.withUnsafeMutableBufferPointer { sums in
            for x in 0..<count * pairCount { sums[x] = 0 }
            for row in rows {
                // As words of two samples, so that the compiler can vectorise the sums.
                let pairs = from.row(row).assumingMemoryBound(to: UInt16.self)
                for x in 0..<count * pairCount { sums[x] &+= (pairs[x] & 0xFF) &+ (pairs[x] >> 8) }
            }
            let half = UInt16(1) << (shift - 1)
            guard pairCount > 1 else {
                for x in 0..<count { output[x] = UInt8(truncatingIfNeeded: (sums[x] &+ half) >> shift) }
                return
            }
            for x in 0..<count {
                var sum = half
                for pair in 0..<pairCount { sum &+= sums[x * pairCount + pair] }
                output[x] = UInt8(truncatingIfNeeded: sum >> shift)
            }
        }
    }

    private func mean(_ from: Strip.Plane, _ rows: Range<Int>, _ columns: Range<Int>) -> UInt8 {
        var sum = rows.count * columns.count / 2
        for row in rows {
            let samples = from.row(row).assumingMemoryBound(to: UInt8.self)
            for x in columns { sum += Int(samples[x]) }
        }
        return UInt8(sum / (rows.count * columns.count))
    }
}

extension StripSource {
    /// The photo at 1 / `divisor` of its size: each pixel is the mean of a square.
    ///
    /// - Parameter divisor: 1, 2, 4 or 8.
    package func averaged(by divisor: Int) -> any StripSource {
        switch (divisor, layout) {
        case (1, _): self
        case (_, .yCbCr): PlaneAverageSource(self, divisor: divisor)
        case (_, .interleaved): BoxAverageSource(self, factor: divisor)
        }
    }
}
