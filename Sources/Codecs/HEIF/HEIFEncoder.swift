import CTintypeIsolation
import CTintypeHEIF
import TintypeImaging
import TintypeMetadata

/// Encodes one AVIF. libheif needs the photo as a whole, and encodes it in a process of its own.
final class HEIFEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let settings: PhotoWriterSettings
    private let encoder: OpaquePointer
    private let rows: HeldImage

    /// Memory that encoding took beside the rows, in libheif's process. Tests compare it with the estimate.
    private(set) var takenByteCount = 0

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        self.output = output
        self.settings = settings
        var picture = Self.picture(settings), status = CISOLATION_STATUS_OK
        guard let encoder = cheif_encoder_create(&picture, &status), let rows = cheif_encoder_rows(encoder)
        else { throw IsolatedLibrary.heif.writeError(cisolation_answer(status), settings.format) }
        self.encoder = encoder
        let bytesPerRow = settings.geometry.width * settings.layout.bytesPerPixel
        self.rows = HeldImage(rows: rows, bytesPerRow: bytesPerRow) { cheif_encoder_destroy(encoder) }
    }

    private static func picture(_ settings: PhotoWriterSettings) -> cheif_picture {
        var picture = cheif_picture()
        picture.width = Int32(settings.geometry.width)
        picture.height = Int32(settings.geometry.height)
        picture.has_alpha = settings.layout.hasAlpha
        picture.quality = settings.lossyQuality.map(Int32.init) ?? -1
        (picture.primaries, picture.curve) =
            settings.metadata.colourCodes.map { ($0[0], $0[1]) } ?? ColourCodes.sRGB
        return picture
    }

    func write(_ strip: Strip) { rows.store(strip) }

    func finish() throws(CodecError) {
        let answer = run()
        takenByteCount = cheif_encoder_taken(encoder)
        guard answer.status == CISOLATION_STATUS_OK else {
            throw IsolatedLibrary.heif.writeError(answer, settings.format)
        }
        var byteCount = 0
        let file = cheif_encoder_file(encoder, &byteCount)
        try output.writeAll(UnsafeRawBufferPointer(start: file, count: byteCount))
    }

    private func run() -> cisolation_answer {
        let metadata = settings.metadata
        // libheif looks for the beginning of a TIFF stream in EXIF.
        let exif = metadata.exif?.bytes ?? []
        // It copies metadata, and the file.
        let memory =
            HEIFMemory.byteCount(encoding: settings.layout, settings.geometry) + 3 * metadata.byteCount
        return (metadata.icc?.bytes ?? []).withUnsafeBufferPointer { profile in
            exif.withUnsafeBufferPointer { exif in
                (metadata.xmp ?? []).withUnsafeBufferPointer { xmp in
                    var attachments = cheif_attachments(
                        profile: profile.baseAddress, exif: exif.baseAddress, xmp: xmp.baseAddress,
                        profile_byte_count: profile.count, exif_byte_count: exif.count,
                        xmp_byte_count: xmp.count)
                    return cheif_encoder_run(encoder, &attachments, memory)
                }
            }
        }
    }
}
