import CTintypeIsolation
import TintypeImaging
import TintypeMetadata

/// Encodes one photo with a library that needs it as a whole, in a process of its own.
final class IsolatedEncoder: PhotoEncoder {
    private let output: ByteOutput
    private let settings: PhotoWriterSettings
    private let library: IsolatedLibrary
    private let encoder: OpaquePointer
    private let rows: HeldImage

    /// Memory that encoding took beside the rows, in the library's process. Tests compare it with the estimate.
    private(set) var takenByteCount = 0

    init(
        _ output: ByteOutput, _ settings: PhotoWriterSettings, _ library: IsolatedLibrary
    ) throws(CodecError) {
        self.output = output
        self.settings = settings
        self.library = library
        var picture = Self.picture(settings), status = CISOLATION_STATUS_OK
        guard let encoder = cisolation_encoder_create(library.codec(), &picture, &status),
            let rows = cisolation_encoder_rows(encoder)
        else { throw library.writeError(cisolation_answer(status), settings.format) }
        self.encoder = encoder
        let bytesPerRow = settings.geometry.width * settings.layout.bytesPerPixel
        self.rows = HeldImage(rows: rows, bytesPerRow: bytesPerRow) { cisolation_encoder_destroy(encoder) }
    }

    private static func picture(_ settings: PhotoWriterSettings) -> cisolation_picture {
        guard case .interleaved(let channels, let depth) = settings.layout else {
            preconditionFailure("no planes")
        }
        let (primaries, curve) =
            settings.metadata.colourCodes.map { ($0[0], $0[1]) } ?? ColourCodes.sRGB
        return cisolation_picture(
            width: Int32(settings.geometry.width), height: Int32(settings.geometry.height),
            channels: Int32(channels.rawValue), is_16_bit: depth == .sixteen,
            orientation: Int32(settings.metadata.orientation.rawValue),
            quality: settings.lossyQuality.map(Int32.init) ?? -1, primaries: primaries, curve: curve)
    }

    func write(_ strip: Strip) { rows.store(strip) }

    func finish() throws(CodecError) {
        let answer = run()
        takenByteCount = cisolation_encoder_taken(encoder)
        guard answer.status == CISOLATION_STATUS_OK else {
            throw library.writeError(answer, settings.format)
        }
        var byteCount = 0
        let file = cisolation_encoder_file(encoder, &byteCount)
        try output.writeAll(UnsafeRawBufferPointer(start: file, count: byteCount))
    }

    private func run() -> cisolation_answer {
        let metadata = settings.metadata
        // Libraries copy metadata, and the file.
        let memory =
            settings.format.codec.memoryByteCount(encoding: settings.layout, settings.geometry)
            + 3 * metadata.byteCount
        return (metadata.icc?.bytes ?? []).withUnsafeBufferPointer { profile in
            (metadata.exif?.bytes ?? []).withUnsafeBufferPointer { exif in
                (metadata.xmp ?? []).withUnsafeBufferPointer { xmp in
                    var attachments = cisolation_attachments(
                        profile: profile.baseAddress, exif: exif.baseAddress, xmp: xmp.baseAddress,
                        profile_byte_count: profile.count, exif_byte_count: exif.count,
                        xmp_byte_count: xmp.count)
                    return cisolation_encoder_run(encoder, &attachments, memory)
                }
            }
        }
    }
}
