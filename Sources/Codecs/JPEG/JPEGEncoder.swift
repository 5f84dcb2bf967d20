import CTintypeJPEG
import TintypeImaging
import TintypeMetadata

/// Encodes one JPEG with libjpeg. A baseline one has one scan: with standard Huffman codes, bytes are written as strips
/// arrive; with the photo's own codes, when all strips have arrived. A progressive one is held as a whole.
final class JPEGEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let scratch: ScratchFile?
    private let writer: OpaquePointer

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        try settings.checkJPEG()
        let segments = try JPEGSegments.segments(for: settings.metadata)
        guard
            let writer = cjpeg_writer_create(
                ByteOutput.writeCallback, output.callbackContext,
                settings.isProgressive ? nil : settings.jpegCodec.level)
        else { throw .outOfMemory }
        self.output = output
        self.writer = writer
        scratch = settings.isProgressive ? nil : settings.scratchDescriptor.map(ScratchFile.init)
        if let scratch {
            cjpeg_writer_optimize(
                writer,
                cjpeg_scratch(
                    write: ScratchFile.writeCallback, read: ScratchFile.readCallback,
                    context: scratch.callbackContext))
        }
        var coding = cjpeg_writer_settings(settings)
        try check(cjpeg_writer_start(writer, &coding))
        for segment in segments {
            try check(
                cjpeg_writer_write_marker(writer, Int32(segment.marker), segment.bytes, segment.bytes.count))
        }
    }

    deinit { cjpeg_writer_destroy(writer) }

    func write(_ strip: Strip) throws(CodecError) {
        if !strip.hasBlockPadding { strip.fillBlockPadding() }
        for row in stride(from: 0, to: strip.rowCount, by: strip.rowGranularity) {
            let (planes, bytesPerRow) = strip.planePointers(atRow: row)
            try check(cjpeg_writer_write_raw(writer, planes, bytesPerRow))
        }
    }

    /// Writes all that precedes the data, which otherwise happens with the first row.
    func writeHeaders() throws(CodecError) { try check(cjpeg_writer_write_headers(writer)) }

    func finish() throws(CodecError) {
        try check(cjpeg_writer_finish(writer))
    }

    private func check(_ status: cjpeg_status) throws(CodecError) {
        if status == CJPEG_STATUS_OK { return }
        throw CodecError(
            status, message: cjpeg_writer_message(writer), callback: output.failure ?? scratch?.failure)
    }
}

extension PhotoWriterSettings {
    /// Checks what only JPEGs have.
    func checkJPEG() throws(CodecError) {
        if case .value(let quality) = jpegQuality, !(1...100).contains(quality) {
            throw .unsupported(detail: "a JPEG quality of \(quality); it is 1 to 100")
        }
        if let rows = restartRows, !Self.possibleRestartRows.contains(rows) {
            let most = Self.possibleRestartRows.upperBound
            throw .unsupported(detail: "restart markers every \(rows) rows; it is 1 to \(most)")
        }
    }
}

extension cjpeg_writer_settings {
    fileprivate init(_ settings: PhotoWriterSettings) {
        self.init()
        width = Int32(settings.geometry.width)
        height = Int32(settings.geometry.height)
        grey = !settings.layout.hasColour
        horizontal_factor = Int32(settings.layout.subsampling.horizontal)
        vertical_factor = Int32(settings.layout.subsampling.vertical)
        switch settings.jpegQuality {
        case .value(let value): quality = Int32(value)
        case .keep(let coding):
            withUnsafeMutableBytes(of: &quant_tables) { bytes in
                for component in 0..<3 {
                    let table = coding.table(forComponent: component)
                    table.withUnsafeBytes { bytes[(component * $0.count)...].copyBytes(from: $0) }
                }
            }
        }
        let density = (settings.metadata.density ?? .unknown).jfif
        (density_unit, density_x, density_y) = density
        restart_rows = Int32(settings.restartRows ?? 0)
        progressive = settings.isProgressive
    }
}

extension Strip {
    /// Repeats the photo's last column and row up to whole blocks, like libjpeg's own padding.
    func fillBlockPadding() {
        for plane in planes {
            let rows = (rowCount * plane.rowCapacity).dividedRoundingUp(by: rowCapacity)
            let paddedWidth = plane.width.roundedUp(toMultipleOf: 8)
            if paddedWidth > plane.width {
                for row in 0..<rows {
                    let samples = plane.row(row).assumingMemoryBound(to: UInt8.self)
                    (samples + plane.width).update(
                        repeating: samples[plane.width - 1], count: paddedWidth - plane.width)
                }
            }
            for row in rows..<rows.roundedUp(toMultipleOf: 8) {
                plane.row(row).copyMemory(from: plane.row(rows - 1), byteCount: paddedWidth)
            }
        }
    }
}
