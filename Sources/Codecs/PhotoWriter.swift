import TintypeImaging
import TintypeMetadata

/// Writes one photo, strip by strip. Memory does not depend on the photo's height, but for WebPs, AVIFs, JPEG XLs, TIFFs and progressive
/// JPEGs.
public final class PhotoWriter: StripSink {
    public let layout: PixelLayout

    private let geometry: PhotoGeometry
    private let encoder: any PhotoEncoder
    /// Gets the encoder's file, if a gain map follows it.
    private let gainMapAppender: (any GainMapAppender)?
    private var nextRow = 0

    /// Writes the header. Does not close the descriptor, which may be a pipe.
    ///
    /// - Parameter observer: gets all bytes that are written.
    /// - Throws: `CodecError.unsupported` if the format does not have the layout or the quality: see
    ///   `layout(for:source:grey:jpegCoding:)`.
    public convenience init(
        fileDescriptor: Int32, settings: PhotoWriterSettings, observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        let settings = try Self.checked(settings)
        let output = ByteOutput(fileDescriptor: fileDescriptor, observer: observer)
        try self.init(output, settings)
    }

    init(_ output: ByteOutput, _ settings: PhotoWriterSettings) throws(CodecError) {
        layout = settings.layout
        geometry = settings.geometry
        gainMapAppender = settings.gainMapAppender(to: output)
        encoder = try settings.format.codec.makeEncoder(gainMapAppender?.photo ?? output, settings)
    }

    /// - Returns: the settings, with metadata that match the layout.
    /// - Throws: as `init`.
    static func checked(_ settings: PhotoWriterSettings) throws(CodecError) -> PhotoWriterSettings {
        let format = settings.format
        guard format.kind.isWritten else {
            throw .unsupported(
                detail: "\(format.name) is only read; write \(PhotoFormat.writtenNames("or")) instead")
        }
        guard canWrite(settings.layout, as: format) else {
            throw .unsupported(detail: "\(format.nameWithArticle) of \(settings.layout.name)")
        }
        try check(settings.geometry, for: format)
        var settings = settings
        settings.metadata = settings.metadata.matching(colour: settings.layout.hasColour)
        return settings
    }

    private static func check(_ size: PhotoGeometry, for format: PhotoFormat) throws(CodecError) {
        let side = max(size.width, size.height), largest = format.codec.largestSide
        guard side > largest else { return }
        let other = PhotoFormat.written.first { $0.codec.largestSide >= side }
        throw .unsupported(
            detail: "\(size.width) x \(size.height) pixels, and \(format.nameWithArticle) has at most "
                + "\(largest) a side" + (other.map { "; write \($0.nameWithArticle) instead" } ?? ""))
    }

    /// Writes a photo whose pixels do not change: copies the compressed image, of a JPEG with its coefficients, tables
    /// and scans.
    ///
    /// The reader's source must still be read to its end, and its strips written: the bytes are copied while
    /// they are decoded, which also checks the photo for damage.
    ///
    /// - Parameter metadata: replaces the photo's own; pictures or a video behind the photo are then left
    ///   out. Nil copies the whole file.
    /// - Precondition: `reader` reads a photo that can be copied to a file of its format, as a JPEG, and its `makeSource` was not called yet. It
    ///   must then be called with the reader's own layout.
    public convenience init(
        fileDescriptor: Int32, copying reader: PhotoReader, metadata: PhotoMetadata? = nil,
        observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        try self.init(
            fileDescriptor: fileDescriptor, copying: reader, as: reader.format, readReducedBy: 1,
            metadata: metadata, observer: observer)
    }

