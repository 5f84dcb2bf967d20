import TintypeCodecs
import TintypeFiles
import TintypeImaging
import TintypeRendering

/// What is made of a photo, by the CPU or by a device.
struct Making: Hashable {
    enum Output: Hashable {
        case samples
        /// Samples of RGB, of a photo that has these.
        case pixels
        /// A JPEG. Without a quality, it has the photo's own quantisation.
        case file(quality: Int?, optimizesCodes: Bool, restartRows: Int?)
    }

    /// Of both sides, by decoding.
    let divisor: Int
    let output: Output

    struct Result: Equatable {
        /// Samples without padding, or a file.
        let bytes: [UInt8]
        let notes: [PhotoNote]
        let hasLateMetadata: Bool

        /// Whether there is nothing to say of the photo.
        var isSound: Bool { notes.isEmpty && !hasLateMetadata }
    }

    // Photos should be fast. Damaged headers claim any size.
    private static let limits = DecodeLimits(maxPixels: 1 << 18)

    private func layout(of photo: PhotoReader) -> PixelLayout {
        let pixels = PixelLayout.interleaved(.rgb, .eight)
        return output == .pixels && photo.canDecode(to: pixels) ? pixels : photo.layout
    }

    /// - Throws: `CodecError` for a photo that cannot be decoded.
    func byCPU(_ photo: [UInt8]) throws -> Result {
        let reader = try PhotoReader(bytes: photo, limits: Self.limits)
        let source = try reader.makeReducedSource(layout: layout(of: reader), by: divisor)
        let plan = RenderPlan([], for: source.geometry, input: source.layout, output: source.layout)
        func pass(to sink: any StripSink) throws {
            try plan.passOn(source, to: sink, isCancelled: { false })
        }
        let bytes: [UInt8]
        if let target = try FileTarget(output, reader, plan) {
            let writer = try PhotoWriter(
                fileDescriptor: target.file.file.number, settings: target.settings)
            try pass(to: writer)
            try writer.finish()
            bytes = try target.bytes
        } else {
            let samples = MemoryPhoto(plan.geometry, layout: plan.output)
            try pass(to: samples.makeSink())
            bytes = samples.samples
        }
        return Result(bytes: bytes, notes: reader.notes, hasLateMetadata: reader.hasLateMetadata)
    }

    /// - Returns: nil if the device does not offer to do all of it, or gets no such photos.
    /// - Throws: `IrregularImage`; `CodecError` for a header that cannot be read; `DeviceError`.
    func byDevice(_ photo: [UInt8], _ device: any CodingDevice) throws -> Result? {
        let reader = try PhotoReader(bytes: photo, limits: Self.limits)
        let layout = layout(of: reader), geometry = reader.geometry.divided(by: divisor)
        guard let image = reader.compressedImage(decodingTo: layout) else { return nil }
        let plan = RenderPlan([], for: geometry, input: layout, output: layout)
        let target = try FileTarget(output, reader, plan)
        let work = CodingWork(
            CodingWork.Input(image, reducedBy: divisor, byteCount: reader.compressedByteCount),
            [CodingWork.Output(plan, to: try target?.image)])
        guard let offer = try device.offer(for: work), work.accepted(offer) == work else { return nil }
        let samples = MemoryPhoto(geometry, layout: layout)
        let writer = try target.map { target in
            try CompressedWriter(
                fileDescriptor: target.file.file.number, target.image, settings: target.settings)
        }
        let output = RenderOutput(
            plan, to: writer.map { .compressed($0.image, $0) } ?? .strips(samples.makeSink()))
        try device.render(
            [output],
            from: .compressed(
                image, reducedBy: divisor, reader.makeCompressedSource(layout: layout, by: divisor)),
            isCancelled: { false })
        return Result(
            bytes: try target?.bytes ?? samples.samples, notes: reader.notes,
            hasLateMetadata: reader.hasLateMetadata)
    }
}

/// A JPEG in memory that is to be written.
private struct FileTarget {
    let file: SharedFile
    let settings: PhotoWriterSettings
    private let scratch: SharedFile?

    /// - Returns: nil if samples are wanted.
    init?(_ output: Making.Output, _ reader: PhotoReader, _ plan: RenderPlan) throws {
        guard case .file(let quality, let optimizesCodes, let restartRows) = output else { return nil }
        file = SharedFile(try OpenFile.inMemory())
        scratch = optimizesCodes ? SharedFile(try OpenFile.inMemory()) : nil
        var settings = PhotoWriterSettings(
            format: .jpeg, geometry: plan.outputGeometry, layout: plan.output,
            jpegQuality: quality.map(JPEGQuality.value) ?? reader.jpegCoding.map(JPEGQuality.keep)
                ?? .value(90))
        settings.restartRows = restartRows
        settings.scratchDescriptor = scratch?.file.number
        self.settings = settings
    }

    /// What a device encodes.
    var image: CompressedImage {
        get throws {
            guard let image = try CompressedWriter.image(settings) else {
                preconditionFailure("devices encode JPEGs")
            }
            return image
        }
    }

    var bytes: [UInt8] { get throws { try file.file.firstBytes(file.file.status().byteCount) } }
}
