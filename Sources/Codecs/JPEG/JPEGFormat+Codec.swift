import TintypeImaging
import TintypeMetadata

extension JPEGFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder { try JPEGDecoder(input, limits: limits) }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { try JPEGEncoder(output, settings) }

    package func canWrite(_ layout: PixelLayout) -> Bool {
        switch layout {
        // A scan of all components has at most 10 blocks in an MCU (ITU-T T.81, B.2.3), so at most 8 of luma.
        case .yCbCr(let subsampling): subsampling.horizontal * subsampling.vertical <= 8
        case .interleaved: layout == .interleaved(.grey, .eight)
        }
    }

    /// Planes or 8-bit grey, with the source's chroma subsampling if the encoder supports it, else 4:2:0.
    package func layout(for source: PixelLayout, grey: Bool, jpegCoding: JPEGCoding?) -> PixelLayout {
        grey ? .interleaved(.grey, .eight) : .yCbCr(jpegCoding?.subsampling ?? .s420)
    }

    /// libjpeg's JPEG_MAX_DIMENSION.
    package var largestSide: Int { 65500 }
    package var mostBytesPerPixel: Int { 3 }
    package var optimizesCodes: Bool { true }
    package var hasProgressiveFiles: Bool { true }
    package var compressed: (any CompressedCodec)? { CompressedJPEG() }
    package var gainMaps: (any GainMapCodec)? { JPEGGainMaps() }

    /// Two bytes for each sample of whole MCUs, and what libjpeg needs to manage them.
    package func coefficientByteCount(_ layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        let factors = layout.subsampling
        let blocks = factors.horizontal * factors.vertical + (layout.hasColour ? 2 : 0)
        let mcus =
            geometry.width.dividedRoundingUp(by: 8 * factors.horizontal)
            * geometry.height.dividedRoundingUp(by: 8 * factors.vertical)
        return mcus * blocks * 2 * 64 + 1 << 18
    }

    package var carries: Set<MetadataKind> {
        [.exif, .profile, .xmp, .extendedXMP, .comment, .photoshop, .density, .furtherPictures]
    }
}