    /// - Parameters:
    ///   - format: the copy's: see `PhotoReader.canBeCopied`.
    ///   - denominator: of the source that is read: see `PhotoReader.makeReducedSource`.
    ///   - limit: the most bytes; writing more fails with `CodecError.imageNotKept`.
    ///   - gainMap: follows a copy with these metadata, which tell of it.
    package init(
        fileDescriptor: Int32, copying reader: PhotoReader, as format: PhotoFormat,
        readReducedBy denominator: Int, atMost limit: Int = .max, metadata: PhotoMetadata?,
        gainMap: FollowingGainMap? = nil, observer: (any ByteObserver)?
    ) throws(CodecError) {
        guard let coded = reader.decoder.coded, let kind = reader.copyKind(as: format) else {
            preconditionFailure("\(reader.format.nameWithArticle) cannot be copied")
        }
        layout = reader.layout
        geometry = reader.geometry.divided(by: denominator)
        let output = ByteOutput(
            fileDescriptor: fileDescriptor, observer: observer, limit: limit,
            error: .imageNotKept(format: format, detail: "more than \(limit) bytes"))
        gainMapAppender = gainMap.flatMap { map in
            metadata.flatMap { format.codec.gainMaps?.makeOutput(output, map, after: $0) }
        }
        switch kind {
        case .whole: encoder = try coded.makeCopier(gainMapAppender?.photo ?? output, replacing: metadata)
        case .inner: encoder = coded.makeInnerCopier(output)
        case .wrapped:
            let file = ByteOutput(
                limit: format.codec.mostByteCount(wrapping: reader.geometry),
                error: .imageNotKept(format: format, detail: "the file is large for its pixels"))
            let copier = try coded.makeCopier(file, replacing: metadata)
            encoder = format.codec.makeWrapper(output, of: file, copier: copier, reader.geometry)
        }
    }

    /// Begins a file, and gives it up.
    ///
    /// - Throws: as `init`.
    package static func checkEncoder(_ settings: PhotoWriterSettings) throws(CodecError) {
        _ = try PhotoWriter(ByteOutput(), checked(settings))
    }

    /// A file in memory; nil if it would have more than `limit` bytes.
    ///
    /// - Parameters:
    ///   - settings: as for `init`.
    ///   - write: writes all rows, and finishes the file.
    package static func file(
        _ settings: PhotoWriterSettings, atMost limit: Int, write: (PhotoWriter) throws -> Void
    ) throws -> [UInt8]? {
        let tooLarge = CodecError.largerThanAllowed(limit: limit, format: settings.format)
        let output = ByteOutput(limit: limit, error: tooLarge)
        do {
            let writer = try PhotoWriter(output, checked(settings))
            try write(writer)
        } catch let error as CodecError where error == tooLarge {
            return nil
        }
        return output.bytes
    }

    /// Writes a whole file.
    package static func write(
        _ file: [UInt8], fileDescriptor: Int32, observer: (any ByteObserver)?
    ) throws(CodecError) {
        try ByteOutput(fileDescriptor: fileDescriptor, observer: observer).writeAll(file)
    }

    /// Whether files of a format may have a layout.
    package static func canWrite(_ layout: PixelLayout, as format: PhotoFormat) -> Bool {
        format.codec.canWrite(layout)
    }

    /// The layout for writing a format: the nearest to the source's that files may have. A JPEG has planes or 8-bit grey,
    /// with the source's chroma subsampling if the encoder supports it, else 4:2:0. A PNG has the source's depth and alpha.
    ///
    /// - Parameters:
    ///   - source: layout of the photo that was read.
    ///   - grey: whether the result is grey.
    ///   - jpegCoding: the source's coding, if it is a JPEG.
    public static func layout(
        for format: PhotoFormat, source: PixelLayout, grey: Bool, jpegCoding: JPEGCoding?
    ) -> PixelLayout {
        format.codec.layout(for: source, grey: grey, jpegCoding: jpegCoding)
    }

    /// Whether encoding takes so long that threads are better used for it than to decode ahead.
    package var needsHelpers: Bool { encoder.needsHelpers }

    /// Lets other threads help to encode, as a PNG's pieces. Call it before the first row is written.
    ///
    /// - Parameter byteCount: the most bytes of memory that this may take in addition.
    package func use(_ helpers: any CodecHelpers, memory byteCount: Int) {
        encoder.use(helpers, memory: byteCount)
    }

    /// Writes the strip's rows, which must follow the rows of the previous call. May change the strip's
    /// padding.
    public func write(_ strip: Strip) throws {
        precondition(strip.layout == layout && strip.width == geometry.width, "wrong layout or width")
        precondition(strip.firstRow == nextRow && strip.endRow <= geometry.height, "strips must be in order")
        guard strip.rowCount > 0 else { return }
        try encoder.write(strip)
        nextRow = strip.endRow
    }

    /// Completes the file. Does not sync or rename it.
    ///
    /// - Precondition: all rows were written.
    public func finish() throws {
        precondition(nextRow == geometry.height, "rows are missing")
        try encoder.finish()
        try gainMapAppender?.finish()
    }
}
