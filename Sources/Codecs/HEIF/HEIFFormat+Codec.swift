import TintypeImaging
import TintypeMetadata

extension HEIFFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder {
        try IsolatedDecoder(input, PhotoFormat(self), limits: limits) { file throws(CodecError) in
            try HEIFHead(file, of: self, limits: limits)
        }
    }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { try IsolatedEncoder(output, settings, HEIFHead.library) }

    /// libheif 1.15 writes 10 bits only in AV1's profile for professionals, which phones do not show, and no 12 bits.
    package func canWrite(_ layout: PixelLayout) -> Bool {
        isWritten && [.interleaved(.rgb, .eight), .interleaved(.rgba, .eight)].contains(layout)
    }

    /// AV1's limit of a frame (5.5.1: 16 bits), which libaom has as well.
    package var largestSide: Int { 1 << 16 }
    package var holdsOutputs: Bool { true }
    package var hasLosslessFiles: Bool { true }
    /// As near to the photo as a WebP at 90, and a quarter smaller.
    package var usualQuality: Int { 80 }

    package func memoryByteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        HEIFMemory.byteCount(encoding: layout, geometry)
    }

    /// The file's own properties would turn it (irot, imir). But libheif 1.15 swaps the sides of the coded image with them (ispe), so
    /// that browsers refuse such files.
    package var carriesOrientation: Bool { false }
}

extension HEIFFormat: FormatWithColourCodes {
    var codesName: String { "nclx" }
    func canHold(codes: [UInt8]) -> Bool { true }
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
