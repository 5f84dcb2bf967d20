import CTintypeWebP
import TintypeImaging

/// Encodes one WebP. libwebp needs the photo as a whole.
final class WebPEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let settings: PhotoWriterSettings
    private let picture: OpaquePointer

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        self.output = output
        self.settings = settings
        var status = CWEBP_STATUS_OK
        guard
            let picture = cwebp_picture_create(
                Int32(settings.geometry.width), Int32(settings.geometry.height), &status)
        else { throw CodecError(status) }
        self.picture = picture
    }

    deinit { cwebp_picture_destroy(picture) }

    func write(_ strip: Strip) {
        for row in 0..<strip.rowCount {
            cwebp_picture_store(
                picture, Int32(strip.firstRow + row),
                strip.planes[0].row(row).assumingMemoryBound(to: UInt8.self),
                strip.layout.hasAlpha)
        }
    }

    func finish() throws(CodecError) {
        let file = ByteOutput()
        let quality = settings.lossyQuality.map(Int32.init) ?? -1
        let status = cwebp_encode(picture, quality, ByteOutput.writeCallback, file.callbackContext)
        guard status == CWEBP_STATUS_OK else { throw CodecError(status, callback: file.failure) }
        // libwebp's own head is replaced.
        let head = WebPChunk.fileHeadByteCount
        let isExtended = file.bytes.dropFirst(head).starts(with: WebPChunk.extendedName.utf8)
        let image = file.bytes.dropFirst(head + (isExtended ? WebPChunk.paddedByteCount(10) : 0))
        try WebPFile(
            geometry: settings.geometry, hasAlpha: settings.layout.hasAlpha, metadata: settings.metadata
        ).write(image, to: output)
    }
}
