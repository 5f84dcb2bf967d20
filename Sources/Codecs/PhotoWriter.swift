import Imaging
import Metadata

/// Writes one photo, strip by strip. Memory does not depend on the photo's height.
public final class PhotoWriter: StripSink {
    public let layout: PixelLayout

    private let geometry: PhotoGeometry
    private let encoder: any PhotoEncoder
    private var nextRow = 0

    /// Writes the header. Does not close the descriptor, which may be a pipe.
    ///
    /// - Parameter observer: gets all bytes that are written.
    /// - Throws: `CodecError.unsupported` if the format does not have the layout or the quality: see
    ///   `layout(for:source:grey:jpegCoding:)`.
    public init(
        fileDescriptor: Int32, settings: PhotoWriterSettings, observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        guard Self.canWrite(settings.layout, as: settings.format) else {
            throw .unsupported(detail: "a \(settings.format.name) of \(settings.layout.name)")
        }
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

    /// Writes a JPEG whose pixels do not change: copies the compressed image, with its coefficients, tables
    /// and scans.
    ///
    /// The reader's source must still be read to its end, and its strips written: the bytes are copied while
    /// they are decoded, which also checks the photo for damage.
    ///
    /// - Parameter metadata: replaces the photo's own; pictures or a video behind the photo are then left
    ///   out. Nil copies the whole file.
    /// - Precondition: `reader` reads a JPEG, and its `makeSource` was not called yet. It must then be called
    ///   with the reader's own layout.
    public convenience init(
        fileDescriptor: Int32, copying reader: PhotoReader, metadata: PhotoMetadata? = nil,
        observer: (any ByteObserver)? = nil
    ) throws(CodecError) {
        try self.init(
            fileDescriptor: fileDescriptor, copying: reader, readReducedBy: 1, metadata: metadata,
            observer: observer)
    }

    /// - Parameter denominator: of the source that is read: see `PhotoReader.makeReducedSource`.
    package init(
        fileDescriptor: Int32, copying reader: PhotoReader, readReducedBy denominator: Int,
        metadata: PhotoMetadata?, observer: (any ByteObserver)?
    ) throws(CodecError) {
        layout = reader.layout
        geometry = reader.geometry.divided(by: denominator)
        let replacement = metadata.map {
            JPEGSegments.Replacement(metadata: $0, hasJFIF: reader.metadata.density != nil)
        }
        let output = ByteOutput(fileDescriptor: fileDescriptor, observer: observer)
        let copier = try JPEGCopier(output, replacing: replacement)
        try reader.copy(to: copier)
        encoder = copier
    }

    /// Whether files of a format may have a layout.
    package static func canWrite(_ layout: PixelLayout, as format: PhotoFormat) -> Bool {
        switch (format, layout) {
        // A scan of all components has at most 10 blocks in an MCU (ITU-T T.81, B.2.3), so at most 8 of luma.
        case (.jpeg, .yCbCr(let subsampling)): subsampling.horizontal * subsampling.vertical <= 8
        case (.jpeg, .interleaved(.grey, .eight)), (.png, .interleaved): true
        case (.jpeg, .interleaved), (.png, .yCbCr): false
        }
    }

    /// The layout for writing a format. A JPEG has planes or 8-bit grey, with the source's chroma subsampling
    /// if the encoder supports it, else 4:2:0. A PNG has the source's depth and alpha.
    ///
    /// - Parameters:
    ///   - source: layout of the photo that was read.
    ///   - grey: whether the result is grey.
    ///   - jpegCoding: the source's coding, if it is a JPEG.
    public static func layout(
        for format: PhotoFormat, source: PixelLayout, grey: Bool, jpegCoding: JPEGCoding?
    ) -> PixelLayout {
        switch format {
        case .jpeg where grey: .interleaved(.grey, .eight)
        case .jpeg: .yCbCr(jpegCoding?.subsampling ?? .s420)
        case .png: .interleaved(.init(colour: !grey, alpha: source.hasAlpha), source.depth)
        }
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
    }
}

/// A format's encoder. Its `init` writes the header.
protocol PhotoEncoder: AnyObject {
    func write(_ strip: Strip) throws(CodecError)
    func finish() throws(CodecError)
}
