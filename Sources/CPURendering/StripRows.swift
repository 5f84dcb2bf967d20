import TintypeImaging
import TintypeKernels

/// Moves runs of pixels between a strip's samples and planar floats.
struct StripRows {
    let level: SIMDLevel

    /// Reads one run of pixels.
    ///
    /// - Parameters:
    ///   - row: a row of the strip.
    ///   - x: the first pixel, a multiple of the horizontal subsampling.
    func load(_ strip: Strip, row: Int, x: Int, count: Int, into rows: kernels_rows) {
        let functions = level.functions.pointee
        func samples<Sample>(_ plane: Int) -> UnsafePointer<Sample> {
            UnsafePointer(
                strip.planes[plane].sample(x: x, pixelRow: row).assumingMemoryBound(to: Sample.self))
        }
        switch strip.layout {
        case .interleaved(let channels, .eight):
            functions.load8(samples(0), Int32(channels.rawValue), count, rows)
        case .interleaved(let channels, .sixteen):
            functions.load16(samples(0), Int32(channels.rawValue), count, rows)
        case .yCbCr(let subsampling):
            functions.load_ycc(samples(0), samples(1), samples(2), Int32(subsampling.horizontal), count, rows)
        }
    }

    /// Writes a block of rows.
    ///
    /// - Parameters:
    ///   - block: one row for each row of the vertical subsampling; at the photo's bottom the last one may
    ///     repeat.
    ///   - rowCount: the rows of `block` that belong to the photo.
    ///   - row: a row of the strip, a multiple of the vertical subsampling.
    ///   - x: the first pixel, a multiple of the horizontal subsampling.
    func store(
        _ block: UnsafeBufferPointer<kernels_rows>, rowCount: Int, to strip: Strip, row: Int, x: Int,
        count: Int
    ) {
        let functions = level.functions.pointee
        func samples<Sample>(_ plane: Int, _ offset: Int) -> UnsafeMutablePointer<Sample> {
            strip.planes[plane].sample(x: x, pixelRow: row + offset).assumingMemoryBound(to: Sample.self)
        }
        switch strip.layout {
        case .interleaved(let channels, let depth):
            for (offset, rows) in block.prefix(rowCount).enumerated() {
                switch depth {
                case .eight: functions.store8(rows, Int32(channels.rawValue), count, samples(0, offset))
                case .sixteen: functions.store16(rows, Int32(channels.rawValue), count, samples(0, offset))
                }
            }
        case .yCbCr(let subsampling):
            for (offset, rows) in block.prefix(rowCount).enumerated() {
                functions.store_luma(rows, count, samples(0, offset))
            }
            functions.store_chroma(
                block.baseAddress, Int32(subsampling.horizontal), Int32(subsampling.vertical), count,
                samples(1, 0), samples(2, 0))
        }
    }
}
