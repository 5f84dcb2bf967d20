import Imaging
import Metadata

/// What a `PhotoWriter` writes besides the pixels.
public struct PhotoWriterSettings: Sendable {
    public var format: PhotoFormat
    public var geometry: PhotoGeometry
    /// Layout of the strips that the writer will take: see `PhotoWriter.layout`.
    public var layout: PixelLayout
    /// The orientation is in here, not in the geometry.
    public var metadata: PhotoMetadata
    /// Unused for a PNG.
    public var jpegQuality: JPEGQuality

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
}
