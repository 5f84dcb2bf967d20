import TintypeImaging
import TintypeMetadata

extension RAWFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder {
        switch limits.raw {
        case .preview: try RAWDecoder(input, limits: limits)
        case .develop:
            try IsolatedDecoder(input, .raw, limits: limits) { file throws(CodecError) in
                try RAWHead(file, limits: limits)
            }
        }
    }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { preconditionFailure("RAW photos are not written") }

    package func canWrite(_ layout: PixelLayout) -> Bool { false }
    package var carries: Set<MetadataKind> { metadataForm.codec.carries }
    /// The metadata are those of the JPEG inside, or in the same form.
    package var metadataForm: PhotoFormat { .jpeg }
}
