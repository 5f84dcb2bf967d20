import TintypeImaging
import TintypeMetadata

extension WebPFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder { try WebPDecoder(input, limits: limits) }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { try WebPEncoder(output, settings) }

    package func canWrite(_ layout: PixelLayout) -> Bool {
        [.interleaved(.rgb, .eight), .interleaved(.rgba, .eight)].contains(layout)
    }

    /// RFC 9649, 3.4: a width or height has 14 bits.
    package var largestSide: Int { 1 << 14 - 1 }
    package var holdsOutputs: Bool { true }
    package var hasLosslessFiles: Bool { true }

    package func memoryByteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        WebPMemory.byteCount(encoding: geometry)
    }

    package var carries: Set<MetadataKind> { [.exif, .profile, .xmp] }
}

/// Upper estimates of libwebp's memory, from version 1.2's allocations and the tool's measured memory.
enum WebPMemory {
    /// Tables and row buffers that do not grow with the height.
    private static let constantByteCount = 1 << 20

    /// - Parameter fileByteCount: of the image's chunks.
    static func byteCount(
        decoding geometry: PhotoGeometry, to layout: PixelLayout, isLossless: Bool, fileByteCount: Int
    ) -> Int {
        let pixels = geometry.pixelCount
        // ARGB of a lossless image, or of a lossless plane of alpha and that plane.
        let working = isLossless ? 4 : layout.hasAlpha ? 5 : 0
        return pixels * (layout.bytesPerPixel + working) + fileByteCount + geometry.width * 128
            + constantByteCount
    }

    /// Noise needs 31 to 44 bytes a pixel. Photos need 7 to 11, and 29 without loss.
    static func byteCount(encoding geometry: PhotoGeometry) -> Int {
        geometry.pixelCount * 45 + constantByteCount
    }
}
