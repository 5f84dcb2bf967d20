import TintypeImaging
import TintypeMetadata

/// The format, layout, metadata and quality for a `PhotoWriter`.
public struct PhotoWriterSettings: Sendable {
    /// The format of the output.
    public var format: PhotoFormat
    /// The size of the output as stored.
    public var geometry: PhotoGeometry
    /// Layout of the strips that will be written: see `PhotoWriter.layout`.
    public var layout: PixelLayout
    /// Contains the orientation; the geometry's is not used.
    public var metadata: PhotoMetadata
    /// A value is the quality of a WebP, an AVIF or a JPEG XL, too. Not used for a PNG.
    public var jpegQuality: JPEGQuality
    /// Whether a WebP, AVIF or JPEG XL is compressed without loss. Not used for other formats.
    public var isLossless = false
    /// Rows of MCUs between a JPEG's restart markers, 1 to 1000, so that several threads can decode it at once; nil for
    /// no markers. An interval of more than 65535 MCUs becomes one of the most whole rows below. Not used for a PNG.
    public var restartRows: Int?
    /// Whether a JPEG is progressive, in the ten scans of libjpeg's standard script (six without colour), with codes of its own.
    /// Its coefficients are held in memory as a whole. Not used for other formats.
    public var isProgressive = false
    /// How a PNG is compressed. Not used for other formats.
    public var pngLevel = PNGLevel.small
    /// An empty file for reading and writing, open until the photo is finished: then a JPEG gets the Huffman codes
    /// that need the fewest bits, and its data waits there until they are known. Nil: standard codes. Not used for a
    /// progressive JPEG.
    package var scratchDescriptor: Int32?
    /// The gain map that follows a JPEG. Its metadata tell of it: see `PhotoMetadata.telling`.
    package var gainMap: FollowingGainMap?
    /// What encodes a JPEG.
    package var jpegCodec = JPEGCodec.best

    /// For `restartRows`.
    package static let possibleRestartRows = 1...1000

    public init(
        format: PhotoFormat, geometry: PhotoGeometry, layout: PixelLayout,
        metadata: PhotoMetadata = PhotoMetadata(),
        jpegQuality: JPEGQuality = .value(90)
    ) {
        self.format = format
        self.geometry = geometry
        self.layout = layout
        self.metadata = metadata
        self.jpegQuality = jpegQuality
    }

    /// Nil if no gain map follows.
    func gainMapAppender(to output: ByteOutput) -> (any GainMapAppender)? {
        gainMap.flatMap { format.codec.gainMaps?.makeOutput(output, $0, after: metadata) }
    }

    /// The quality for an encoder that knows no JPEG's quantisation; nil without loss.
    var lossyQuality: Int? {
        switch jpegQuality {
        case _ where isLossless: nil
        case .value(let quality): quality
        case .keep: format.codec.usualQuality
        }
    }
}
