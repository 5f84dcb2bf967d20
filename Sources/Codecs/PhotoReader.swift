import Imaging
import Metadata

/// One photo being read: its header and metadata by `init`, its pixels by the strip source.
///
/// Bytes are read front to back and no further ahead than a buffer, so pipes do as well as files; only a PNG's
/// file is looked through for metadata first.
public final class PhotoReader {
    public let format: PhotoFormat
    /// Size as stored, turned as the metadata says.
    public let geometry: PhotoGeometry
    /// How the file holds the pixels.
    ///
    /// A JPEG: `.yCbCr` planes where it can be decoded without converting anything; `.interleaved(.grey,
    /// .eight)`; else `.interleaved(.rgb, .eight)`: for CMYK, YCCK, RGB, and sampling factors that planes
    /// cannot express. A PNG: its own channels and depth, with palettes and less than 8 bits expanded, and
    /// tRNS as alpha.
    public var layout: PixelLayout { decoder.layout }
    /// What the file says besides the pixels. A PNG may say it behind them, which is found by looking ahead; of
    /// a descriptor that cannot seek, only what precedes the pixels is here.
    public let metadata: PhotoMetadata
    /// How a JPEG is coded; nil for a PNG, and for a JPEG that defines its quantisation late.
    public var jpegCoding: JPEGCoding? { decoder.jpegCoding }
    /// What was odd about the file, and lost nothing; complete once the last row was read.
    public var notes: [PhotoNote] { decoder.notes }
    /// Whether a JPEG has parts of a colour profile that do not make one.
    package var hasDamagedProfile: Bool { (decoder as? JPEGDecoder)?.hasDamagedProfile ?? false }
    /// Whether a JPEG has metadata behind the beginning of its image, where it is not read; complete once the
    /// last row was read.
    package var hasLateMetadata: Bool { (decoder as? JPEGDecoder)?.hasLateMetadata ?? false }

    private let decoder: any PhotoDecoder
    private let input: ByteInput
    package let limits: DecodeLimits

    /// Takes over the descriptor's read position; does not close it.
    ///
    /// - Parameter observer: sees all bytes that are read. A decoder stops where the photo ends: see
    ///   `readToEnd`.
    public convenience init(
        fileDescriptor: Int32, limits: DecodeLimits, observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        try self.init(ByteInput(fileDescriptor: fileDescriptor, observer: observer), limits: limits)
    }

    public convenience init(bytes: [UInt8], limits: DecodeLimits) throws(CodecError) {
        try self.init(ByteInput(bytes: bytes), limits: limits)
    }

    private init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        let firstBytes = Array(try input.peek(64))
        input.limit(
            to: limits.maxMetadataByteCount, error: .tooMuchMetadata(limit: limits.maxMetadataByteCount))
        switch PhotoFormat.detect(firstBytes) {
        case .jpeg: decoder = try JPEGDecoder(input, limits: limits)
        case .png: decoder = try PNGDecoder(input, limits: limits)
        case nil: throw Self.error(for: firstBytes)
        }
        input.removeLimit()
        self.input = input
        self.limits = limits
        format = decoder.format
        metadata = decoder.metadata
        geometry = PhotoGeometry(
            width: decoder.width, height: decoder.height, orientation: decoder.metadata.orientation)
    }

    /// The photo's rows.
    ///
    /// - Parameter layout: `self.layout`; for a JPEG also `.interleaved(.rgb, .eight)`, which is libjpeg's
    ///   own upsampling and conversion, and, unless it is CMYK, `.interleaved(.grey, .eight)`.
    /// - Precondition: called once.
    public func makeSource(layout: PixelLayout) throws(CodecError) -> any StripSource {
        DecodedRows(decoder: decoder, geometry: geometry, layout: layout)
    }

    /// What a file of another format can say of `metadata`, which is this photo's own or a part of it, and what
    /// that leaves out.
    package func carryOver(
        _ metadata: PhotoMetadata, to other: PhotoFormat
    ) -> (PhotoMetadata, [PhotoNote]) {
        guard format == .png, other == .jpeg else { return (metadata, []) }
        return metadata.convertedToJPEG(hasColour: layout.hasColour, limits: limits)
    }

    /// The most bytes that the source of `layout` takes while it is read, and what was read before: told by the
    /// header. Nothing of the pixels is in memory before the first strip is asked for.
    package func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        decoder.memoryByteCount(decodingTo: layout) + CodecMemory.metadataCopies * input.headByteCount
            + CodecMemory.buffersByteCount
    }

    /// Why the photo is held as a whole while it is decoded ("an interlaced PNG"); nil where it is not.
    package var reasonToHoldAll: String? { decoder.reasonToHoldAll }

    /// Hands every byte of a JPEG to `copier`, while the source that is made next is read.
    ///
    /// - Precondition: a JPEG, of which no source was made yet.
    func copy(to copier: JPEGCopier) throws(CodecError) {
        guard let decoder = decoder as? JPEGDecoder else { preconditionFailure("only JPEGs are copied") }
        try decoder.copy(to: copier)
    }

    /// Reads what the file has behind the photo, so that the observer has seen the whole file.
    ///
    /// - Precondition: all rows were read.
    public func readToEnd() throws(CodecError) { try input.readToEnd() }

    private static func error(for firstBytes: [UInt8]) -> CodecError {
        if firstBytes.isEmpty { return .empty }
        if PhotoFormat.allCases.contains(where: { $0.signature.starts(with: firstBytes) }) {
            return .truncated
        }
        return .notAPhoto(firstBytes: firstBytes, looksLike: Lookalike.name(of: firstBytes))
    }
}

/// A format's decoder: the header is read by its `init`.
protocol PhotoDecoder: AnyObject {
    var format: PhotoFormat { get }
    var width: Int { get }
    var height: Int { get }
    var layout: PixelLayout { get }
    var metadata: PhotoMetadata { get }
    var jpegCoding: JPEGCoding? { get }
    var notes: [PhotoNote] { get }

    /// The most bytes that decoding to `layout` takes, without buffers whose size is always the same.
    func memoryByteCount(decodingTo layout: PixelLayout) -> Int
    /// See `PhotoReader.reasonToHoldAll`.
    var reasonToHoldAll: String? { get }
    /// Called once, before the first rows.
    func start(_ layout: PixelLayout) throws(CodecError)
    /// Fills the strip's first `count` rows with the next ones of the photo: the strip's capacity, or what is
    /// left.
    func readRows(_ count: Int, into strip: Strip) throws(CodecError)
    /// Called once, behind the last row: checks that the file is complete.
    func finish() throws(CodecError)
}

/// The rows of a photo, top to bottom, from its decoder.
private final class DecodedRows: StripSource {
    let geometry: PhotoGeometry
    let layout: PixelLayout
    private let decoder: any PhotoDecoder
    private var nextRow = 0
    private var isStarted = false
    /// A decoder that failed cannot go on.
    private var failure: CodecError?

    init(decoder: any PhotoDecoder, geometry: PhotoGeometry, layout: PixelLayout) {
        self.decoder = decoder
        self.geometry = geometry
        self.layout = layout
    }

    func read(into strip: Strip) throws {
        precondition(strip.layout == layout && strip.width == geometry.width, "a strip for another photo")
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
