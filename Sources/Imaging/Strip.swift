/// Whole rows of one photo, in one 64-byte aligned block of memory.
///
/// A `StripSource` fills a strip, a device filters it, and a `StripSink` takes it. Its memory is then reused
/// for the next rows. Threads may pass a strip on, but must not share it.
// @unchecked: only the thread that currently owns the strip uses it.
public final class Strip: @unchecked Sendable {
    /// One plane of samples: row-major, `bytesPerRow` bytes from one row to the next.
    public struct Plane {
        /// Address of the first row.
        public let base: UnsafeMutableRawPointer
        /// Bytes from one row to the next, a multiple of `StripShape.alignment`.
        public let bytesPerRow: Int
        /// Samples in a row that belong to the photo.
        public let width: Int
        /// The capacity in rows.
        public let rowCapacity: Int
        /// Pixels, horizontally and vertically, that share one sample.
        public let subsampling: ChromaSubsampling
        /// Bytes from one sample (or one interleaved pixel) to the next.
        public let bytesPerSample: Int

        /// Address of a row of the plane.
        public func row(_ index: Int) -> UnsafeMutableRawPointer { base + index * bytesPerRow }

        /// Address of the sample of the pixel at `x` in the strip's row `pixelRow`.
        @inlinable
        public func sample(x: Int, pixelRow: Int) -> UnsafeMutableRawPointer {
            base + (pixelRow >> subsampling.verticalShift) * bytesPerRow
                + (x >> subsampling.horizontalShift) * bytesPerSample
        }
    }

    /// The layout of the samples.
    public let layout: PixelLayout
    /// The photo's width in pixels.
    public let width: Int
    /// The capacity in rows of pixels, a multiple of `rowGranularity`.
    public let rowCapacity: Int
    /// One plane of interleaved samples, or the planes Y, Cb and Cr.
    public let planes: [Plane]
    /// All of the strip's memory.
    public let memory: UnsafeMutableRawBufferPointer

    /// The photo's row that is the strip's first; a multiple of `rowGranularity`.
    public var firstRow = 0
    /// Rows of the photo that the strip holds.
    public var rowCount = 0
    /// True if the padding to the right of and below the photo, up to whole JPEG blocks, has the decoder's
    /// own samples. An encoder can then write the same blocks again.
    public var hasBlockPadding = false

    private let release: (UnsafeMutableRawBufferPointer) -> Void

    /// A strip with memory of its own, filled with zeros.
    ///
    /// - Throws: `OutOfMemory`; a photo's header decides its width.
    public convenience init(layout: PixelLayout, width: Int, rowCapacity: Int) throws(OutOfMemory) {
        let shape = StripShape(layout: layout, width: width, rowCapacity: rowCapacity)
        let memory = try UnsafeMutableRawPointer.zeroed(byteCount: shape.byteCount)
        self.init(
            shape, memory: UnsafeMutableRawBufferPointer(start: memory, count: shape.byteCount),
            release: { $0.baseAddress?.releaseZeroed(byteCount: $0.count) })
    }

    /// A strip in memory that the caller provides, such as pinned memory of a driver. `release` frees it.
    ///
    /// - Precondition: `memory` has at least `shape.byteCount` bytes.
    public init(
        _ shape: StripShape, memory: UnsafeMutableRawBufferPointer,
        release: @escaping (UnsafeMutableRawBufferPointer) -> Void
    ) {
        precondition(memory.count >= shape.byteCount, "too little memory for the strip")
        layout = shape.layout
        width = shape.width
        rowCapacity = shape.rowCapacity
        self.memory = memory
        self.release = release
        planes = shape.planes.map { plane in
            Plane(
                base: memory.baseAddress! + plane.byteOffset, bytesPerRow: plane.bytesPerRow,
                width: plane.width, rowCapacity: plane.rowCapacity, subsampling: plane.subsampling,
                bytesPerSample: plane.bytesPerSample)
        }
    }

    /// A strip whose planes begin anywhere in the memory, as those of a window do.
    ///
    /// - Parameter planeOffsets: bytes from the memory's start to each plane.
    /// - Returns: nil if there are more or fewer planes, or if one exceeds the memory.
    package init?(
        layout: PixelLayout, width: Int, rowCapacity: Int, planesAt planeOffsets: [Int],
        in memory: UnsafeMutableRawBufferPointer, release: @escaping (UnsafeMutableRawBufferPointer) -> Void
    ) {
        let shape = StripShape(layout: layout, width: width, rowCapacity: rowCapacity)
        guard let base = memory.baseAddress, planeOffsets.count == shape.planes.count,
            shape.rowCapacity == rowCapacity,
            zip(shape.planes, planeOffsets).allSatisfy({ plane, offset in
                offset >= 0 && offset <= memory.count - plane.bytesPerRow * plane.rowCapacity
            })
        else { return nil }
        self.layout = layout
        self.width = width
        self.rowCapacity = rowCapacity
        self.memory = memory
        self.release = release
        planes = zip(shape.planes, planeOffsets).map { plane, offset in
            Plane(
                base: base + offset, bytesPerRow: plane.bytesPerRow, width: plane.width,
                rowCapacity: plane.rowCapacity, subsampling: plane.subsampling,
                bytesPerSample: plane.bytesPerSample)
        }
    }

