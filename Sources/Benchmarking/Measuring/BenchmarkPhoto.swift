import Foundation
import Tintype

/// A JPEG to measure with, as a file's bytes in memory.
package struct BenchmarkPhoto: Sendable {
    /// The file's name, or the size of a photo that was made for the benchmark.
    package private(set) var name: String
    package let jpeg: [UInt8]
    package let geometry: PhotoGeometry
    package let layout: PixelLayout
    package let isSynthesised: Bool

    package var megapixels: Double { Double(geometry.pixelCount) / 1e6 }

    /// Makes a photo that is always the same for a size.
    ///
    /// - Throws: `CodecError`, or `BenchmarkError.noMemoryFile`.
    package init(megapixels: Double) throws {
        let geometry = Self.geometry(megapixels: megapixels)
        let file = try MemoryFile(), photo = PhotoSynthesis.photo(geometry)
        let writer = try PhotoWriter(
            fileDescriptor: file.descriptor,
            settings: PhotoWriterSettings(
                format: .jpeg, geometry: geometry, layout: photo.layout, metadata: PhotoMetadata(),
                jpegQuality: .value(90)))
        try writer.write(photo.strip)
        try writer.finish()
        self.geometry = geometry
        layout = photo.layout
        jpeg = file.bytes()
        name = "\(Self.text(megapixels)) MP"
        isSynthesised = true
    }

    /// Reads a photo.
    ///
    /// - Throws: `PhotoError` where the file cannot be read, `CodecError`, or `BenchmarkError.notAYCbCrJPEG`.
    package init(path: String) throws {
        try self.init(name: URL(fileURLWithPath: path).lastPathComponent, jpeg: Self.bytes(path: path))
    }

    init(name: String, jpeg: [UInt8]) throws {
        let reader = try PhotoReader(bytes: jpeg, limits: PhotoPass.limits)
        guard reader.format == .jpeg, case .yCbCr = reader.layout else {
            throw BenchmarkError.notAYCbCrJPEG
        }
        (geometry, layout) = (reader.geometry, reader.layout)
        (self.name, self.jpeg) = (name, jpeg)
        isSynthesised = false
    }

    private static func bytes(path: String) throws(PhotoError) -> [UInt8] {
        do throws(Errno) {
            let file = try OpenFile(reading: path)
            return try file.firstBytes(try file.status().byteCount)
        } catch {
            throw .cannotRead(error)
        }
    }

    /// The same photo under another name.
    package func renamed(_ name: String) -> BenchmarkPhoto {
        var photo = self
        photo.name = name
        return photo
    }

    /// The usual ratio of cameras, 4:3, with even sides.
    static func geometry(megapixels: Double) -> PhotoGeometry {
        let height = (megapixels * 1e6 * 3 / 4).squareRoot()
        func even(_ length: Double) -> Int { max(2, Int((length / 2).rounded()) * 2) }
        return PhotoGeometry(width: even(height * 4 / 3), height: even(height))
    }

    private static func text(_ number: Double) -> String {
        number == number.rounded() ? String(Int(number)) : String(number)
    }
}
