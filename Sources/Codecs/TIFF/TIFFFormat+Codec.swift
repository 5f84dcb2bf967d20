import TintypeImaging
import TintypeMetadata

extension TIFFFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder {
        try IsolatedDecoder(input, .tiff, limits: limits) { file throws(CodecError) in
            try TIFFHead(file, limits: limits)
        }
    }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { try TIFFEncoder(output, settings) }

    package func canWrite(_ layout: PixelLayout) -> Bool {
        if case .interleaved = layout { true } else { false }
    }

    package var holdsOutputs: Bool { true }
    package var hasQuality: Bool { false }

    package func memoryByteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        TIFFStrips(layout, geometry).memoryByteCount
    }

    package var carries: Set<MetadataKind> { [.exif, .profile, .xmp, .photoshop, .density] }

    /// Photoshop's resources are held as in a JPEG.
    package func metadata(
        from neutral: NeutralMetadata, hasColour: Bool, limits: DecodeLimits
    ) -> (PhotoMetadata, [PhotoNote]) {
        var plain = neutral, segments: [PhotoMetadata.Item] = []
        plain.items.removeAll { item in
            guard case .photoshop(let bytes, _) = item else { return false }
            let isResource = PhotoshopResources.isResource(bytes)
            segments += JPEGSegments.photoshopSegments(
                isResource ? bytes : PhotoshopResources.resources(ofIPTC: bytes))
            return true
        }
        var (metadata, notes) = plain.selected(carries, hasColour: hasColour, for: .tiff)
        metadata.items += segments
        return (metadata, notes)
    }

    package func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata {
        PhotoFormat.jpeg.codec.neutral(metadata, limits: limits)
    }
}