    deinit { release(memory) }

    /// A part of this strip, from its row `row` on, as a strip that shares the memory and keeps this one
    /// alive.
    ///
    /// - Precondition: `row` is a multiple of `rowGranularity`, and `row + rowCapacity` is at most this
    ///   strip's capacity.
    public func window(atRow row: Int, rowCapacity: Int) -> Strip {
        precondition(row % rowGranularity == 0 && row + rowCapacity <= self.rowCapacity)
        return Strip(windowOf: self, atRow: row, rowCapacity: rowCapacity)
    }

    private init(windowOf parent: Strip, atRow row: Int, rowCapacity: Int) {
        layout = parent.layout
        width = parent.width
        self.rowCapacity = rowCapacity
        memory = parent.memory
        release = { _ in withExtendedLifetime(parent) {} }
        planes = parent.planes.map { plane in
            Plane(
                base: plane.row(row / plane.subsampling.vertical), bytesPerRow: plane.bytesPerRow,
                width: plane.width, rowCapacity: rowCapacity / plane.subsampling.vertical,
                subsampling: plane.subsampling, bytesPerSample: plane.bytesPerSample)
        }
    }

    /// See `PixelLayout.rowGranularity(width:)`.
    public var rowGranularity: Int { layout.rowGranularity(width: width) }

    /// The photo's row after the strip's last one.
    public var endRow: Int { firstRow + rowCount }
}

/// The layout of a strip's planes in its memory.
public struct StripShape: Hashable, Sendable {
    /// Position and size of one plane.
    public struct Plane: Hashable, Sendable {
        /// Bytes from the start of the strip's memory to the plane's first row.
        public let byteOffset: Int
        /// Bytes from one row to the next, a multiple of `StripShape.alignment`.
        public let bytesPerRow: Int
        /// Samples in a row that belong to the photo.
        public let width: Int
        /// The capacity in rows of samples.
        public let rowCapacity: Int
        /// Pixels, horizontally and vertically, that share one sample.
        public let subsampling: ChromaSubsampling
        /// Bytes from one sample (or one interleaved pixel) to the next.
        public let bytesPerSample: Int
    }

    /// Alignment in bytes of each plane and each row: a cache line, and the widest vector.
    public static let alignment = 64

    /// The layout of the samples.
    public let layout: PixelLayout
    /// The photo's width in pixels.
    public let width: Int
    /// The capacity in rows of pixels, a multiple of `PixelLayout.rowGranularity(width:)`.
    public let rowCapacity: Int
    /// One plane of interleaved samples, or the planes Y, Cb and Cr.
    public let planes: [Plane]
    /// Bytes of all planes, including padding.
    public let byteCount: Int

    /// - Parameters:
    ///   - width: the photo's width in pixels.
    ///   - rowCapacity: rows of pixels; rounded up to a multiple of
    ///     `PixelLayout.rowGranularity(width:)`.
    public init(layout: PixelLayout, width: Int, rowCapacity: Int) {
        let rows = rowCapacity.roundedUp(toMultipleOf: layout.rowGranularity(width: width))
        var planes: [Plane] = []
        var end = 0
        // Padding for whole JPEG blocks, 8 x 8 samples in every plane, and for the 16 pixels of a work-item.
        let blockColumns = width.roundedUp(toMultipleOf: 16).dividedRoundingUp(
            by: 8 * layout.subsampling.horizontal)
        func addPlane(_ subsampling: ChromaSubsampling, bytesPerSample: Int) {
            let paddedWidth = blockColumns * 8 * layout.subsampling.horizontal / subsampling.horizontal
            let plane = Plane(
                byteOffset: end,
                bytesPerRow: (paddedWidth * bytesPerSample).roundedUp(toMultipleOf: Self.alignment),
                width: width.dividedRoundingUp(by: subsampling.horizontal),
                rowCapacity: rows / subsampling.vertical, subsampling: subsampling,
                bytesPerSample: bytesPerSample)
            planes.append(plane)
            end += plane.bytesPerRow * plane.rowCapacity
        }
        switch layout {
        case .interleaved(let channels, let depth):
            addPlane(.s444, bytesPerSample: channels.rawValue * depth.byteCount)
        case .yCbCr(let subsampling):
            addPlane(.s444, bytesPerSample: 1)
            addPlane(subsampling, bytesPerSample: 1)
            addPlane(subsampling, bytesPerSample: 1)
        }
        self.layout = layout
        self.width = width
        self.rowCapacity = rows
        self.planes = planes
        byteCount = end
    }
}
