import TintypeImaging
import TintypeMetadata

extension PNGFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder { try PNGDecoder(input, limits: limits) }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { try PNGEncoder(output, settings) }

    package func canWrite(_ layout: PixelLayout) -> Bool {
        if case .interleaved = layout { true } else { false }
    }

    /// A width or height has 31 bits.
    package var largestSide: Int { Int(Int32.max) }

    package var hasQuality: Bool { false }

    package func memoryByteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        PNGRows(layout, geometry).memoryByteCount
    }

    package var carries: Set<MetadataKind> { [.exif, .profile, .xmp, .comment, .photoshop, .density] }
}
