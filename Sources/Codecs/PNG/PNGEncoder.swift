import CTintypePNG
import TintypeImaging

/// Encodes one PNG with libpng, which chooses the filter for each row (its default).
final class PNGEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let writer: OpaquePointer

    /// Level 3 is three times as fast on photos as zlib's default 6, and files are a tenth larger (12 and 4
    /// megapixels a second on one core, 1.12 and 1.04 bytes a pixel). A single filter is hardly faster, and
    /// run-length encoding makes screenshots four times as large.
    private static let compressionLevel: Int32 = 3

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        guard case .interleaved(let channels, let depth) = settings.layout else {
            throw .unsupported(detail: "a PNG of \(settings.layout.name)")
        }
        guard let writer = cpng_writer_create(ByteOutput.writeCallback, output.callbackContext) else {
            throw .outOfMemory
        }
        self.output = output
        self.writer = writer
        var header = cpng_writer_settings(
            width: Int32(clamping: settings.geometry.width),
            height: Int32(clamping: settings.geometry.height),
            bit_depth: Int32(depth.rawValue), has_colour: channels.hasColour, has_alpha: channels.hasAlpha,
            compression_level: Self.compressionLevel)
        try check(cpng_writer_start(writer, &header))
        for chunk in PNGChunk.chunks(for: settings.metadata) {
            try check(cpng_writer_write_chunk(writer, chunk.name, chunk.bytes, chunk.bytes.count))
        }
    }

    deinit { cpng_writer_destroy(writer) }

    func write(_ strip: Strip) throws(CodecError) {
        let plane = strip.planes[0]
        let first = plane.base.assumingMemoryBound(to: UInt8.self)
        try check(cpng_writer_write_rows(writer, first, plane.bytesPerRow, Int32(strip.rowCount)))
    }

    func finish() throws(CodecError) {
        try check(cpng_writer_finish(writer))
    }

    private func check(_ status: cpng_status) throws(CodecError) {
        if status == CPNG_STATUS_OK { return }
        throw CodecError(status, message: cpng_writer_message(writer), callback: output.failure)
    }
}
