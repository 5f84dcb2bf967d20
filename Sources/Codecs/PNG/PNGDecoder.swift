import CTintypePNG
import Glibc
import TintypeImaging
import TintypeMetadata

/// Decodes one PNG: libpng reads the head, and PNGCore the rows. Libpng reads those of rare kinds, and reads the file again where
/// something is irregular, so that its verdict counts.
final class PNGDecoder: PhotoDecoder {
    let width: Int
    let height: Int
    let layout: PixelLayout
    let metadata: PhotoMetadata
    let notes: [PhotoNote]

    private let input: ByteInput
    private var reader: OpaquePointer
    /// The file from its beginning, for reading it again.
    private let whole: ByteLookAhead
    private var rereader: ByteRereader?
    /// Nil where libpng reads the rows.
    private(set) var rows: PNGRowReader?
    private let isInterlaced: Bool
    /// Those of an interlaced image.
    private var heldImage: HeldImage?
    private var nextRow = 0
    private let toleratesDamage: Bool
    /// Whether the pixels ended early, which was tolerated.
    private var hasEndedEarly = false

    init(_ input: ByteInput, limits: DecodeLimits) throws(CodecError) {
        let whole = input.lookAhead()
        // The orientation may come after the pixels, but filters need it before them.
        var scan = try PNGChunkScan(input, limits: limits)
        metadata = try scan.metadata()
        notes = scan.notes
        guard let reader = cpng_reader_create(ByteInput.readCallback, input.callbackContext) else {
            throw .outOfMemory
        }
        if limits.toleratesDamage { cpng_reader_tolerate_damage(reader) }
        var header = cpng_header()
        do throws(CodecError) {
            try Self.check(cpng_reader_read_header(reader, &header), reader, input.failure)
            try limits.check(width: Int(header.width), height: Int(header.height))
            layout = header.layout
            let bytesPerRow = header.bytesPerRow
            if header.is_interlaced {
                try limits.check(memory: bytesPerRow * Int(header.height), because: "an interlaced PNG")
            }
            // The current and the previous row.
            try limits.check(memory: 2 * bytesPerRow, because: "very wide")
            if !limits.toleratesDamage, whole.byteCount != nil {
                rows = try PNGRowReader(header, bytesPerRow: bytesPerRow, input)
            }
        } catch {
            cpng_reader_destroy(reader)
            throw error
        }
        self.input = input
        self.reader = reader
        self.whole = whole
        toleratesDamage = limits.toleratesDamage
        width = Int(header.width)
        height = Int(header.height)
        isInterlaced = header.is_interlaced
    }

    deinit { cpng_reader_destroy(reader) }

    private var bytesPerRow: Int {
        guard case .interleaved(let channels, let depth) = layout else { return 0 }
        return width * channels.rawValue * depth.byteCount
    }

    var colourMeaning: ColourMeaning { ColourMeaning(metadata) }

    /// libpng keeps the current and the previous row, in whole groups of eight pixels.
    func memoryByteCount(decodingTo layout: PixelLayout) -> Int {
        if rows != nil { return PNGRowReader.byteCount(bytesPerRow: bytesPerRow) }
        return 2 * (bytesPerRow + bytesPerRow / width * 8 + 64) + (isInterlaced ? bytesPerRow * height : 0)
    }

    var reasonToHoldAll: String? { isInterlaced ? "an interlaced PNG" : nil }

    func start(_ layout: PixelLayout) throws(CodecError) {
        precondition(layout == self.layout, "the layout must be the file's")
        if rows != nil { return }
        try check(cpng_reader_start(reader))
        guard isInterlaced else { return }
        // Pixels that no pass reaches stay zero.
        let image = try HeldImage(height: height, bytesPerRow: bytesPerRow)
        heldImage = image
        try tolerate(cpng_reader_read_image(reader, image.rows, bytesPerRow, Int32(height)))
    }

