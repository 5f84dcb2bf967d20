import TintypeImaging
import TintypeMetadata

extension TIFFFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder { try TIFFDecoder(input, limits: limits) }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { preconditionFailure("TIFFs are only read") }

    package func canWrite(_ layout: PixelLayout) -> Bool { false }

    package var carries: Set<MetadataKind> { [.exif, .profile, .xmp, .photoshop, .density] }

    /// Photoshop's resources are held as in a JPEG.
    package func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata {
        PhotoFormat.jpeg.codec.neutral(metadata, limits: limits)
    }
}
