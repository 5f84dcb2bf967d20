import TintypeImaging
import TintypeMetadata

extension HEIFFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder { try HEIFDecoder(input, self, limits: limits) }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { try HEIFEncoder(output, settings) }

    /// libheif 1.15 writes 10 bits only in AV1's profile for professionals, which phones do not show, and no 12 bits.
    package func canWrite(_ layout: PixelLayout) -> Bool {
        isWritten && [.interleaved(.rgb, .eight), .interleaved(.rgba, .eight)].contains(layout)
    }

    /// AV1's limit of a frame (5.5.1: 16 bits), which libaom has as well.
    package var largestSide: Int { 1 << 16 }
    package var holdsOutputs: Bool { true }
    /// As near to the photo as a WebP at 90, and a quarter smaller.
    package var usualQuality: Int { 80 }

    package func memoryByteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        HEIFMemory.byteCount(encoding: layout, geometry)
    }

    package var carries: Set<MetadataKind> { [.exif, .profile, .xmp] }
    /// The file's own properties would turn it (irot, imir). But libheif 1.15 swaps the sides of the coded image with them (ispe), so
    /// that browsers refuse such files.
    package var carriesOrientation: Bool { false }

    package func neutral(_ metadata: PhotoMetadata, limits: DecodeLimits) -> NeutralMetadata {
        var metadata = metadata
        let codes = metadata.colourCodes
        metadata.items.removeAll { if case .pngChunk = $0 { true } else { false } }
        var neutral = NeutralMetadata(metadata)
        neutral.colourCodes = codes
        neutral.colour = colour(codes)
        return neutral
    }

    /// Codes stay codes, and need no profile that says the same. Outputs are RGB in full range.
    package func metadata(
        from neutral: NeutralMetadata, hasColour: Bool, limits: DecodeLimits
    ) -> (PhotoMetadata, [PhotoNote]) {
        var plain = neutral
        let codes = neutral.colourCodes.flatMap { $0.dropFirst(2).elementsEqual([0, 1]) ? $0 : nil }
        if codes != nil {
            plain.colour = .sRGB
            // In a PNG, codes come before a profile; in an AVIF, it is the other way.
            plain.items.removeAll { if case .profile = $0 { true } else { false } }
        }
        var (metadata, notes) = plain.selected(carries, hasColour: hasColour, for: PhotoFormat(self))
        if let codes { metadata.items.append(.pngChunk(name: "cICP", codes)) }
        return (metadata, notes)
    }

    func colour(_ codes: [UInt8]?) -> ColourMeaning {
        codes.map { ColourMeaning(codes: $0, named: "nclx", of: name) } ?? .sRGB
    }
}

/// Upper estimates of the memory for an AVIF: libheif's with libaom, as measured, the pixels' and the file's.
enum HEIFMemory {
    private static let constantByteCount = 64 << 20

    /// Photos need 30 to 60 bytes a pixel. Pictures of few colours, such as screenshots, need 105 to 127, because libaom looks for
    /// repeated blocks in them.
    static func byteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        geometry.pixelCount * ((layout.hasAlpha ? 135 : 120) + 3 * layout.bytesPerPixel) + constantByteCount
    }
}
