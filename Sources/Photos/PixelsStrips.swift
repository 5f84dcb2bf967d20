import Glibc
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeRendering
import TintypeStages

/// Yields pixels in memory, once.
final class PixelsSource: StripSource {
    private let pixels: Pixels
    private var nextRow = 0

    init(_ pixels: Pixels) { self.pixels = pixels }

    var geometry: PhotoGeometry { pixels.geometry }
    var layout: PixelLayout { pixels.layout }

    func read(into strip: Strip) {
        strip.firstRow = nextRow
        strip.rowCount = min(strip.rowCapacity, geometry.height - nextRow)
        strip.hasBlockPadding = false
        nextRow = strip.endRow
        pixels.bytes.withUnsafeBytes { bytes in
            strip.forEachPackedRow(of: geometry) { row, range in
                row.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
            }
        }
    }
}

/// Takes pixels into memory.
final class PixelsSink: StripSink {
    let layout: PixelLayout
    private let geometry: PhotoGeometry
    private var bytes: [UInt8]

    /// - Throws: `OutOfMemory`; a photo's header may decide the size.
    init(_ geometry: PhotoGeometry, layout: PixelLayout) throws(OutOfMemory) {
        self.geometry = geometry
        self.layout = layout
        let byteCount = Pixels.byteCount(of: geometry, layout: layout)
        // An array of Swift's ends the process if there is too little memory.
        try UnsafeMutableRawPointer.zeroed(byteCount: byteCount).releaseZeroed(byteCount: byteCount)
        bytes = [UInt8](repeating: 0, count: byteCount)
    }

    /// The pixels, once all rows were written.
    var pixels: Pixels { Pixels(bytes, geometry, layout: layout) }

    func write(_ strip: Strip) {
        bytes.withUnsafeMutableBytes { bytes in
            strip.forEachPackedRow(of: geometry) { row, range in
                UnsafeMutableRawBufferPointer(rebasing: bytes[range]).copyMemory(
                    from: UnsafeRawBufferPointer(row))
            }
        }
    }
}

extension Strip {
    /// Passes the strip's rows to `body`, without padding, each with its place in the bytes of `Pixels`.
    ///
    /// - Parameter geometry: of the whole photo.
    fileprivate func forEachPackedRow(
        of geometry: PhotoGeometry, _ body: (UnsafeMutableRawBufferPointer, Range<Int>) -> Void
    ) {
        var planeStart = 0
        for plane in planes {
            let vertical = plane.subsampling.vertical, byteCount = plane.width * plane.bytesPerSample
            let first = firstRow / vertical
            for row in first..<endRow.dividedRoundingUp(by: vertical) {
                let start = planeStart + row * byteCount
                body(
                    UnsafeMutableRawBufferPointer(start: plane.row(row - first), count: byteCount),
                    start..<start + byteCount)
            }
            planeStart += geometry.height.dividedRoundingUp(by: vertical) * byteCount
        }
    }
}

extension StripSource {
    /// Passes all rows on to `sink`, in its layout: see `Pixels.converted(to:)`.
    func convert(to sink: any StripSink) throws {
        let sink = sink.layout.hasAlpha && !layout.hasAlpha ? OpaqueSink(sink) : sink
        let plan = RenderPlan(converting: [], for: geometry, input: layout, output: sink.layout)
        try SIMDDevice().render(plan, from: self, to: sink, isCancelled: { false })
    }
}

/// Adds opaque alpha, which devices do not.
private final class OpaqueSink: StripSink {
    let layout: PixelLayout
    private let sink: any StripSink
    private var strip: Strip?

    /// - Parameter sink: its layout has alpha, so it is interleaved.
    init(_ sink: any StripSink) {
        self.sink = sink
        layout = .interleaved(sink.layout.hasColour ? .rgb : .grey, sink.layout.depth)
    }

    func write(_ opaque: Strip) throws {
        let strip =
            try strip
            ?? Strip(layout: sink.layout, width: opaque.width, rowCapacity: opaque.rowCapacity)
        self.strip = strip
        let (from, to) = (opaque.planes[0], strip.planes[0])
        for row in 0..<opaque.rowCount {
            let source = from.row(row), target = to.row(row)
            // All bits of an opaque alpha are set.
            memset(target, 0xFF, to.width * to.bytesPerSample)
            for x in 0..<from.width {
                (target + x * to.bytesPerSample).copyMemory(
                    from: source + x * from.bytesPerSample, byteCount: from.bytesPerSample)
            }
        }
        (strip.firstRow, strip.rowCount) = (opaque.firstRow, opaque.rowCount)
        try sink.write(strip)
    }
}

extension RenderPlan {
    /// A plan whose result becomes grey if its layout is.
    init(converting stages: [Stage], for geometry: PhotoGeometry, input: PixelLayout, output: PixelLayout) {
        let becomesGrey = !output.hasColour && stages.haveColour(input: input.hasColour)
        self.init(
            stages + (becomesGrey ? [.luma] : []), for: geometry, input: input, output: output)
    }
}

extension Stage {
    /// The luma of BT.601, which a JPEG's Y is.
    fileprivate static var luma: Stage {
        let weights = PointArgument.table([0.299, 0.587, 0.114])
        return .point(
            PointStage(
                "colour_matrix", ["red": weights, "green": weights, "blue": weights],
                colourEffect: .makesGrey))
    }
}
