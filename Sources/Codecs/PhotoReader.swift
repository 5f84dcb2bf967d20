import TintypeImaging
import TintypeMetadata

/// Reads one photo: the header and metadata in `init`, the pixels through the strip source.
///
/// It reads front to back, at most a buffer ahead, so it also works on pipes. In a file that can seek, it
/// scans a PNG for metadata first.
public final class PhotoReader {
    /// The format, detected from the first bytes.
    public let format: PhotoFormat
    /// The size as stored, with the orientation from the metadata.
    public let geometry: PhotoGeometry
    /// The layout of the pixels in the file.
    ///
    /// A JPEG: `.yCbCr` planes if it can be decoded without conversion; `.interleaved(.grey, .eight)`;
    /// otherwise `.interleaved(.rgb, .eight)`: for CMYK, YCCK, RGB, and sampling factors that planes cannot
    /// express. A PNG: its own channels and depth, with palettes and less than 8 bits expanded, and tRNS as
    /// alpha.
    public var layout: PixelLayout { decoder.layout }
    /// The metadata of the file. A PNG's may follow the pixels: the reader looks ahead for it. On a
    /// descriptor that cannot seek, this contains only metadata before the pixels. A JPEG of which only EXIF says that it
    /// is in Adobe RGB gets a profile that says the same.
    public let metadata: PhotoMetadata
    /// How a JPEG is coded; nil for a PNG, and for a JPEG that defines its quantisation late.
    public var jpegCoding: JPEGCoding? { decoder.jpegCoding }
    /// Whether the photo is compressed without loss, in a format that has both.
    public var isLossless: Bool { decoder.isLossless }
    /// Flaws of the file that lost no pixels; complete after the last row.
    public var notes: [PhotoNote] { decoder.notes }
    /// Whether there are parts of a colour profile that cannot be assembled.
    package var hasDamagedProfile: Bool { decoder.hasDamagedProfile }
    /// Whether there is metadata that is not read, because it follows the start of the image; complete after the
    /// last row.
    package var hasLateMetadata: Bool { decoder.hasLateMetadata }
    /// By how much the decoder itself can divide both sides: 1, and for a JPEG also 2, 4 and 8.
    package var reductions: [Int] { decoder.reductions }
    /// How the compressed image may be copied to a file of a format, if the photo does not change; nil if it cannot.
    package func copyKind(as format: PhotoFormat) -> CopyKind? {
        guard let coded = decoder.coded else { return nil }
        if format == coded.codedFormat ?? self.format { return .whole }
        if format == coded.inner?.format { return .inner }
        return format.codec.canWrap(decoder) && profileFits ? .wrapped : nil
    }

    /// Whether the compressed image may be copied to a file of a format.
    ///
    /// - Parameters:
    ///   - replacesMetadata: whether the copy gets other metadata.
    ///   - isUpright: whether the file must need no orientation. The photo itself needs none.
    package func canBeCopied(
        as format: PhotoFormat, replacingMetadata replacesMetadata: Bool, upright isUpright: Bool = false
    ) -> Bool {
        guard let coded = decoder.coded else { return false }
        return switch copyKind(as: format) {
        case .whole, .wrapped: !replacesMetadata || coded.canReplaceMetadata
        case .inner: !replacesMetadata && !(isUpright && coded.inner?.orientation != .up)
        case nil: false
        }
    }

    /// The most bytes of memory for a copy, beside decoding.
    package func memoryByteCount(copyingAs format: PhotoFormat) -> Int {
        switch copyKind(as: format) {
        case .wrapped: format.codec.memoryByteCount(wrapping: geometry)
        case .inner: decoder.coded?.inner?.byteCount ?? 0
        default: 0
        }
    }

    let decoder: any PhotoDecoder
    private let input: ByteInput
    /// Nil until it is asked for: most photos are not converted.
    private var conversion: SRGBConversion?
    package let limits: DecodeLimits

