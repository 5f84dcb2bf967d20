import TintypeImaging

/// Writes one photo whose image a device has encoded.
package final class CompressedWriter: CompressedSink {
    /// What the device encodes.
    package let image: CompressedImage
    private let settings: PhotoWriterSettings
    private let codec: any CompressedCodec
    private let output: ByteOutput
    /// Gets the file, if a gain map follows it.
    private let gainMapAppender: (any GainMapAppender)?
    /// Bytes of the image that its file begins with instead of the device's.
    private var skippedByteCount: Int

    /// The image that a device would encode; nil if the format's files are encoded here.
    package static func image(_ settings: PhotoWriterSettings) throws(CodecError) -> CompressedImage? {
        try settings.format.codec.compressed?.image(PhotoWriter.checked(settings))
    }

    /// Writes the file's beginning. Does not close the descriptor, which may be a pipe.
    ///
    /// - Parameters:
    ///   - image: that of `image(_:)` for these settings.
    ///   - observer: gets all bytes that are written.
    package init(
        fileDescriptor: Int32, _ image: CompressedImage, settings: PhotoWriterSettings,
        observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        guard let codec = settings.format.codec.compressed else {
            preconditionFailure("no device encodes \(settings.format.nameWithArticle)")
        }
        self.settings = try PhotoWriter.checked(settings)
        self.codec = codec
        self.image = image
        skippedByteCount = codec.replacedByteCount
        let whole = ByteOutput(fileDescriptor: fileDescriptor, observer: observer)
        gainMapAppender = settings.gainMapAppender(to: whole)
        output = gainMapAppender?.photo ?? whole
        try output.writeAll(codec.beginning(self.settings))
    }

    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        let skipped = min(skippedByteCount, bytes.count)
        skippedByteCount -= skipped
        try output.writeAll(UnsafeRawBufferPointer(rebasing: bytes[skipped...]))
    }

    /// Completes the file, after the image's last byte.
    package func finish() throws(CodecError) { try gainMapAppender?.finish() }

    package var referenceEncoder: (() throws -> any MemoryEncoder)? {
        { [settings, codec, image] in try ReferenceEncoder(settings, codec, image) }
    }
}

/// Encodes the same image here.
private final class ReferenceEncoder: MemoryEncoder {
    let layout: PixelLayout
    private let output = ByteOutput()
    private let writer: PhotoWriter
    private let beginning: Int, replaced: [UInt8]

    init(
        _ settings: PhotoWriterSettings, _ codec: any CompressedCodec, _ image: CompressedImage
    ) throws(CodecError) {
        var settings = settings
        settings.gainMap = nil
        layout = settings.layout
        writer = try PhotoWriter(output, settings)
        beginning = try codec.beginning(settings).count
        replaced = Array(image.header.prefix(codec.replacedByteCount))
    }

    func write(_ strip: Strip) throws { try writer.write(strip) }

    func finish() throws -> [UInt8] {
        try writer.finish()
        return replaced + output.bytes.dropFirst(beginning)
    }
}
