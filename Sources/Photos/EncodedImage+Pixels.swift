import Codecs
import Files
import Imaging
import SystemPackage

extension EncodedImage {
    /// Decodes the whole photo into memory.
    ///
    /// - Parameter layout: nil is the photo's own: a JPEG's planes, or a PNG's channels and depth. A JPEG can
    ///   also be decoded to 8-bit RGB or grey.
    /// - Throws: `PhotoError`.
    public func pixels(
        layout: PixelLayout? = nil, limits: DecodeLimits = DecodeLimits()
    ) throws(PhotoError) -> Pixels {
        do {
            return try read(limits: limits) { reader, _ in
                let source = try reader.makeSource(layout: layout ?? reader.layout)
                let photo = try MemoryPhoto(allocating: source.geometry, layout: source.layout)
                try Self.copy(source, to: photo.makeSink())
                return photo.pixels
            }
        } catch {
            throw PhotoError(error, path: "")
        }
    }

    /// Encodes pixels, without metadata.
    ///
    /// - Parameter quality: JPEG quality, 1...100; ignored for PNG.
    /// - Throws: `PhotoError` if memory or disk space runs out.
    /// - Precondition: the format supports the layout: a JPEG has 8 bits and no alpha, a PNG no planes.
    public init(
        _ pixels: Pixels, as format: PhotoFormat, quality: Int = 90
    ) throws(PhotoError) {
        do {
            let file = try OpenFile.temporary(
                for: pixels.geometry.pixelCount * pixels.layout.bytesPerPixel)
            let writer = try PhotoWriter(
                fileDescriptor: file.number,
                settings: PhotoWriterSettings(
                    format: format, geometry: pixels.geometry, layout: pixels.layout,
                    jpegQuality: .value(quality)))
            try Self.copy(MemoryPhoto(pixels).makeSource(), to: writer)
            try writer.finish()
            try self.init(SpoolFile(file), format: format)
        } catch {
            throw PhotoError(error, path: "a temporary file")
        }
    }

    static func copy(_ source: any StripSource, to sink: any StripSink) throws {
        let strip = try Strip(layout: source.layout, width: source.geometry.width, rowCapacity: 64)
        while strip.endRow < source.geometry.height {
            try source.read(into: strip)
            try sink.write(strip)
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
}
