import TintypeImaging

/// Downsamples a photo by an integer factor. Each pixel is the mean of a square of pixels, or of the part of
/// it inside the photo.
///
/// Values are rounded half up, as in Pillow's `reduce`. Colour is weighted by alpha; it is 0 if all are
/// transparent. Memory: a strip of the photo, and 8 bytes for each sample of a row of the result.
package final class BoxAverageSource: StripSource {
    /// The size of the result: both sides divided by the factor, rounded up.
    package let geometry: PhotoGeometry
    /// The layout of the photo and of the result, which is interleaved.
    package let layout: PixelLayout

    private let source: any StripSource
    private let factor: Int
    private let channelCount: Int
    /// Sums of a row of squares: of alpha, and of colour times alpha, if there is alpha.
    private var sums: [UInt64]
    private var strip: Strip?
    /// The strip's row to add next, and the photo's row after the squares that are complete.
    private var nextRow = 0, nextSquare = 0

    /// The most rows that are decoded at once.
    private static let mostRows = 16

    /// - Precondition: the source's layout is interleaved; `factor` is at least 1.
    init(_ source: any StripSource, factor: Int) {
        guard case .interleaved(let channels, _) = source.layout, factor > 0 else {
            preconditionFailure("the layout must be interleaved, the factor at least 1")
        }
        self.source = source
        self.factor = factor
        channelCount = channels.rawValue
        layout = source.layout
        geometry = source.geometry.divided(by: factor)
        sums = Array(repeating: 0, count: geometry.width * channels.rawValue)
    }

    package func read(into target: Strip) throws {
        precondition(target.layout == layout && target.width == geometry.width, "wrong layout or width")
        target.firstRow = nextSquare
        target.rowCount = min(target.rowCapacity, geometry.height - nextSquare)
        target.hasBlockPadding = false
        for row in 0..<target.rowCount {
            let rowCount = try addRows(stripRows: target.rowCapacity)
            switch layout.depth {
            case .eight: write(rowCount, to: target.planes[0].row(row).assumingMemoryBound(to: UInt8.self))
            case .sixteen: write(rowCount, to: target.planes[0].row(row).assumingMemoryBound(to: UInt16.self))
            }
            nextSquare += 1
        }
    }

    package func memoryByteCount(stripRows: Int) -> Int {
        let rows = rowCapacity(stripRows)
        return StripShape(layout: layout, width: source.geometry.width, rowCapacity: rows).byteCount
            + sums.count * MemoryLayout<UInt64>.stride + source.memoryByteCount(stripRows: rows)
    }

    /// Rows that are decoded at once.
    private func rowCapacity(_ stripRows: Int) -> Int { min(Self.mostRows, factor * stripRows) }

    /// Adds the rows of the next squares to the sums.
    ///
    /// - Returns: their number, fewer than the factor only at the lower edge.
    private func addRows(stripRows: Int) throws -> Int {
        for index in sums.indices { sums[index] = 0 }
        let rowCount = min(factor, source.geometry.height - nextSquare * factor)
        for _ in 0..<rowCount {
            let strip = try filledStrip(stripRows)
            let row = strip.planes[0].row(nextRow)
            switch layout.depth {
            case .eight: add(row.assumingMemoryBound(to: UInt8.self))
            case .sixteen: add(row.assumingMemoryBound(to: UInt16.self))
            }
            nextRow += 1
        }
        return rowCount
    }

    private func filledStrip(_ stripRows: Int) throws -> Strip {
        let strip =
            try strip
            ?? Strip(layout: layout, width: source.geometry.width, rowCapacity: rowCapacity(stripRows))
        self.strip = strip
        if nextRow == strip.rowCount {
            try source.read(into: strip)
            nextRow = 0
        }
        return strip
    }

    private func add<Sample: FixedWidthInteger>(_ row: UnsafePointer<Sample>) {
        // A constant number of channels takes half the time of a variable.
        switch channelCount {
        case 1: addOpaque(row, channelCount: 1)
        case 3: addOpaque(row, channelCount: 3)
        default: addWithAlpha(row)
        }
    }

    @inline(__always)
    private func addOpaque<Sample: FixedWidthInteger>(_ row: UnsafePointer<Sample>, channelCount: Int) {
        let width = source.geometry.width
        sums.withUnsafeMutableBufferPointer { sums in
            for square in 0..<geometry.width {
                for column in square * factor..<min((square + 1) * factor, width) {
                    for channel in 0..<channelCount {
                        sums[square * channelCount + channel] &+= UInt64(
                            row[column * channelCount + channel])
                    }
                }
            }
        }
    }

    private func addWithAlpha<Sample: FixedWidthInteger>(_ row: UnsafePointer<Sample>) {
        let channelCount = channelCount, width = source.geometry.width
        sums.withUnsafeMutableBufferPointer { sums in
            for square in 0..<geometry.width {
                let sum = square * channelCount
                for column in square * factor..<min((square + 1) * factor, width) {
                    let pixel = row + column * channelCount
                    let weight = UInt64(pixel[channelCount - 1])
                    for channel in 0..<channelCount - 1 {
                        sums[sum + channel] &+= UInt64(pixel[channel]) &* weight
                    }
                    sums[sum + channelCount - 1] &+= weight
                }
            }
        }
    }

    private func write<Sample: FixedWidthInteger>(_ rowCount: Int, to row: UnsafeMutablePointer<Sample>) {
        func mean(_ sum: UInt64, of count: UInt64) -> Sample {
            count == 0 ? 0 : Sample(truncatingIfNeeded: (sum + count / 2) / count)
        }
        let colourCount = layout.hasAlpha ? channelCount - 1 : channelCount
        for square in shiftWhole(rowCount, to: row)..<geometry.width {
            let columnCount = min(factor, source.geometry.width - square * factor)
            let pixelCount = UInt64(rowCount * columnCount)
            let index = square * channelCount
            let weight = layout.hasAlpha ? sums[index + colourCount] : pixelCount
            for channel in 0..<colourCount { row[index + channel] = mean(sums[index + channel], of: weight) }
            if layout.hasAlpha { row[index + colourCount] = mean(weight, of: pixelCount) }
        }
    }

    /// Writes the opaque squares that have a power of two of pixels: a division takes longer than the rest of a pixel.
    ///
    /// - Returns: the number of squares that were written.
    private func shiftWhole<Sample: FixedWidthInteger>(
        _ rowCount: Int, to row: UnsafeMutablePointer<Sample>
    ) -> Int {
        let pixelCount = rowCount * factor, squareCount = source.geometry.width / factor
        guard !layout.hasAlpha, pixelCount & (pixelCount - 1) == 0 else { return 0 }
        let half = UInt64(pixelCount / 2), shift = UInt64(pixelCount.trailingZeroBitCount)
        sums.withUnsafeBufferPointer { sums in
            for index in 0..<squareCount * channelCount {
                row[index] = Sample(truncatingIfNeeded: (sums[index] &+ half) &>> shift)
            }
        }
        return squareCount
    }
}
