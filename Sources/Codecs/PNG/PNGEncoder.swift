import CPNG
import Imaging

/// Encodes one PNG with libpng, its filters and zlib's level chosen for speed.
final class PNGEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let writer: OpaquePointer

    private static let compressionLevel: Int32 = 3

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        guard case .interleaved(let channels, let depth) = settings.layout else {
            preconditionFailure("a PNG does not take \(settings.layout)")
        }
        let context = Unmanaged.passUnretained(output).toOpaque()
        let write: CPNGWrite = { context, bytes, count in
            guard let context else { return false }
            let output = Unmanaged<ByteOutput>.fromOpaque(context).takeUnretainedValue()
            return output.write(UnsafeRawBufferPointer(start: bytes, count: count))
        }
        guard let writer = CPNGWriterCreate(write, context) else { throw .outOfMemory }
        self.output = output
        self.writer = writer
        var header = CPNGWriterSettings(
            width: Int32(settings.geometry.width), height: Int32(settings.geometry.height),
            bitDepth: Int32(depth.rawValue), hasColour: channels.hasColour, hasAlpha: channels.hasAlpha,
            compressionLevel: Self.compressionLevel)
        try check(CPNGWriterStart(writer, &header))
        try add(settings.metadata)
    }

    deinit { CPNGWriterDestroy(writer) }

    func write(_ strip: Strip) throws(CodecError) {
        let plane = strip.planes[0]
        let first = plane.base.assumingMemoryBound(to: UInt8.self)
        try check(CPNGWriterWriteRows(writer, first, plane.bytesPerRow, Int32(strip.rowCount)))
    }

    func add(_ metadata: PhotoMetadata) throws(CodecError) {
        for chunk in PNGChunk.chunks(for: metadata) {
            try check(CPNGWriterWriteChunk(writer, chunk.name, chunk.bytes, chunk.bytes.count))
        }
    }

    func finish() throws(CodecError) {
        try check(CPNGWriterFinish(writer))
    }

    private func check(_ status: CPNGStatus) throws(CodecError) {
        if status == CPNGStatusOK { return }
        throw CodecError(status, message: CPNGWriterMessage(writer), callback: output.failure)
    }
}
