import Foundation
import SystemPackage
import TintypeCodecs
import TintypeFiles
import TintypeImaging

extension EncodedImage {
    /// Decodes the whole photo into memory.
    ///
    /// - Parameter layout: any layout; nil is the photo's own: a JPEG's planes, or a PNG's channels and depth. See
    ///   `Pixels.converted(to:)` for what a conversion does. A JPEG is decoded to 8-bit RGB or grey by libjpeg.
    /// - Throws: `PhotoError`.
    public func pixels(
        layout: PixelLayout? = nil, limits: DecodeLimits = DecodeLimits()
    ) throws(PhotoError) -> Pixels {
        do {
            return try read(limits: limits) { reader, input in
                let wanted = layout ?? reader.layout
                let source = try reader.makeSource(
                    layout: reader.canDecode(to: wanted) ? wanted : reader.layout)
                let sink = try PixelsSink(source.geometry, layout: wanted)
                try source.convert(to: sink)
                try input?.checkUnchanged()
                return sink.pixels
            }
        } catch {
            throw PhotoError(error, path: "")
        }
    }

    /// As `pixels(layout:limits:)`: `photo.pixels(.rgba8)`.
    ///
    /// - Throws: `PhotoError`.
    public func pixels(
        _ layout: PixelLayout, limits: DecodeLimits = DecodeLimits()
    ) throws(PhotoError) -> Pixels {
        try pixels(layout: layout, limits: limits)
    }

    /// The photo's size in pixels, as stored, and its orientation. Only the header is read, each time.
    ///
    /// - Throws: `PhotoError` if there is no photo.
    public var geometry: PhotoGeometry {
        get throws(PhotoError) { try header(\.geometry) }
    }

    /// The photo's EXIF, colour profile and other metadata. Only the header is read, each time.
    ///
    /// - Throws: `PhotoError` if there is no photo.
    public var metadata: PhotoMetadata {
        get throws(PhotoError) { try header(\.metadata) }
    }

    private func header<Value>(_ value: (PhotoReader) -> Value) throws(PhotoError) -> Value {
        do {
            return try read(limits: DecodeLimits()) { reader, _ in value(reader) }
        } catch {
            throw PhotoError(error, path: "")
        }
    }

    /// Encodes pixels of any layout, without metadata.
    ///
    /// A JPEG has 8 bits, no alpha, and colour in planes: others are converted, with 4:2:0 chroma. A PNG has no
    /// planes: they become RGB. See `Pixels.converted(to:)`.
    ///
    /// - Parameter quality: JPEG quality, 1...100; ignored for PNG.
    /// - Throws: `PhotoError` if memory or disk space runs out, if there are more pixels than the format allows, or if
    ///   there is no such quality.
    public init(
        _ pixels: Pixels, as format: PhotoFormat, quality: Int = 90
    ) throws(PhotoError) {
        do {
            let file = try OpenFile.temporary(
                for: pixels.geometry.pixelCount * pixels.layout.bytesPerPixel)
            let writer = try PhotoWriter(
                fileDescriptor: file.number,
                settings: PhotoWriterSettings(
                    format: format, geometry: pixels.geometry, layout: pixels.layout.writable(as: format),
                    jpegQuality: .value(quality)))
            try PixelsSource(pixels).convert(to: writer)
            try writer.finish()
            try self.init(SpoolFile(file), format: format)
        } catch {
            throw PhotoError(error, path: "a temporary file")
        }
    }

    /// Writes the image's bytes to a file. After a failure there is no partial file.
    ///
    /// - Throws: `PhotoError`; `.outputExists` if the file exists and `overwrites` is false.
    public func write(to path: String, overwrites: Bool = false) throws(PhotoError) {
        do {
            try withFile { image in
                let output = try OutputFile(at: path, temporaries: TemporaryFiles())
                try image.copy(to: output.file)
                try output.publish(overwrites: overwrites)
            }
        } catch Errno.fileExists where !overwrites {
            throw .outputExists(path: path)
        } catch let error as Errno {
            throw .cannotWrite(path: path, error)
        } catch {
            throw PhotoError(error, path: path)
        }
    }

    /// Writes the image's bytes to a file. After a failure there is no partial file.
    ///
    /// - Throws: `PhotoError`; `.outputExists` if the file exists and `overwrites` is false. The URL must be a file's.
    public func write(to url: URL, overwrites: Bool = false) throws(PhotoError) {
        try write(to: url.photoPath(), overwrites: overwrites)
    }
}

extension PixelLayout {
    /// This layout if files of `format` may have it, or else the one nearest to it.
    fileprivate func writable(as format: PhotoFormat) -> PixelLayout {
        PhotoWriter.canWrite(self, as: format)
            ? self : PhotoWriter.layout(for: format, source: self, grey: !hasColour, jpegCoding: nil)
    }
}
