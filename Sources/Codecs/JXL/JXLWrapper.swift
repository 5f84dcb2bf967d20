import CTintypeJXL
import TintypeImaging

/// Writes a JPEG XL around a JPEG, without loss: its coefficients get a better compression, and all of its bytes can be had back.
final class JXLWrapper: PhotoEncoder {
    private let output: ByteOutput
    private let file: ByteOutput
    private let copier: any PhotoEncoder
    private let geometry: PhotoGeometry

    init(
        _ output: ByteOutput, of file: ByteOutput, copier: any PhotoEncoder, _ geometry: PhotoGeometry
    ) {
        (self.output, self.file, self.copier, self.geometry) = (output, file, copier, geometry)
    }

    func write(_ strip: Strip) throws(CodecError) { try copier.write(strip) }

    func finish() throws(CodecError) {
        try copier.finish()
        try JXLHead.library.recode(
            file.bytes, to: output, by: cjxl_from_jpeg, pixelCount: geometry.pixelCount,
            memory: JXLMemory.mostByteCount(wrapping: geometry) + 3 * file.bytes.count, format: .jxl)
    }
}

/// Writes the JPEG that a JPEG XL is around, once its image is decoded.
final class JXLUnwrapper: PhotoEncoder {
    private let output: ByteOutput
    private let file: [UInt8]
    private let pixelCount: Int
    private let byteCount: Int

    /// - Parameter byteCount: the most bytes of memory that libjxl may take.
    init(_ output: ByteOutput, of file: [UInt8], pixelCount: Int, memory byteCount: Int) {
        (self.output, self.file, self.pixelCount, self.byteCount) = (output, file, pixelCount, byteCount)
    }

    func write(_ strip: Strip) {}

    func finish() throws(CodecError) {
        try JXLHead.library.recode(
            file, to: output, by: cjxl_to_jpeg, pixelCount: pixelCount, memory: byteCount, format: .jxl)
    }
}
