import TintypeImaging
import TintypeMetadata

extension JXLFormat: PhotoCodec {
    package func makeDecoder(
        _ input: ByteInput, limits: DecodeLimits
    ) throws(CodecError) -> any PhotoDecoder {
        try IsolatedDecoder(input, .jxl, limits: limits) { file throws(CodecError) in
            try JXLHead(file, of: self, limits: limits)
        }
    }

    package func makeEncoder(
        _ output: ByteOutput, _ settings: PhotoWriterSettings
    ) throws(CodecError) -> any PhotoEncoder { try IsolatedEncoder(output, settings, JXLHead.library) }

    package func canWrite(_ layout: PixelLayout) -> Bool {
        if case .interleaved = layout { true } else { false }
    }

    /// ISO/IEC 18181-1's limit of level 5.
    package var largestSide: Int { 1 << 18 }
    package var holdsOutputs: Bool { true }
    package var hasLosslessFiles: Bool { true }

    package func memoryByteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        JXLMemory.byteCount(encoding: layout, geometry)
    }

    /// libjxl knows no factors beyond 2.
    package func canWrap(_ photo: any PhotoDecoder) -> Bool {
        guard photo.isCommonJPEG else { return false }
        guard case .yCbCr(let subsampling) = photo.layout else { return true }
        return max(subsampling.horizontal, subsampling.vertical) <= 2
    }

    package func makeWrapper(
        _ output: ByteOutput, of file: ByteOutput, copier: any PhotoEncoder, _ geometry: PhotoGeometry
    ) -> any PhotoEncoder { JXLWrapper(output, of: file, copier: copier, geometry) }

    package func mostByteCount(wrapping geometry: PhotoGeometry) -> Int {
        JXLMemory.mostWrappedByteCount(geometry)
    }

    package func memoryByteCount(wrapping geometry: PhotoGeometry) -> Int {
        JXLMemory.byteCount(wrapping: geometry)
    }
}

extension JXLFormat: FormatWithColourCodes {
    var codesName: String { "colour encoding" }

    /// BT.709's, BT.2020's and Display P3's primaries; BT.709's, a linear, sRGB's, PQ's and HLG's curve.
    func canHold(codes: [UInt8]) -> Bool {
        [1, 9, 12].contains(codes[0]) && [1, 8, 13, 16, 18].contains(codes[1])
    }
}

/// Upper estimates of libjxl's memory, as measured. The pixels' and the file's are among them.
enum JXLMemory {
    private static let constantByteCount = 64 << 20

    /// 7 to 9 bytes a pixel without transparency, 13 to 24 with 16 bits, and up to 59 with transparency.
    static func byteCount(decoding head: LibraryHead) -> Int {
        let layout = head.layout
        return head.pixelCount * (layout.hasAlpha ? 70 : layout.depth == .sixteen ? 32 : 16)
            + constantByteCount
    }

    /// 25 bytes a pixel, the JPEG and the file.
    static func byteCount(wrapping geometry: PhotoGeometry) -> Int {
        geometry.pixelCount * 30 + 3 * mostWrappedByteCount(geometry) + constantByteCount
    }

    /// What libjxl asks for when it takes a JPEG: 45 bytes a pixel, of which it uses 25.
    static func mostByteCount(wrapping geometry: PhotoGeometry) -> Int {
        geometry.pixelCount * 60 + constantByteCount
    }

    /// Of a JPEG that is wrapped. libjxl takes no more than 4 MiB after the image.
    static func mostWrappedByteCount(_ geometry: PhotoGeometry) -> Int {
        geometry.pixelCount * 4 + 8 << 20
    }

    /// Of a file that another one becomes: see `cisolation_recode`.
    static func mostRecodedByteCount(_ byteCount: Int) -> Int { 2 * byteCount + 16 << 20 }

    /// 28 to 71 bytes a pixel without transparency, and up to 141 with it.
    static func byteCount(encoding layout: PixelLayout, _ geometry: PhotoGeometry) -> Int {
        geometry.pixelCount * ((layout.hasAlpha ? 160 : 85) + 3 * layout.bytesPerPixel) + constantByteCount
    }
}
