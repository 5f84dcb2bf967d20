import TintypeCodecs
import TintypeCompute
import TintypeFilters
import TintypeImaging
import TintypeResources

/// A smaller copy of a photo in memory. It is decoded once, and filtered in milliseconds, so that a slider's effect is seen while it
/// moves.
// @unchecked: nothing writes the pixels after `init`.
package final class PhotoProxy: @unchecked Sendable {
    /// The photo's own size.
    package let whole: PhotoGeometry
    private let photo: MemoryPhoto
    /// Colour profile and orientation.
    private let metadata: PhotoMetadata
    private let format: PhotoFormat

    /// Decodes the photo. A JPEG is decoded at a reduced size, which takes a fraction of the time.
    ///
    /// - Parameters:
    ///   - longSide: width or height, whichever is larger, is at least this many pixels and less than twice as many. A smaller
    ///     photo keeps its size. Less than 1 counts as 1.
    ///   - limits: a photo beyond them fails.
    ///   - memory: a budget that photos at work share, asked for what decoding takes; nil sets no limit.
    package convenience init(
        of image: EncodedImage, longSide: Int, limits: DecodeLimits = DecodeLimits(),
        memory: MemoryBudget? = nil
    ) throws(PhotoError) {
        self.init(try Self.decoded(image, longSide: longSide, isExact: false, limits, memory, { false }))
    }

    /// The same with exactly this many pixels on the longer side, if the photo has as many.
    package convenience init(
        of image: EncodedImage, fitting longSide: Int, limits: DecodeLimits = DecodeLimits(),
        memory: MemoryBudget? = nil, isCancelled: @escaping () -> Bool = { false }
    ) throws(PhotoError) {
        self.init(try Self.decoded(image, longSide: longSide, isExact: true, limits, memory, isCancelled))
    }

    private struct Parts {
        let whole: PhotoGeometry
        let photo: MemoryPhoto
        let metadata: PhotoMetadata
        let format: PhotoFormat
    }

    private init(_ parts: Parts) {
        whole = parts.whole
        photo = parts.photo
        metadata = parts.metadata
        format = parts.format
    }

    private static func decoded(
        _ image: EncodedImage, longSide: Int, isExact: Bool, _ limits: DecodeLimits, _ memory: MemoryBudget?,
        _ isCancelled: @escaping () -> Bool
    ) throws(PhotoError) -> Parts {
        do {
            return try image.read(limits: limits) { reader, input in
                let source = try reader.makeThumbnailSource(longSide: max(1, longSide))
                let own = Self.byteCount(of: source.geometry, source.layout)
                let byteCount = try Self.memoryByteCount(of: reader, besides: own, memory)
                let photo = try memory.lending(byteCount, isCancelled) {
                    let photo = try MemoryPhoto(allocating: source.geometry, layout: source.layout)
                    try source.convert(to: photo.makeSink())
                    try input?.checkUnchanged()
                    return isExact ? try photo.fitted(to: longSide) : photo
                }
                let format: PhotoFormat = photo.isOpaque ? .usual : .usualWithAlpha
                let metadata = reader.carryOver(reader.fittingMetadata.stripped(), to: format).0
                return Parts(whole: reader.geometry, photo: photo, metadata: metadata, format: format)
            }
        } catch {
            throw PhotoError(error, path: "a thumbnail")
        }
    }

    /// - Parameter byteCount: the copy's own.
    /// - Throws: `CodecError.needsTooMuchMemory`.
    private static func memoryByteCount(
        of reader: PhotoReader, besides byteCount: Int, _ memory: MemoryBudget?
    ) throws -> Int {
        let layout = PixelLayout.interleaved(reader.layout.hasColour ? .rgb : .grey, reader.layout.depth)
        let strip = StripShape(layout: layout, width: reader.geometry.width, rowCapacity: 16)
        let needed = reader.memoryByteCount(decodingTo: layout) + strip.byteCount + byteCount
        // The limit of one photo is for decoding it; its copy may be as large as the photo.
        let limit = min(
            reader.memoryLimit(decodingTo: reader.layout) + byteCount, memory?.byteCount ?? .max)
        guard needed <= limit else {
            throw CodecError.needsTooMuchMemory(
                reason: reader.reasonForMemory(decodingTo: layout, beside: strip.byteCount + byteCount)
                    ?? "very wide", byteCount: needed, limit: limit)
        }
        return needed
    }

    /// Bytes of its pixels.
    package var byteCount: Int { Self.byteCount(of: photo.geometry, photo.layout) }

    private static func byteCount(of size: PhotoGeometry, _ layout: PixelLayout) -> Int {
        StripShape(layout: layout, width: size.width, rowCapacity: size.height).byteCount
    }

    /// Its sides divided by the photo's.
    package var share: Double { Double(photo.geometry.longSide) / Double(whole.longSide) }

    /// A file of the copy after filters that do to it what they do to the photo: see `FilterChain.fitted`.
    ///
    /// It is a JPEG; of a photo with transparent pixels, a PNG of 8 bits, so that its background shows. Of the metadata, only the
    /// colour profile and the orientation remain; the pixels are not turned.
    ///
    /// - Parameters:
    ///   - longSide: the most pixels of its longer side; nil for any.
    ///   - quality: of the JPEG, 1...100.
    /// - Returns: also the size that the whole photo has after these filters, as shown.
    /// - Throws: `CodecError`, `DeviceError`, `OutOfMemory`; `CancellationError` if `isCancelled` returned true.
    package func filtered(
        by chain: FilterChain, atMost longSide: Int? = nil, quality: Int = 80,
        isCancelled: () -> Bool = { false }
    ) throws -> (bytes: [UInt8], format: PhotoFormat, whole: PhotoGeometry) {
        let stages = self.chain(chain, atMost: longSide).stages(for: photo.geometry)
        let hasColour = photo.layout.hasColour || stages.haveColour(input: false)
        let source = PixelLayout.interleaved(
            .init(colour: hasColour, alpha: format == .usualWithAlpha), .eight)
        let layout = PhotoWriter.layout(for: format, source: source, grey: !hasColour, jpegCoding: nil)
        let plan = RenderPlan(stages, for: photo.geometry, input: photo.layout, output: layout)
        var settings = PhotoWriterSettings(
            format: format, geometry: plan.outputGeometry, layout: layout, metadata: metadata,
            jpegQuality: .value(quality))
        settings.pngLevel = .fast
        let bytes = try PhotoWriter.file(settings, atMost: .max) { writer in
            try SIMDDevice().render(plan, from: photo.makeSource(), to: writer, isCancelled: isCancelled)
            try writer.finish()
        }
        guard let bytes else { preconditionFailure("there is no limit") }
        return (bytes, format, size(after: chain).upright)
    }

    /// The whole photo's size after filters.
    package func size(after chain: FilterChain) -> PhotoGeometry {
        chain.stages(for: whole).result(of: whole)
    }

    /// The pixels of a picture's longer side after filters.
    package func longSide(after chain: FilterChain) -> Int {
        let fitted = chain.fitted(from: whole, to: photo.geometry)
        return fitted.stages(for: photo.geometry).result(of: photo.geometry).longSide
    }

    private func chain(_ chain: FilterChain, atMost longSide: Int?) -> FilterChain {
        let fitted = chain.fitted(from: whole, to: photo.geometry)
        guard let longSide, self.longSide(after: chain) > longSide else { return fitted }
        return fitted + [Resize(long: Float(longSide))]
    }
}

extension MemoryBudget? {
    fileprivate func lending<Result>(
        _ byteCount: Int, _ isCancelled: @escaping () -> Bool, to body: () throws -> Result
    ) throws -> Result {
        guard let self else { return try body() }
        return try self.lend(byteCount, isCancelled: isCancelled, to: body)
    }
}

extension MemoryPhoto {
    /// A smaller copy; this photo itself if it is small enough.
    fileprivate func fitted(to longSide: Int) throws -> MemoryPhoto {
        guard geometry.longSide > longSide else { return self }
        let stages = FilterChain([Resize(long: Float(longSide))]).stages(for: geometry)
        let plan = RenderPlan(stages, for: geometry, input: layout, output: layout)
        let small = try MemoryPhoto(allocating: plan.outputGeometry, layout: layout)
        try SIMDDevice().render(plan, from: makeSource(), to: small.makeSink(), isCancelled: { false })
        return small
    }

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
