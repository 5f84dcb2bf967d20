import CTintypePNG
import Glibc
import TintypeImaging
import TintypePNGCore

/// Rows of a PNG that become one chunk of its stream. Pieces have no matches in others, for which photos are 0.1 % larger.
final class PNGPiece {
    private let rows: PNGRows
    private let effort: pngcore_effort
    private let deflater: OpaquePointer
    /// The row above the first, and the rows, as a file has them.
    private let samples: UnsafeMutablePointer<UInt8>
    private let filtered: UnsafeMutablePointer<UInt8>
    /// Space for a chunk: its head, the stream's header, the piece, the stream's checksum and the chunk's.
    private let space: UnsafeMutablePointer<UInt8>
    private var rowCount = 0
    /// Adler-32 of the filtered rows.
    private var checksum: UInt32 = 1
    private var deflatedByteCount = 0

    /// Nil if memory runs out.
    init?(_ rows: PNGRows, _ level: PNGLevel) {
        // The row above the first is zero.
        guard let memory = calloc(1, rows.memoryByteCount) else { return nil }
        guard let deflater = pngcore_deflater_create(PNGCoreLevel.best.functions) else {
            free(memory)
            return nil
        }
        self.rows = rows
        self.deflater = deflater
        effort = level == .fast ? PNGCORE_EFFORT_RUNS : PNGCORE_EFFORT_MATCHES
        samples = memory.assumingMemoryBound(to: UInt8.self)
        filtered = samples + rows.samplesByteCount
        space = filtered + rows.filteredByteCount
    }

    /// Of a piece, with what deflating takes.
    static func memoryByteCount(_ rows: PNGRows) -> Int { rows.memoryByteCount + pngcore_deflater_size() }

    deinit {
        pngcore_deflater_destroy(deflater)
        free(samples)
    }

    var isFull: Bool { rowCount == rows.mostPieceRows }

    /// Adds a strip's row.
    func add(_ row: UnsafeRawPointer) {
        rowCount += 1
        rows.store(row, to: samples + rowCount * rows.byteCount)
    }

    /// Begins again, with the rows after those of a piece, which may be this one.
    func follow(_ piece: PNGPiece) {
        memmove(samples, piece.samples + piece.rowCount * rows.byteCount, rows.byteCount)
        rowCount = 0
    }

    func deflate(isLast: Bool) {
        for row in 0..<rowCount {
            pngcore_filter_row(
                PNGCoreLevel.best.functions, samples + (row + 1) * rows.byteCount,
                samples + row * rows.byteCount, rows.byteCount, rows.pixelByteCount,
                filtered + row * (1 + rows.byteCount))
        }
        checksum = cpng_adler(1, filtered, byteCount)
        deflatedByteCount = pngcore_deflate(
            deflater, effort, rows.filtered, filtered, byteCount, isLast, start)
    }

    private var byteCount: Int { rowCount * (1 + rows.byteCount) }
    private var start: UnsafeMutablePointer<UInt8> {
        space + PNGChunk.headByteCount + PNGRows.streamHeader.count
    }

    /// The stream's checksum after this piece.
    func checksum(after checksum: UInt32) -> UInt32 {
        cpng_adler_joined(checksum, self.checksum, byteCount)
    }

    /// An IDAT chunk of the deflated rows.
    ///
    /// - Parameters:
    ///   - head: of the stream, or nothing.
    ///   - tail: of the stream, or nothing.
    func chunk(after head: [UInt8], before tail: [UInt8]) -> UnsafeRawBufferPointer {
        let content = start - head.count
        content.update(from: head, count: head.count)
        var end = start + deflatedByteCount
        end.append(tail)
        var chunk = content - PNGChunk.headByteCount
        let chunkStart = chunk
        chunk.append(UInt32(end - content).bigEndianBytes)
        chunk.append(Array("IDAT".utf8))
        end.append(cpng_checksum(0, content - 4, end - content + 4).bigEndianBytes)
        return UnsafeRawBufferPointer(start: chunkStart, count: end - chunkStart)
    }
}

/// The rows of a PNG that is encoded, and the memory for a piece of them.
struct PNGRows {
    let byteCount: Int
    let pixelByteCount: Int
    let mostPieceRows: Int
    private let hasWords: Bool

    /// A piece has as many bytes as this, or a few more.
    private static let pieceByteCount = 1 << 20
    /// zlib's, with a window of 32 KiB, and no dictionary (RFC 1950).
    static let streamHeader: [UInt8] = [0x78, 0x5E]
    /// Of an IDAT chunk: its length, name and CRC, the stream's header and Adler-32.
    private static let frameByteCount = PNGChunk.frameByteCount + streamHeader.count + 4

    init(_ layout: PixelLayout, _ geometry: PhotoGeometry) {
        pixelByteCount = layout.bytesPerPixel
        byteCount = geometry.width * pixelByteCount
        hasWords = layout.depth == .sixteen
        mostPieceRows = min(
            Self.pieceByteCount.dividedRoundingUp(by: 1 + byteCount), max(geometry.height, 1))
    }

    var filtered: pngcore_rows { pngcore_rows(row_bytes: 1 + byteCount, pixel_bytes: pixelByteCount) }
    var samplesByteCount: Int { (1 + mostPieceRows) * byteCount }
    var filteredByteCount: Int { mostPieceRows * (1 + byteCount) }

    /// Of a piece's rows, filtered, and deflated.
    var memoryByteCount: Int {
        samplesByteCount + filteredByteCount + Self.frameByteCount + pngcore_deflate_bound(filteredByteCount)
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
