import TintypeImaging
import TintypeMetadata

extension HEIFFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder { try HEIFDecoder(input, self, limits: limits) }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { preconditionFailure("\(name)s are not written") }

    package func canWrite(_ layout: PixelLayout) -> Bool { false }
    package var carries: Set<MetadataKind> { [.exif, .profile, .xmp] }

    package func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata {
        var metadata = metadata
        let codes = metadata.heldColourCodes
        metadata.items.removeAll { if case .pngChunk = $0 { true } else { false } }
        var neutral = NeutralMetadata(metadata)
        neutral.colourCodes = codes
        neutral.colour = colour(codes)
        return neutral
    }

    func colour(_ codes: [UInt8]?) -> ColourMeaning {
        codes.map { ColourMeaning(codes: $0, named: "nclx", of: name) } ?? .sRGB
    }
}

extension PhotoMetadata {
    /// A HEIF's codes of colour, held as a PNG's cICP chunk.
    fileprivate var heldColourCodes: [UInt8]? {
        items.lazy.compactMap { if case .pngChunk(name: "cICP", let codes) = $0 { codes } else { nil } }.first
    }
}
