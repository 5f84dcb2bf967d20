import TintypeCodecs
import TintypeCompute
import TintypeImaging

/// Takes the rows of a photo from a device, and then completes the output's file.
package protocol PhotoSink: StripSink {
    /// Call it after the last row.
    ///
    /// - Parameter isCancelled: polled between strips.
    /// - Throws: `CodecError` if the output cannot be written; `CancellationError`; `OutOfMemory`.
    func finish(isCancelled: () -> Bool) throws

    /// An upper estimate of the bytes that it needs beside its encoder.
    var memoryByteCount: Int { get }

    /// See `PhotoWriter`.
    var needsHelpers: Bool { get }
    /// See `PhotoWriter`.
    func use(_ helpers: any CodecHelpers, memory byteCount: Int)
}

extension PhotoSink {
    package var needsHelpers: Bool { false }
    package func use(_ helpers: any CodecHelpers, memory byteCount: Int) {}
}

extension PhotoWriter: PhotoSink {
    package var memoryByteCount: Int { 0 }

    package func finish(isCancelled: () -> Bool) throws { try finish() }
}

/// Turns a photo upright before it is written. It holds the whole photo, because its first row may need a sample of
/// each stored row.
final class UprightSink: PhotoSink {
    let layout: PixelLayout
    private let stored: PhotoGeometry
    private let writer: any PhotoSink
    /// Allocated with the first row.
    private var photo: MemoryPhoto?

    /// - Parameters:
    ///   - stored: the geometry before the photo is turned.
    ///   - layout: of the rows that it takes: see `layout(for:_:)`.
    ///   - writer: gets the photo in `stored.upright`.
    init(_ stored: PhotoGeometry, layout: PixelLayout, to writer: any PhotoSink) {
        self.stored = stored
        self.layout = layout
        self.writer = writer
    }

    /// The layout in which a photo is turned: what the writer takes, or RGB where chroma cannot be turned.
    static func layout(for writer: PixelLayout, _ stored: PhotoGeometry) -> PixelLayout {
        // Turning back swaps the same axes.
        let layout = writer.upright(from: stored.orientation)
        return layout.canTurnUpright(stored) ? layout : .interleaved(.rgb, .eight)
    }

    /// For the photo, and for writing it.
    var memoryByteCount: Int {
        let plan = plan
        return StripShape(layout: plan.input, width: plan.geometry.width, rowCapacity: plan.geometry.height)
            .byteCount + SIMDDevice().memory(for: plan).byteCount + writer.memoryByteCount
    }

    private var plan: RenderPlan {
        RenderPlan(
            [], for: stored.upright, input: layout.upright(from: stored.orientation), output: writer.layout)
    }

    func use(_ helpers: any CodecHelpers, memory byteCount: Int) { writer.use(helpers, memory: byteCount) }

    func write(_ strip: Strip) throws {
        let plan = plan
        let photo = try self.photo ?? MemoryPhoto(allocating: plan.geometry, layout: plan.input)
        self.photo = photo
        strip.turnUpright(stored, into: photo.strip)
    }

    func finish(isCancelled: () -> Bool) throws {
        guard let photo else { preconditionFailure("rows are missing") }
        try SIMDDevice().render(plan, from: photo.makeSource(), to: writer, isCancelled: isCancelled)
        try writer.finish(isCancelled: isCancelled)
    }
}
