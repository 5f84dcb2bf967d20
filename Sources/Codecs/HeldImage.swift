import Glibc
import TintypeImaging

/// All rows of an image that is decoded as a whole.
final class HeldImage {
    let rows: UnsafeMutablePointer<UInt8>
    let bytesPerRow: Int
    private let release: () -> Void
    private var nextRowIndex = 0

    init(height: Int, bytesPerRow: Int) throws(CodecError) {
        guard let rows = calloc(height, bytesPerRow) else { throw .outOfMemory }
        self.rows = rows.assumingMemoryBound(to: UInt8.self)
        self.bytesPerRow = bytesPerRow
        release = { free(rows) }
    }

    /// Rows that lie in memory already. `release` is called once they are not needed any more.
    init(rows: UnsafeMutablePointer<UInt8>, bytesPerRow: Int, release: @escaping () -> Void) {
        self.rows = rows
        self.bytesPerRow = bytesPerRow
        self.release = release
    }

    deinit { release() }

    /// Copies the strip's rows to their place.
    func store(_ strip: Strip) {
        for row in 0..<strip.rowCount {
            UnsafeMutableRawPointer(rows + (strip.firstRow + row) * bytesPerRow).copyMemory(
                from: strip.planes[0].row(row), byteCount: bytesPerRow)
        }
    }

    /// The next row, until the image is released.
    func nextRow() -> UnsafeBufferPointer<UInt8> {
        defer { nextRowIndex += 1 }
        return UnsafeBufferPointer(start: rows + nextRowIndex * bytesPerRow, count: bytesPerRow)
    }

    /// Copies the next `count` rows into the strip's first ones.
    func read(_ count: Int, into strip: Strip) {
        for row in 0..<count {
            strip.planes[0].row(row).copyMemory(
                from: rows + (nextRowIndex + row) * bytesPerRow, byteCount: bytesPerRow)
        }
        nextRowIndex += count
    }
}