    /// Reads from the descriptor's current position; does not close it.
    ///
    /// - Parameter observer: gets all bytes that are read. A decoder stops at the photo's end: see
    ///   `readToEnd`.
    public convenience init(
        fileDescriptor: Int32, limits: DecodeLimits, observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        try self.init(ByteInput(fileDescriptor: fileDescriptor, observer: observer), limits: limits)
    }

    /// Reads a photo from memory.
    public convenience init(bytes: [UInt8], limits: DecodeLimits) throws(CodecError) {
        try self.init(ByteInput(bytes: bytes), limits: limits)
    }

    private init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        let firstBytes = try input.peek(PhotoFormat.detectionByteCount)
        guard let format = PhotoFormat.detect(firstBytes) else {
            throw Self.error(for: Array(firstBytes.prefix(64)))
        }
        input.limit(
            to: limits.maxMetadataByteCount, error: .tooMuchMetadata(limit: limits.maxMetadataByteCount))
        decoder = try format.codec.makeDecoder(input, limits: limits)
        input.removeLimit()
        self.input = input
        self.limits = limits
        self.format = format
        metadata = decoder.metadata
        geometry = PhotoGeometry(
            width: decoder.width, height: decoder.height, orientation: decoder.metadata.orientation)
    }

    /// The HDR gain map that follows the photo; nil if there is none, or if the file cannot be read out of order.
    ///
    /// - Precondition: no source was made before.
    package func readGainMap() throws(CodecError) -> GainMap? { try decoder.readGainMap() }

    /// Lets other threads help to decode, as a large JPEG's planes. Call it before the first row is read.
    package func use(_ helpers: any CodecHelpers) { decoder.use(helpers) }

    /// A source of the photo's rows.
    ///
    /// - Parameter layout: `self.layout`. For a JPEG also `.interleaved(.rgb, .eight)`, with libjpeg's own
    ///   upsampling and conversion, and, unless it is CMYK, `.interleaved(.grey, .eight)`.
    /// - Throws: `CodecError.unsupported` for another layout.
    /// - Precondition: called once.
    public func makeSource(layout: PixelLayout) throws(CodecError) -> any StripSource {
        try makeSource(layout: layout, inSRGB: false)
    }

    /// - Parameter inSRGB: converts the pixels to sRGB. Inks with a profile always become sRGB.
    /// - Precondition: for a conversion, `canBecomeSRGB`, and the layout is interleaved.
    package func makeSource(layout: PixelLayout, inSRGB: Bool) throws(CodecError) -> any StripSource {
        guard canDecode(to: layout) else {
            throw cannotDecode(to: layout)
        }
        return makeRows(geometry, layout, inSRGB: inSRGB)
    }

    private func cannotDecode(to layout: PixelLayout) -> CodecError {
        .unsupported(detail: "this \(format.name) cannot be decoded to \(layout.name)")
    }

    /// Whether `makeSource` may have this layout.
    package func canDecode(to layout: PixelLayout) -> Bool { decoder.canDecode(to: layout) }

    private func makeRows(
        _ geometry: PhotoGeometry, _ layout: PixelLayout, inSRGB: Bool
    ) -> any StripSource {
        let rows = DecodedRows(decoder: decoder, geometry: geometry, layout: layout)
        guard inSRGB, !hasInks, case .possible(let transform) = srgbConversion else { return rows }
        return SRGBSource(rows, transform)
    }

    /// A source of the photo's rows at 1 / `denominator` of the size: both sides divided by it, rounded up. Each
    /// pixel is the mean of a square.
    ///
    /// A JPEG's means come straight from its coefficients, by libjpeg's scaled decoding. They are rounded once
    /// instead of twice, so samples differ by at most 1 from the means of decoded samples; only values beyond 0 to
    /// 255 are limited later. Planes keep their subsampling.
    ///
    /// - Parameters:
    ///   - layout: as for `makeSource(layout:)`.
    ///   - denominator: 1, 2, 4 or 8.
    ///   - inSRGB: as for `makeSource(layout:inSRGB:)`.
    /// - Precondition: no source was made before.
    package func makeReducedSource(
        layout: PixelLayout, by denominator: Int, inSRGB: Bool = false
    ) throws(CodecError) -> any StripSource {
        guard canDecode(to: layout) else { throw cannotDecode(to: layout) }
        let decoded = decoder.reductions.filter(denominator.isMultiple).max() ?? 1
        decoder.reduce(by: decoded)
        let rows = makeRows(geometry.divided(by: decoded), layout, inSRGB: inSRGB)
        return decoded < denominator ? BoxAverageSource(rows, factor: denominator / decoded) : rows
    }

    /// The compressed image that a device may decode to the photo's layout, or to pixels; nil if only `makeSource` can.
    package func compressedImage(decodingTo layout: PixelLayout) -> CompressedImage? {
        let isOffered = layout == self.layout || layout == self.layout.withoutPlanes
        return isOffered && !limits.toleratesDamage ? decoder.compressed?.compressedImage : nil
    }

    /// What the photo is that no device can decode ("a PNG", "a progressive JPEG"); nil if there is a `compressedImage`.
    package var reasonToDecodeHere: String? {
        decoder.compressed == nil ? decoder.reasonToDecodeHere ?? format.nameWithArticle : nil
    }

    /// The most bytes of data of `compressedImage`; nil if that is not known.
    package var compressedByteCount: Int? { decoder.compressed?.compressedByteCount }

    /// The data of `compressedImage`.
    ///
    /// - Parameters:
    ///   - layout: what the device decodes to.
    ///   - denominator: as for `makeReducedSource`: one of `reductions`, by which the device divides both sides.
    /// - Precondition: there is such an image, and no source was made before.
    package func makeCompressedSource(
        layout: PixelLayout, by denominator: Int
    ) -> any CompressedSource {
        guard let compressed = decoder.compressed else { preconditionFailure("a device cannot decode this") }
        return CompressedPhotoSource(compressed, layout, denominator, limits)
    }

    /// A source of the photo's rows, downsampled until the long side has at least `longSide` pixels and fewer
    /// than twice as many. A smaller photo keeps its size.
    ///
    /// libjpeg decodes a JPEG to 1/8, 1/4 or 1/2 of its size, in little more time than the entropy decoder
    /// takes. `BoxAverageSource` does the rest, and all of it for a PNG. The layout is interleaved, with the
    /// photo's alpha and depth.
    ///
    /// - Precondition: no source was made before.
    package func makeThumbnailSource(longSide: Int) throws(CodecError) -> any StripSource {
        let divisor = decoder.reductions.filter { geometry.divided(by: $0).longSide >= longSide }.max() ?? 1
        decoder.reduce(by: divisor)
        let reduced = geometry.divided(by: divisor)
        let source = DecodedRows(decoder: decoder, geometry: reduced, layout: layout.withoutPlanes)
        let factor = reduced.longSide / longSide
        return factor > 1 ? BoxAverageSource(source, factor: factor) : source
    }

    /// Converts `metadata`, this photo's own or a part of it, for a file of another format; the notes tell
    /// what was left out.
    ///
    /// - Parameter hasColour: whether the result's values are of RGB; nil is as in the photo.
    package func carryOver(
        _ metadata: PhotoMetadata, to other: PhotoFormat, hasColour: Bool? = nil
    ) -> (PhotoMetadata, [PhotoNote]) {
        metadata.converted(
            from: format, to: other, hasColour: hasColour ?? layout.hasColour, limits: limits)
    }

    /// The most bytes that a source of `layout` needs, including what was already read, from the header. No
    /// pixels are in memory before the first strip is read.
    package func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        let isConverted = hasInks || conversion?.isPossible == true
        return decoder.memoryByteCount(decodingTo: layout) + metadataMemoryByteCount
            + CodecMemory.buffersByteCount + (isConverted ? CodecMemory.conversionByteCount : 0)
    }

    /// The most bytes for the photo's metadata.
    package var metadataMemoryByteCount: Int {
        // A PNG's may come behind its pixels, or inflated.
        CodecMemory.metadataCopies * max(input.headByteCount, metadata.byteCount)
    }

    /// The most bytes of memory for the photo. Metadata has a limit of its own, so it has its share beside that of the pixels,
    /// as what the decoder grants has, unless the limit is a fixed one.
    package func memoryLimit(decodingTo layout: PixelLayout) -> Int {
        let limit = limits.memoryLimit(for: geometry, decodedTo: layout)
        let more = metadataMemoryByteCount + decoder.grantedByteCount
        return limits.memoryByteCount == nil ? limit + min(more, .max - limit) : limit
    }

    /// What takes most of the memory for reading the photo, for messages ("an interlaced PNG").
    ///
    /// - Parameter byteCount: of the other memory for the photo; nil is returned if that is more.
    package func reasonForMemory(decodingTo layout: PixelLayout, beside byteCount: Int) -> String? {
        let metadata = metadataMemoryByteCount, pixels = memoryByteCount(decodingTo: layout) - metadata
        if metadata > max(pixels, byteCount) { return "full of metadata" }
        return pixels > byteCount ? reasonToHoldAll ?? "very wide" : nil
    }

    /// Why the photo is held as a whole during decoding ("an interlaced PNG"); nil if it is streamed.
    package var reasonToHoldAll: String? { decoder.reasonToHoldAll }

    /// How the pixels become sRGB.
    var srgbConversion: SRGBConversion {
        let conversion = self.conversion ?? makeConversion()
        self.conversion = conversion
        return conversion
    }

    /// Reads the rest of the file, so that the observer gets the whole file.
    ///
    /// - Precondition: all rows were read.
    public func readToEnd() throws(CodecError) { try input.readToEnd() }

    private static func error(for firstBytes: [UInt8]) -> CodecError {
        if firstBytes.isEmpty { return .empty }
        if PhotoFormat.mayBeCutOff(firstBytes) { return .truncated }
        return .notAPhoto(firstBytes: firstBytes, looksLike: Lookalike.name(of: firstBytes))
    }
}

