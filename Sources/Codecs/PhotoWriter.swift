import Imaging
import Metadata

/// One photo being written, strip by strip. Memory does not depend on the photo's height.
public final class PhotoWriter: StripSink {
    public let layout: PixelLayout

    private let geometry: PhotoGeometry
    private let encoder: any PhotoEncoder
    private var nextRow = 0

    /// Writes the header. Does not close the descriptor, which may be a pipe.
    ///
    /// - Parameter observer: sees all bytes that are written.
    /// - Precondition: the layout is one that the format takes: see `layout(for:source:grey:jpegCoding:)`.
    public init(
        fileDescriptor: Int32, settings: PhotoWriterSettings, observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        layout = settings.layout
        geometry = settings.geometry
        var settings = settings
        settings.metadata = settings.metadata.matching(colour: settings.layout.hasColour)
        let output = ByteOutput(fileDescriptor: fileDescriptor, observer: observer)
        switch settings.format {
        case .jpeg: encoder = try JPEGEncoder(output, settings)
        case .png: encoder = try PNGEncoder(output, settings)
        }
    }

    /// Writes a JPEG whose pixels do not change: its compressed image goes through as it is, so coefficients,
    /// tables and scans stay the same.
    ///
    /// The reader's source must be read to its end all the same, and its strips written: the copy is made
    /// meanwhile, and the photo is known to be sound.
    ///
    /// - Parameter metadata: replaces the photo's own; what follows the photo, pictures or a video, is then
    ///   left out. Nil copies the whole file.
    /// - Precondition: `reader` reads a JPEG, and its source was not made yet. That is then to have the
    ///   reader's own layout.
    public init(
        fileDescriptor: Int32, copying reader: PhotoReader, metadata: PhotoMetadata? = nil,
        observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        layout = reader.layout
        geometry = reader.geometry
        let replacement = metadata.map {
            JPEGSegments.Replacement(metadata: $0, hasJFIF: reader.metadata.density != nil)
        }
        let output = ByteOutput(fileDescriptor: fileDescriptor, observer: observer)
        let copier = try JPEGCopier(output, replacing: replacement)
        try reader.copy(to: copier)
        encoder = copier
    }

    /// The layout that a file takes: a JPEG planes or 8-bit grey, with the source's chroma subsampling where
    /// it has one that can be repeated, else 4:2:0; a PNG the depth and alpha of the source.
    ///
    /// - Parameters:
    ///   - source: layout of the photo that was read.
    ///   - grey: whether the result is to be grey.
    ///   - jpegCoding: of the source, where it is a JPEG.
    public static func layout(
        for format: PhotoFormat, source: PixelLayout, grey: Bool, jpegCoding: JPEGCoding?
    ) -> PixelLayout {
        switch format {
        case .jpeg where grey: .interleaved(.grey, .eight)
        case .jpeg: .yCbCr(jpegCoding?.subsampling ?? .s420)
        case .png: .interleaved(.init(colour: !grey, alpha: source.hasAlpha), source.depth)
        }
    }

    /// Writes the strip's rows, which are to follow those written before. May change the strip's padding.
    public func write(_ strip: Strip) throws {
        precondition(strip.layout == layout && strip.width == geometry.width, "a strip of another photo")
        precondition(strip.firstRow == nextRow && strip.endRow <= geometry.height, "strips come in order")
        guard strip.rowCount > 0 else { return }
        try encoder.write(strip)
        nextRow = strip.endRow
    }

    /// Completes the file. Syncing and renaming are the caller's.
    ///
    /// - Precondition: all rows were written.
    public func finish() throws {
        precondition(nextRow == geometry.height, "finish comes after the last row")
        try encoder.finish()
    }
}

/// A format's encoder: the header is written by its `init`.
protocol PhotoEncoder: AnyObject {
    func write(_ strip: Strip) throws(CodecError)
    func finish() throws(CodecError)
}
