import CTintypePNG
import TintypePNGCore

/// Reads the rows of a PNG with PNGCore: of one that is not interlaced, and has no palette, no transparent colour, and samples of 8
/// or 16 bits.
///
/// It repairs nothing, and says nothing of what is wrong: libpng then reads the file again.
final class PNGRowReader {
    private let data: OpaquePointer
    private let rows: OpaquePointer

    /// - Parameter input: behind the head of the first IDAT chunk. It must live as long.
    /// - Returns: nil if the image is of another kind.
    init?(_ header: cpng_header, bytesPerRow: Int, _ input: ByteInput, _ level: PNGCoreLevel = .best)
        throws(CodecError)
    {
        guard header.bit_depth >= 8, !header.is_interlaced, !header.is_palette,
            !header.has_transparent_colour, header.first_data_length >= 0
        else { return nil }
        guard
            let data = cpng_idat_create(
                ByteInput.readCallback, input.callbackContext, UInt32(header.first_data_length))
        else { throw .outOfMemory }
        let source = pngcore_source(next: cpng_idat_next, context: UnsafeMutableRawPointer(data))
        guard
            let rows = pngcore_row_reader_create(
                level.functions, source, bytesPerRow, bytesPerRow / Int(header.width), header.bit_depth == 16)
        else {
            cpng_idat_destroy(data)
            throw .outOfMemory
        }
        self.data = data
        self.rows = rows
    }

    deinit {
        pngcore_row_reader_destroy(rows)
        cpng_idat_destroy(data)
    }

    /// The memory that reading takes.
    static func byteCount(bytesPerRow: Int) -> Int { pngcore_row_reader_size(bytesPerRow) + 64 << 10 }

    /// Reads up to `count` rows.
    ///
    /// - Returns: how many; fewer if something is irregular.
    func read(_ count: Int, _ first: UnsafeMutablePointer<UInt8>, bytesPerRow: Int) -> Int {
        Int(pngcore_read_rows(rows, first, bytesPerRow, Int32(count)))
    }

    /// Whether nothing is irregular behind the rows that were read, to the end of the file.
    func finish() -> Bool { pngcore_row_reader_is_at_end(rows) && cpng_idat_finish(data) }
}
