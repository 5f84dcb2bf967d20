import TintypeCompute
import TintypeFilters
import TintypeImaging

/// A photo's pixels in memory, without padding.
///
/// For programs that produce or consume pixels themselves. `PhotoPipeline` filters files strip by strip.
public struct Pixels: Hashable, Sendable {
    /// Size in pixels, as stored, and the orientation for display.
    public let geometry: PhotoGeometry
    /// The layout of `bytes`, without the padding of rows.
    public let layout: PixelLayout
    /// Samples, row-major: one plane of interleaved samples, or the planes Y, Cb and Cr one after the other.
    /// Cb and Cr are subsampled as the layout says, with sizes rounded up. Samples of 16 bits are in native
    /// byte order.
    public let bytes: [UInt8]

    /// - Precondition: `bytes` has `byteCount(of:layout:)` elements.
    public init(_ bytes: [UInt8], _ geometry: PhotoGeometry, layout: PixelLayout) {
        precondition(
            bytes.count == Self.byteCount(of: geometry, layout: layout), "too few or too many bytes")
        self.bytes = bytes
        self.geometry = geometry
        self.layout = layout
    }

    /// Takes pixels that are shown as they are stored: `Pixels(bytes, width: 640, height: 480)`.
    ///
    /// - Precondition: `bytes` has `byteCount(of:layout:)` elements; width and height are at least 1.
    public init(_ bytes: [UInt8], width: Int, height: Int, layout: PixelLayout = .rgba8) {
        self.init(bytes, PhotoGeometry(width: width, height: height), layout: layout)
    }

    /// Takes interleaved samples of 16 bits.
    ///
    /// - Parameter channels: the channels of each pixel; alpha is straight.
    /// - Precondition: `samples` has width x height x channels elements.
    public init(_ samples: [UInt16], _ geometry: PhotoGeometry, _ channels: PixelLayout.Channels) {
        self.init(
            samples.withUnsafeBytes(Array.init), geometry, layout: .interleaved(channels, .sixteen))
    }

    /// Interleaved samples of 16 bits; nil for other layouts.
    public var samples16: [UInt16]? {
        guard layout.depth == .sixteen else { return nil }
        return bytes.withUnsafeBytes { bytes in
            (0..<bytes.count / 2).map { bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self) }
        }
    }

    /// Bytes that pixels of this size need in this layout.
    public static func byteCount(of geometry: PhotoGeometry, layout: PixelLayout) -> Int {
        StripShape(layout: layout, width: geometry.width, rowCapacity: 1).planes.reduce(0) { sum, plane in
            let rows = geometry.height.dividedRoundingUp(by: plane.subsampling.vertical)
            return sum + rows * plane.width * plane.bytesPerSample
        }
    }

    /// Filters the pixels on one device; the result has the same layout, and the size that filters such as `Resize`
    /// give it. If that layout is grey and the filters make colours, they become grey again.
    ///
    /// - Parameter isCancelled: polled between strips.
    /// - Throws: `FilterError` for a setting that is out of its range, `DeviceError`, `OutOfMemory` or `CancellationError`.
    public func filtered(
        by filters: [any Filter], on device: any Device, isCancelled: () -> Bool = { false }
    ) throws -> Pixels {
        let chain = FilterChain(filters)
        try chain.check()
        let source = PixelsSource(self)
        let plan = RenderPlan(
            converting: chain.stages(for: geometry), for: geometry, input: layout, output: layout)
        let sink = try PixelsSink(plan.outputGeometry, layout: layout)
        try device.render(plan, from: source, to: sink, isCancelled: isCancelled)
        return sink.pixels
    }

    /// The same pixels in another layout.
    ///
    /// Without alpha, pixels are composited over white; alpha that is added is opaque. Grey is the luma of BT.601, as
    /// in a JPEG. 8 bits become 16 and back without loss.
    ///
    /// - Throws: `OutOfMemory`.
    public func converted(to layout: PixelLayout) throws -> Pixels {
        let sink = try PixelsSink(geometry, layout: layout)
        try PixelsSource(self).convert(to: sink)
        return sink.pixels
    }
}
