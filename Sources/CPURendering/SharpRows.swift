import TintypeImaging
import TintypeKernels

/// A ring of unchanged rows that wait for their blur. The index is the row's number.
protocol SharpRows: RowSource {
    /// Stores one row of `source`, in place of the row `capacity` before it.
    func keep(_ row: Int, of source: any RowSource)
}

/// Rows kept as samples, which take an eighth of the memory of floats. Loading them twice costs less than
/// moving floats through the cache.
final class SharpSamples: SharpRows {
    /// The strip that rows are copied from; it also converts them to floats.
    private let source: LoadedRows
    private let ring: Strip

    init(_ source: LoadedRows, capacity: Int) throws(OutOfMemory) {
        self.source = source
        ring = try Strip(
            layout: source.strip.layout, width: source.strip.width, rowCapacity: capacity)
    }

    func keep(_ row: Int, of _: any RowSource) {
        let strip = source.strip
        // Each row copies its chroma samples, because not all rows that share them may be kept.
        for (plane, kept) in zip(strip.planes, ring.planes) {
            kept.sample(x: 0, pixelRow: row % ring.rowCapacity).copyMemory(
                from: plane.sample(x: 0, pixelRow: row - strip.firstRow),
                byteCount: min(plane.bytesPerRow, kept.bytesPerRow))
        }
    }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        source.load(
            ring, stripRow: row % ring.rowCapacity, row: row, x: x, count: count, into: floats)
    }

    func samples(row: Int) -> (strip: Strip, row: Int)? {
        source.onlyConverts ? (ring, row % ring.rowCapacity) : nil
    }
}

/// Rows kept as floats, between two blurs.
final class SharpFloats: SharpRows {
    private let ring: FloatRows
    private let width: Int

    init(width: Int, capacity: Int, hasAlpha: Bool) throws(OutOfMemory) {
        self.width = width
        ring = try FloatRows(count: capacity, width: width, hasAlpha: hasAlpha)
    }

    func keep(_ row: Int, of source: any RowSource) {
        let kept = ring[row % ring.count]
        Run.forEach(in: width) { x, count in source.load(row: row, x: x, count: count, into: kept + x) }
    }

    func load(row: Int, x: Int, count: Int, into floats: kernels_rows) {
        (ring[row % ring.count] + x).copy(to: floats, count: count)
    }
}
