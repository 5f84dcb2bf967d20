import Glibc
import TintypeImaging

/// Encodes one PNG with PNGCore. Its bytes do not depend on the strips, or on the threads.
final class PNGEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let rows: PNGRows
    private let level: PNGLevel
    private let hasColour: Bool
    private var rowsLeft: Int
    /// Those with rows are the first ones, up to `current`.
    private var pieces: [PNGPiece]
    private var current = 0
    /// Adler-32 of all filtered rows that are written.
    private var checksum: UInt32 = 1
    private var isFirstChunk = true
    private var helpers: (any CodecHelpers)?
    private var mostPieces = 1

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        guard case .interleaved(let channels, let depth) = settings.layout else {
            throw .unsupported(detail: "a PNG of \(settings.layout.name)")
        }
        rows = PNGRows(settings.layout, settings.geometry)
        rowsLeft = settings.geometry.height
        level = settings.pngLevel
        hasColour = channels.hasColour
        guard let piece = PNGPiece(rows, level) else { throw .outOfMemory }
        pieces = [piece]
        self.output = output
        let kind: UInt8 = (channels.hasColour ? 2 : 0) | (channels.hasAlpha ? 4 : 0)
        let size =
            UInt32(settings.geometry.width).bigEndianBytes + UInt32(settings.geometry.height).bigEndianBytes
        let header = PNGChunk(name: "IHDR", bytes: size + [UInt8(depth.rawValue), kind, 0, 0, 0])
        try output.writeAll(PNGFormat.signature + header.encoded)
        for chunk in PNGChunk.chunks(for: settings.metadata) { try output.writeAll(chunk.encoded) }
    }

    /// Strings are looked for longer than most photos are decoded, but grey ones have a third of the bytes.
    var needsHelpers: Bool {
        level == .small && hasColour && rowsLeft > 2 * rows.mostPieceRows && mostPieces > 1
    }

    func use(_ helpers: any CodecHelpers, memory byteCount: Int) {
        self.helpers = helpers
        mostPieces = 1 + byteCount / PNGPiece.memoryByteCount(rows)
    }

    func write(_ strip: Strip) throws(CodecError) {
        for index in 0..<strip.rowCount {
            if pieces[current].isFull { try endPiece() }
            pieces[current].add(strip.planes[0].row(index))
            rowsLeft -= 1
        }
    }

    func finish() throws(CodecError) {
        try writePieces()
        pieces = []
        try output.writeAll(PNGChunk(name: "IEND", bytes: []).encoded)
    }

    /// Takes a further piece for a thread that is free; without one, the rows that wait are written.
    private func endPiece() throws(CodecError) {
        let next = current + 1
        if next < min(freeThreadCount, mostPieces), next < pieces.count || addPiece() {
            pieces[next].follow(pieces[current])
            current = next
        } else {
            try writePieces()
        }
    }

    private func addPiece() -> Bool {
        guard let piece = PNGPiece(rows, level) else { return false }
        pieces.append(piece)
        return true
    }

    /// Deflates the rows that wait, and writes them. Without rows that are left, the stream ends.
    private func writePieces() throws(CodecError) {
        let last = rowsLeft == 0 ? current : nil
        if current > 0, let helpers {
            let pieces = PNGPieces(pieces[...current])
            helpers.perform(pieces.count) { pieces[$0].deflate(isLast: $0 == last) }
        } else {
            pieces[0].deflate(isLast: last == 0)
        }
        for (index, piece) in pieces[...current].enumerated() {
            checksum = piece.checksum(after: checksum)
            let chunk = piece.chunk(
                after: isFirstChunk ? PNGRows.streamHeader : [],
                before: index == last ? checksum.bigEndianBytes : [])
            isFirstChunk = false
            try output.writeAll(chunk)
        }
        pieces[0].follow(pieces[current])
        current = 0
        // Memory is for threads that are free, and so have no photos.
        pieces.removeLast(max(0, pieces.count - min(freeThreadCount, mostPieces)))
    }

    private var freeThreadCount: Int { helpers?.freeThreadCount ?? 1 }
}

/// Pieces that several threads work on, each on its own.
// @unchecked: no two threads get the same number.
private struct PNGPieces: @unchecked Sendable {
    private let pieces: ArraySlice<PNGPiece>

    init(_ pieces: ArraySlice<PNGPiece>) { self.pieces = pieces }

    var count: Int { pieces.count }
    subscript(index: Int) -> PNGPiece { pieces[index] }
}
