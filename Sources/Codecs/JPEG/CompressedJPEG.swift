import TintypeImaging
import TintypeMetadata

/// JPEGs whose image a device encodes: baseline, one scan.
///
/// The image's header is SOI, quantisation, frame, codes, restart interval if there is one, and scan. One without codes has
/// codes of its own, which the device finds, and writes right after the frame.
struct CompressedJPEG: CompressedCodec {
    /// SOI.
    let replacedByteCount = 2

    func image(_ settings: PhotoWriterSettings) throws(CodecError) -> CompressedImage {
        precondition(!settings.isProgressive, "no device encodes a progressive JPEG")
        var plain = settings
        plain.metadata = PhotoMetadata()
        plain.scratchDescriptor = nil
        let output = ByteOutput()
        try JPEGEncoder(output, plain).writeHeaders()
        // Of the metadata, libjpeg's JFIF is left.
        guard
            let header = JPEGCompressedHeader(
                of: output.bytes, keepsJFIF: false,
                keepsCodes: settings.scratchDescriptor == nil)
        else { preconditionFailure("libjpeg has written another header") }
        return CompressedImage(.jpeg, header: header.bytes)
    }

    func beginning(_ settings: PhotoWriterSettings) throws(CodecError) -> [UInt8] {
        try settings.checkJPEG()
        let segments =
            [JPEGSegments.jfif(settings.metadata.density)]
            + (try JPEGSegments.segments(for: settings.metadata))
        return JPEGCompressedHeader.startOfImage + segments.flatMap(\.fileBytes)
    }
}
