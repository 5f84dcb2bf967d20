import CTintypePNG
import CTintypeTIFF
import Glibc
import TintypeImaging
import TintypeMetadata
import TintypePNGCore

/// Encodes one TIFF: strips of Deflate (Adobe Photoshop TIFF Technical Notes), of differences to the pixel before. Its bytes do not
/// depend on the strips that it gets. A file's beginning tells where its end is, so the compressed strips are held.
final class TIFFEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let settings: PhotoWriterSettings
    private let strips: TIFFStrips
    private var file: TIFFFile
    private let deflater: OpaquePointer
    /// Rows of differences that wait to be deflated, and space for what they become.
    private let rows, deflated: UnsafeMutablePointer<UInt8>
    private var rowCount = 0
    private var compressed: [[UInt8]] = []

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        guard case .interleaved = settings.layout else {
            throw .unsupported(detail: "a TIFF of \(settings.layout.name)")
        }
        strips = TIFFStrips(settings.layout, settings.geometry)
        guard let rows = malloc(strips.byteCount) else { throw .outOfMemory }
        guard let deflated = malloc(strips.mostCompressedByteCount) else {
            free(rows)
            throw .outOfMemory
        }
        guard let deflater = pngcore_deflater_create(PNGCoreLevel.best.functions) else {
            free(rows)
            free(deflated)
            throw .outOfMemory
        }
        self.output = output
        self.settings = settings
        self.deflater = deflater
        self.rows = rows.assumingMemoryBound(to: UInt8.self)
        self.deflated = deflated.assumingMemoryBound(to: UInt8.self)
        file = TIFFFile(exif: settings.metadata.exif)
    }

    deinit {
        pngcore_deflater_destroy(deflater)
        free(rows)
        free(deflated)
    }

    func write(_ strip: Strip) {
        for index in 0..<strip.rowCount {
            strips.store(
                strip.planes[0].row(index), to: rows + rowCount * strips.bytesPerRow,
                isBigEndian: file.isBigEndian)
            rowCount += 1
            if rowCount == strips.rowsPerStrip { endStrip() }
        }
    }

    /// A zlib stream (RFC 1950).
    private func endStrip() {
        let byteCount = rowCount * strips.bytesPerRow
        let count = pngcore_deflate(
            deflater, PNGCORE_EFFORT_MATCHES, strips.rows, rows, byteCount, true, deflated)
        compressed.append(
            PNGRows.streamHeader + UnsafeBufferPointer(start: deflated, count: count)
                + cpng_adler(1, rows, byteCount).bigEndianBytes)
        rowCount = 0
    }

    func finish() throws(CodecError) {
        if rowCount > 0 { endStrip() }
        describe()
        let stripsByteCount = compressed.reduce(0) { $0 + $1.count }
        let parts = file.parts(around: stripsByteCount + stripsByteCount % 2)
        guard parts.head.count + stripsByteCount + parts.tail.count <= UInt32.max else {
            throw .unsupported(detail: "more bytes than a TIFF has space for")
        }
        try output.writeAll(parts.head)
        for strip in compressed { try output.writeAll(strip) }
        try output.writeAll([UInt8](repeating: 0, count: stripsByteCount % 2))
        try output.writeAll(parts.tail)
    }

    private func describe() {
        guard case .interleaved(let channels, let depth) = settings.layout else { return }
        var offset = file.headByteCount, offsets: [Int] = []
        for strip in compressed {
            offsets.append(offset)
            offset += strip.count
        }
        file.set(256, .longs([settings.geometry.width]))
        file.set(257, .longs([settings.geometry.height]))
        file.set(258, .shorts(Array(repeating: depth.rawValue, count: channels.rawValue)))
        file.set(259, .shorts([8]))
        file.set(262, .shorts([channels.hasColour ? 2 : 1]))
        file.set(273, .longs(offsets))
        file.set(274, .shorts([settings.metadata.orientation.rawValue]))
        file.set(277, .shorts([channels.rawValue]))
        file.set(278, .longs([strips.rowsPerStrip]))
        file.set(279, .longs(compressed.map(\.count)))
        file.set(284, .shorts([1]))
        file.set(317, .shorts([2]))
        // Not multiplied in.
        if channels.hasAlpha { file.set(338, .shorts([2])) }
        describeMetadata()
    }

    private func describeMetadata() {
        describe(settings.metadata.density)
        if let packet = settings.metadata.xmp { file.set(700, .bytes(packet)) }
        let resources = settings.metadata.photoshopResources
        if !resources.isEmpty { file.set(34377, .bytes(resources)) }
        if let profile = settings.metadata.icc { file.set(34675, .opaque(profile.bytes)) }
    }

    /// Most programs know no metres, so these become inches, as in a JPEG. That pixels are square is no more than EXIF says.
    private func describe(_ density: PixelDensity?) {
        guard let density, density.unit != .aspectOnly || density.x != density.y || !file.hasResolution else {
            return
        }
        let scale = density.unit == .perMetre ? 0.0254 : 1
        file.set(282, .rational(Double(density.x) * scale))
        file.set(283, .rational(Double(density.y) * scale))
        file.set(296, .shorts([density.unit == .aspectOnly ? 1 : density.unit == .perCentimetre ? 3 : 2]))
    }
}

/// The strips of a TIFF that is encoded.
struct TIFFStrips {
    let bytesPerRow: Int
    /// As many as there are in a MiB.
    let rowsPerStrip: Int
    let rows: pngcore_rows
    private let height: Int
    private let channelCount: Int
    private let hasWords: Bool

    init(_ layout: PixelLayout, _ geometry: PhotoGeometry) {
        bytesPerRow = geometry.width * layout.bytesPerPixel
        height = geometry.height
        rowsPerStrip = min(max(1, (1 << 20) / bytesPerRow), height)
        hasWords = layout.depth == .sixteen
        channelCount = layout.bytesPerPixel / (hasWords ? 2 : 1)
        rows = pngcore_rows(row_bytes: bytesPerRow, pixel_bytes: layout.bytesPerPixel)
    }

    /// Without compression.
    var byteCount: Int { rowsPerStrip * bytesPerRow }
    var mostCompressedByteCount: Int { pngcore_deflate_bound(byteCount) }

    /// All compressed strips, of which noise needs an eighth more than its rows at most; the rows of one, and what they become.
    var memoryByteCount: Int {
        let count = height.dividedRoundingUp(by: rowsPerStrip)
        return count * (byteCount * 9 / 8 + 4096) + byteCount + 2 * mostCompressedByteCount
    }

    func store(_ row: UnsafeRawPointer, to file: UnsafeMutablePointer<UInt8>, isBigEndian: Bool) {
        guard hasWords else {
            ctiff_differences_8(row.assumingMemoryBound(to: UInt8.self), file, bytesPerRow, channelCount)
            return
        }
        file.withMemoryRebound(to: UInt16.self, capacity: bytesPerRow / 2) { words in
            ctiff_differences_16(
                row.assumingMemoryBound(to: UInt16.self), words, bytesPerRow / 2, channelCount,
                isBigEndian != (UInt16(1).bigEndian == 1))
        }
    }
}