    func readRows(_ count: Int, into strip: Strip) throws(CodecError) {
        let plane = strip.planes[0]
        if let heldImage {
            heldImage.read(count, into: strip)
        } else {
            let first = plane.base.assumingMemoryBound(to: UInt8.self)
            if toleratesDamage {
                for row in 0..<count { try readRow(plane.row(row)) }
            } else {
                try readRows(count, first, bytesPerRow: plane.bytesPerRow)
            }
        }
        nextRow += count
    }

    private func readRows(
        _ count: Int, _ first: UnsafeMutablePointer<UInt8>, bytesPerRow: Int
    ) throws(CodecError) {
        var done = 0
        if let rows {
            done = rows.read(count, first, bytesPerRow: bytesPerRow)
            if done == count { return }
            try readAgain(to: nextRow + done)
        }
        let next = first + done * bytesPerRow
        try check(cpng_reader_read_rows(reader, next, bytesPerRow, Int32(count - done)))
    }

    /// Lets libpng read the file again, up to a row.
    private func readAgain(to row: Int) throws(CodecError) {
        rows = nil
        if let failure = input.failure { throw failure }
        let again = ByteRereader(whole)
        guard let second = cpng_reader_create(ByteRereader.readCallback, again.callbackContext) else {
            throw .outOfMemory
        }
        cpng_reader_destroy(reader)
        (reader, rereader) = (second, again)
        var header = cpng_header()
        try check(cpng_reader_read_header(reader, &header))
        try check(cpng_reader_start(reader))
        var passed = [UInt8](repeating: 0, count: bytesPerRow)
        for _ in 0..<row { try check(cpng_reader_read_rows(reader, &passed, 0, 1)) }
    }

    /// Reads one row. After a tolerated early end, it is zero.
    private func readRow(_ row: UnsafeMutableRawPointer) throws(CodecError) {
        memset(row, 0, bytesPerRow)
        if hasEndedEarly { return }
        try tolerate(cpng_reader_read_rows(reader, row.assumingMemoryBound(to: UInt8.self), 0, 1))
    }

    private func tolerate(_ status: cpng_status) throws(CodecError) {
        do throws(CodecError) {
            try check(status)
        } catch {
            guard toleratesDamage, error.isDamage else { throw error }
            hasEndedEarly = true
        }
    }

    func finish() throws(CodecError) {
        heldImage = nil
        if let rows {
            if rows.finish() { return }
            try readAgain(to: height)
        }
        if !hasEndedEarly { try tolerate(cpng_reader_finish(reader)) }
    }

    private func check(_ status: cpng_status) throws(CodecError) {
        try Self.check(status, reader, rereader?.failure ?? input.failure)
    }

    private static func check(
        _ status: cpng_status, _ reader: OpaquePointer, _ failure: @autoclosure () -> CodecError?
    ) throws(CodecError) {
        if status == CPNG_STATUS_OK { return }
        throw CodecError(status, message: cpng_reader_message(reader), callback: failure())
    }
}

extension cpng_header {
    fileprivate var layout: PixelLayout {
        .interleaved(.init(colour: has_colour, alpha: has_alpha), bit_depth == 16 ? .sixteen : .eight)
    }

    fileprivate var bytesPerRow: Int {
        Int(width) * ((has_colour ? 3 : 1) + (has_alpha ? 1 : 0)) * (bit_depth == 16 ? 2 : 1)
    }
}

extension CodecError {
    /// - Parameter callback: the error of the read or write function, if any.
    init(_ status: cpng_status, message: UnsafePointer<CChar>?, callback: CodecError?) {
        let detail = message.map { String(cString: $0) } ?? ""
        self =
            switch status {
            case CPNG_STATUS_TRUNCATED: .truncated
            case CPNG_STATUS_CALLBACK_FAILED: callback ?? .corrupt(detail: detail)
            // The messages of libpng and zlib for a failed allocation; libpng has no error code for it.
            case _ where ["Out of memory", "insufficient memory"].contains(detail): .outOfMemory
            default: .corrupt(detail: detail)
            }
    }
}
