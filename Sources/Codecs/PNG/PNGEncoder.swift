import CTintypePNG
import Glibc
import TintypeImaging
import TintypePNGCore

/// Encodes one PNG with PNGCore. Its bytes do not depend on the strips.
final class PNGEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let rows: PNGRows
    private var rowsLeft: Int
    private let deflater: OpaquePointer
    private let effort: pngcore_effort
    private let memory: UnsafeMutablePointer<UInt8>
    /// The row above, as a file has it; zero before the first.
    private var above: UnsafeMutablePointer<UInt8>
    private var next: UnsafeMutablePointer<UInt8>
    /// Filtered rows that wait to be deflated.
    private let filtered: UnsafeMutablePointer<UInt8>
    private var filteredByteCount = 0
    /// The next IDAT chunk.
    private let chunk: UnsafeMutablePointer<UInt8>
    /// Adler-32 of all filtered rows.
    private var checksum: UInt32 = 1
    private var isFirstChunk = true

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        guard case .interleaved(let channels, let depth) = settings.layout else {
            throw .unsupported(detail: "a PNG of \(settings.layout.name)")
        }
        rows = PNGRows(settings.layout, width: settings.geometry.width)
        rowsLeft = settings.geometry.height
        guard let memory = calloc(1, rows.memoryByteCount) else { throw .outOfMemory }
        guard let deflater = pngcore_deflater_create(PNGCoreLevel.best.functions) else {
            free(memory)
            throw .outOfMemory
        }
        self.output = output
        self.deflater = deflater
        effort = settings.pngLevel == .fast ? PNGCORE_EFFORT_RUNS : PNGCORE_EFFORT_MATCHES
        self.memory = memory.assumingMemoryBound(to: UInt8.self)
        above = self.memory
        next = above + rows.byteCount
        filtered = next + rows.byteCount
        chunk = filtered + rows.mostPieceByteCount
        let kind: UInt8 = (channels.hasColour ? 2 : 0) | (channels.hasAlpha ? 4 : 0)
        let size =
            UInt32(settings.geometry.width).bigEndianBytes + UInt32(settings.geometry.height).bigEndianBytes
        let header = PNGChunk(name: "IHDR", bytes: size + [UInt8(depth.rawValue), kind, 0, 0, 0])
        try output.writeAll(PNGFormat.signature + header.encoded)
        for chunk in PNGChunk.chunks(for: settings.metadata) { try output.writeAll(chunk.encoded) }
    }

    deinit {
        pngcore_deflater_destroy(deflater)
        free(memory)
    }

    func write(_ strip: Strip) throws(CodecError) {
        for index in 0..<strip.rowCount {
            rows.store(strip.planes[0].row(index), to: next)
            pngcore_filter_row(
                PNGCoreLevel.best.functions, next, above, rows.byteCount, rows.pixelByteCount,
                filtered + filteredByteCount)
            swap(&above, &next)
            filteredByteCount += 1 + rows.byteCount
            rowsLeft -= 1
            if filteredByteCount >= PNGRows.pieceByteCount, rowsLeft > 0 { try writeChunk() }
        }
    }

    func finish() throws(CodecError) {
        try writeChunk()
        try output.writeAll(PNGChunk(name: "IEND", bytes: []).encoded)
    }

    /// Writes the rows that wait. The last chunk ends the stream.
    private func writeChunk() throws(CodecError) {
        checksum = cpng_adler(checksum, filtered, filteredByteCount)
        let content = chunk + PNGChunk.headByteCount
        var end = content
        if isFirstChunk { end.append(PNGRows.streamHeader) }
        isFirstChunk = false
        end += pngcore_deflate(
            deflater, effort, filtered, filteredByteCount, rowsLeft == 0, end)
        if rowsLeft == 0 { end.append(checksum.bigEndianBytes) }
        filteredByteCount = 0
        var head = chunk
        head.append(UInt32(end - content).bigEndianBytes)
        head.append(Array("IDAT".utf8))
        end.append(cpng_checksum(0, content - 4, end - content + 4).bigEndianBytes)
        try output.writeAll(UnsafeRawBufferPointer(start: chunk, count: end - chunk))
    }
}

/// The rows of a PNG that is encoded, and the memory for it.
struct PNGRows {
    let byteCount: Int
    let pixelByteCount: Int
    private let hasWords: Bool

    /// Rows are deflated when they are as many bytes as this, or more. No piece has matches in another, for which
    /// photos are 0.1 % larger.
    static let pieceByteCount = 1 << 20
    /// zlib's, with a window of 32 KiB, and no dictionary (RFC 1950).
    static let streamHeader: [UInt8] = [0x78, 0x5E]
    /// Of an IDAT chunk: its length, name and CRC, the stream's header and Adler-32.
    private static let frameByteCount = PNGChunk.frameByteCount + streamHeader.count + 4

    init(_ layout: PixelLayout, width: Int) {
        pixelByteCount = layout.bytesPerPixel
        byteCount = width * pixelByteCount
        hasWords = layout.depth == .sixteen
    }

    var mostPieceByteCount: Int { Self.pieceByteCount + 1 + byteCount }

    /// Two rows, a piece, and a chunk.
    var memoryByteCount: Int {
        2 * byteCount + mostPieceByteCount + Self.frameByteCount + pngcore_deflate_bound(mostPieceByteCount)
    }

    /// Copies a strip's row; words get the higher byte first.
    func store(_ row: UnsafeRawPointer, to file: UnsafeMutablePointer<UInt8>) {
        guard hasWords else {
            UnsafeMutableRawPointer(file).copyMemory(from: row, byteCount: byteCount)
            return
        }
        let words = row.assumingMemoryBound(to: UInt16.self)
        UnsafeMutableRawPointer(file).withMemoryRebound(to: UInt16.self, capacity: byteCount / 2) { to in
            for index in 0..<byteCount / 2 { to[index] = words[index].bigEndian }
        }
    }
}

extension UnsafeMutablePointer<UInt8> {
    fileprivate mutating func append(_ bytes: [UInt8]) {
        update(from: bytes, count: bytes.count)
        self += bytes.count
    }
}
