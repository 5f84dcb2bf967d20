import TintypeImaging
import TintypeMetadata

/// A format with its codec: how its photos are read and written, and what they can hold.
///
/// A format is a folder with a type of this kind, and a line in `PhotoFormat`'s list. Nothing else names it: who needs to know
/// what a format can do asks here, and who needs to know what a photo can do asks its decoder.
package protocol PhotoCodec: FormatDescription {
    // MARK: Reading

    /// Reads a photo's header.
    func makeDecoder(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) -> any PhotoDecoder

    // MARK: Writing

    /// Writes a photo's header.
    ///
    /// - Precondition: `canWrite` is true for the layout, and no side is larger than `largestSide`.
    func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder

    /// Whether files may have a layout: grey, colour, alpha, 16 bits, planes.
    func canWrite(_ layout: PixelLayout) -> Bool
    /// The layout of a file for a photo: see `PhotoWriter.layout`.
    func layout(for source: PixelLayout, grey: Bool, jpegCoding: JPEGCoding?) -> PixelLayout
    /// The largest width and height of a file.
    var largestSide: Int { get }
    /// The most bytes of a pixel in a file, without compression.
    var mostBytesPerPixel: Int { get }
    /// The most bytes of memory for writing, without the strips.
    func memoryByteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int
    /// Whether that memory grows with the height.
    var holdsOutputs: Bool { get }
    /// The quality of files whose photos tell none, on the encoder's scale.
    var usualQuality: Int { get }
    /// Whether files may have less quality, and then fewer bytes.
    var hasQuality: Bool { get }
    /// Whether files can be compressed without loss, beside others.
    var hasLosslessFiles: Bool { get }
    /// Whether files can be progressive.
    var hasProgressiveFiles: Bool { get }
    /// The most bytes of memory for writing a progressive file, beside those of another.
    func coefficientByteCount(_ layout: PixelLayout, _ geometry: PhotoGeometry) -> Int
    /// Whether files may have codes of their own, at the price of a second pass: see `PhotoWriterSettings.scratchDescriptor`.
    var optimizesCodes: Bool { get }
    /// How files are written whose image a device has encoded; nil if none can.
    var compressed: (any CompressedCodec)? { get }
    /// How files are written that a gain map follows; nil if none can be.
    var gainMaps: (any GainMapCodec)? { get }

    // MARK: Writing a photo that does not change

    /// Whether files can hold the photo's file, of another format, without loss.
    func canWrap(_ photo: any PhotoDecoder) -> Bool
    /// Writes a file around the one that will be in `file` once `copier` has finished. Its `finish` throws
    /// `CodecError.imageNotKept` if the format cannot hold that.
    func makeWrapper(
        _ output: ByteOutput, of file: ByteOutput, copier: any PhotoEncoder, _ geometry: PhotoGeometry
    ) -> any PhotoEncoder
    /// The most bytes of a file that is wrapped.
    func mostByteCount(wrapping geometry: PhotoGeometry) -> Int
    /// The most bytes of memory for wrapping.
    func memoryByteCount(wrapping geometry: PhotoGeometry) -> Int

    // MARK: Metadata

    /// The format in whose form a photo's metadata are.
    var metadataForm: PhotoFormat { get }
    /// The metadata that files can hold.
    var carries: Set<MetadataKind> { get }
    /// Whether viewers turn files by EXIF's orientation. Pixels are turned for those of other formats.
    var carriesOrientation: Bool { get }
    /// A file's metadata in the form that all formats understand.
    func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata
    /// Metadata in a file's own form, and notes that tell what it cannot hold.
    ///
    /// - Parameters:
    ///   - hasColour: whether the file's values are of RGB.
    ///   - limits: contains the limit for inflated metadata.
    func metadata(
        from neutral: NeutralMetadata, hasColour: Bool, limits: DecodeLimits
    ) -> (PhotoMetadata, [PhotoNote])
}