/// The data of a photo that a device decodes.
private final class CompressedPhotoSource: CompressedSource {
    let referenceDecoder: ((_ data: [UInt8]) throws -> any StripSource)?
    private let source: any CompressedSource
    var mostByteCount: Int? { source.mostByteCount }

    init(_ photo: any CompressedPhoto, _ layout: PixelLayout, _ denominator: Int, _ limits: DecodeLimits) {
        let header = photo.compressedImage.header
        referenceDecoder = { data in
            try PhotoReader(bytes: header + data, limits: limits)
                .makeReducedSource(layout: layout, by: denominator)
        }
        source = photo.makeCompressedSource()
    }

    func read(into memory: UnsafeMutableRawBufferPointer) throws -> Int { try source.read(into: memory) }
}

/// The rows of a photo, top to bottom, from its decoder.
private final class DecodedRows: StripSource {
    let geometry: PhotoGeometry
    let layout: PixelLayout
    private let decoder: any PhotoDecoder
    private var nextRow = 0
    private var isStarted = false
    /// Set after a failure: the decoder cannot continue.
    private var failure: CodecError?

    init(decoder: any PhotoDecoder, geometry: PhotoGeometry, layout: PixelLayout) {
        self.decoder = decoder
        self.geometry = geometry
        self.layout = layout
    }

    func read(into strip: Strip) throws {
        precondition(strip.layout == layout && strip.width == geometry.width, "wrong layout or width")
        if let failure { throw failure }
        let count = min(strip.rowCapacity, geometry.height - nextRow)
        strip.firstRow = nextRow
        strip.rowCount = count
        strip.hasBlockPadding = false
        guard count > 0 else { return }
        do throws(CodecError) {
            if !isStarted { try decoder.start(layout) }
            isStarted = true
            try decoder.readRows(count, into: strip)
            nextRow += count
            if nextRow == geometry.height { try decoder.finish() }
        } catch {
            failure = error
            throw error
        }
    }
}

/// How a photo's compressed image gets to a file.
package enum CopyKind {
    /// All bytes are the photo's, but perhaps for metadata.
    case whole
    /// The file holds the photo's file, and compresses it further.
    case wrapped
    /// The file is the one that the photo's holds.
    case inner
}
