import TintypeCodecs
import TintypeCompute
import TintypeFiles
import TintypeImaging
import TintypeResources

extension EncodedImage {
    /// A small copy of the photo, for a grid of many.
    ///
    /// It is a JPEG; a photo with transparent pixels gives a PNG of 8 bits, so that its background shows. Of the
    /// metadata, only the colour profile and the orientation remain; the pixels are not turned. A JPEG is
    /// decoded with libjpeg's scaled decoding, which takes a fraction of the time; memory for a photo that can
    /// be streamed does not depend on its height.
    ///
    /// - Parameters:
    ///   - longSide: width or height, whichever is larger, is at least this many pixels and less than twice as
    ///     many. A smaller photo keeps its size. Less than 1 counts as 1.
    ///   - quality: JPEG quality, 1...100.
    ///   - limits: a photo beyond them fails.
    ///   - memory: a budget that photos at work share; nil sets no limit.
    /// - Throws: `PhotoError`.
    public func thumbnail(
        longSide: Int = 320, quality: Int = 80, limits: DecodeLimits = DecodeLimits(),
        memory: MemoryBudget? = nil
    ) throws(PhotoError) -> EncodedImage {
        do {
            return try read(limits: limits) { reader, input in
                let source = try reader.makeThumbnailSource(longSide: max(1, longSide))
                let size = try Self.memoryForThumbnail(of: reader, source.geometry, memory)
                func make() throws -> EncodedImage {
                    let pixels = try Self.pixels(of: source)
                    try input?.checkUnchanged()
                    return try Self.encode(pixels, of: reader, quality: quality)
                }
                guard let memory else { return try make() }
                return try memory.lend(size, isCancelled: { false }, to: make)
            }
        } catch {
            throw PhotoError(error, path: "a thumbnail")
        }
    }

    /// - Throws: `CodecError.needsTooMuchMemory`.
    private static func memoryForThumbnail(
        of reader: PhotoReader, _ size: PhotoGeometry, _ memory: MemoryBudget?
    ) throws -> Int {
        let layout = PixelLayout.interleaved(reader.layout.hasColour ? .rgb : .grey, reader.layout.depth)
        let strip = StripShape(layout: layout, width: reader.geometry.width, rowCapacity: 16)
        let thumbnail =
            strip.byteCount + 4 * Pixels.byteCount(of: size, layout: .interleaved(.rgba, .sixteen))
        let byteCount = reader.memoryByteCount(decodingTo: layout) + thumbnail
        let limit = min(reader.memoryLimit(decodingTo: reader.layout), memory?.byteCount ?? .max)
        guard byteCount <= limit else {
            throw CodecError.needsTooMuchMemory(
                reason: reader.reasonForMemory(decodingTo: layout, beside: thumbnail) ?? "very wide",
                byteCount: byteCount, limit: limit)
        }
        return byteCount
    }

    private static func pixels(of source: any StripSource) throws -> MemoryPhoto {
        let photo = try MemoryPhoto(allocating: source.geometry, layout: source.layout)
        try source.convert(to: photo.makeSink())
        return photo
    }

    private static func encode(
        _ photo: MemoryPhoto, of reader: PhotoReader, quality: Int
    ) throws -> EncodedImage {
        let isOpaque = photo.isOpaque, colour = photo.layout.hasColour
        let format: PhotoFormat = isOpaque ? .usual : .usualWithAlpha
        let layout = PhotoWriter.layout(
            for: format, source: .interleaved(.init(colour: colour, alpha: !isOpaque), .eight), grey: !colour,
            jpegCoding: nil)
        let file = try OpenFile.temporary(for: photo.geometry.pixelCount * layout.bytesPerPixel)
        let writer = try PhotoWriter(
            fileDescriptor: file.number,
            settings: PhotoWriterSettings(
                format: format, geometry: photo.geometry, layout: layout,
                metadata: reader.carryOver(reader.fittingMetadata.stripped(), to: format).0,
                jpegQuality: .value(quality)))
        let plan = RenderPlan([], for: photo.geometry, input: photo.layout, output: layout)
        try SIMDDevice().render(plan, from: photo.makeSource(), to: writer, isCancelled: { false })
        try writer.finish()
        return try EncodedImage(SpoolFile(file), format: format)
    }
}

extension MemoryPhoto {
    /// Whether all pixels are opaque.
    fileprivate var isOpaque: Bool {
        guard case .interleaved(let channels, let depth) = layout, channels.hasAlpha else { return true }
        let stride = channels.rawValue * depth.byteCount
        var isOpaque = true
        forEachRow { row in
            // All bits of an opaque alpha are set, so the order of its bytes does not matter.
            for start in Swift.stride(from: stride - depth.byteCount, to: row.count, by: stride) {
                for byte in row[start..<start + depth.byteCount] where byte != 255 { isOpaque = false }
            }
        }
        return isOpaque
    }
}