/// How a format's files are written around an image that a device has encoded.
package protocol CompressedCodec: Sendable {
    /// The image that an encoder would write, without metadata.
    func image(_ settings: PhotoWriterSettings) throws(CodecError) -> CompressedImage
    /// The file's first bytes, with the metadata. They replace the image's first `replacedByteCount` bytes.
    func beginning(_ settings: PhotoWriterSettings) throws(CodecError) -> [UInt8]
    var replacedByteCount: Int { get }
}

// MARK: Defaults

extension PhotoCodec {
    package var compressed: (any CompressedCodec)? { nil }
    package var gainMaps: (any GainMapCodec)? { nil }
    package var largestSide: Int { .max }
    package var optimizesCodes: Bool { false }
    package var holdsOutputs: Bool { false }
    package var usualQuality: Int { 90 }
    package func canWrap(_ photo: any PhotoDecoder) -> Bool { false }
    package func mostByteCount(wrapping geometry: PhotoGeometry) -> Int { 0 }
    package func memoryByteCount(wrapping geometry: PhotoGeometry) -> Int { 0 }
    package func makeWrapper(
        _ output: ByteOutput, of file: ByteOutput, copier: any PhotoEncoder, _ geometry: PhotoGeometry
    ) -> any PhotoEncoder { preconditionFailure("\(name) wraps no files") }
    package var hasQuality: Bool { true }
    package var hasLosslessFiles: Bool { false }
    package var hasProgressiveFiles: Bool { false }
    package func coefficientByteCount(_ layout: PixelLayout, _ geometry: PhotoGeometry) -> Int { 0 }
    package var mostBytesPerPixel: Int {
        let layouts = PixelLayout.Channels.allCases.flatMap { channels in
            PixelLayout.SampleDepth.allCases.map { PixelLayout.interleaved(channels, $0) }
        }
        return layouts.filter(canWrite).map(\.bytesPerPixel).max() ?? 3
    }

    /// The interleaved layout that loses the least of the source.
    package func layout(for source: PixelLayout, grey: Bool, jpegCoding: JPEGCoding?) -> PixelLayout {
        let alphas = source.hasAlpha ? [true, false] : [false]
        let depths: [PixelLayout.SampleDepth] = source.depth == .sixteen ? [.sixteen, .eight] : [.eight]
        let layouts = (grey ? [false, true] : [true]).flatMap { colour in
            depths.flatMap { depth in
                alphas.map { PixelLayout.interleaved(.init(colour: colour, alpha: $0), depth) }
            }
        }
        return layouts.first(where: canWrite) ?? .interleaved(.rgb, .eight)
    }

    /// A row.
    package func memoryByteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        StripShape(layout: layout, width: geometry.width, rowCapacity: 1).byteCount
    }

    package var metadataForm: PhotoFormat { PhotoFormat(self) }
    package var carriesOrientation: Bool { carries.contains(.exif) }

    package func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata {
        NeutralMetadata(metadata)
    }

    package func metadata(
        from neutral: NeutralMetadata, hasColour: Bool, limits: DecodeLimits
    ) -> (PhotoMetadata, [PhotoNote]) {
        neutral.selected(carries, hasColour: hasColour, for: PhotoFormat(self))
    }
}

extension PhotoFormat {
    /// How photos of the format are read and written.
    package var codec: any PhotoCodec {
        guard let codec = kind as? any PhotoCodec else { preconditionFailure("\(name) has no codec") }
        return codec
    }

    /// Whether files have transparency.
    package var hasAlpha: Bool { codec.canWrite(.interleaved(.rgba, .eight)) }
    /// Whether files can be grey.
    package var hasGrey: Bool { codec.canWrite(.interleaved(.grey, .eight)) }
    /// Whether files have a JPEG's planes, so that these need no conversion.
    package var hasPlanes: Bool { codec.canWrite(.yCbCr(.s444)) }

    /// Whether files can hold such metadata.
    package func carries(_ kind: MetadataKind) -> Bool { codec.carries.contains(kind) }
}
