import CBenchmark
import Codecs
import Compute
import Filters
import Imaging

/// What libjpeg alone needs to decode a photo and encode it again: no tool that filters photos is faster.
package enum CodecFloor: String, Codable, CaseIterable, Sendable {
    /// Through RGB rows, as most programs do.
    case rgb
    /// Through the JPEG's own planes: no upsampling, no conversion of colours.
    case planes

    /// Passes a photo through once, from memory to memory.
    ///
    /// - Parameter file: has the `capacity` for the photo.
    /// - Throws: `CodecError`, or `BenchmarkError.floorFailed`.
    func run(_ photo: BenchmarkPhoto, into file: MemoryFile) throws {
        switch self {
        case .rgb:
            let written = photo.jpeg.withUnsafeBufferPointer { jpeg in
                let output = file.memory.bindMemory(to: UInt8.self)
                return CBenchmarkPassThroughRGB(
                    jpeg.baseAddress, jpeg.count, output.baseAddress, output.count)
            }
            guard written > 0 else { throw BenchmarkError.floorFailed(photo: photo.name) }
        case .planes:
            try Self.passPlanes(photo, into: file)
        }
    }

    /// Bytes to have ready for what `run` writes: a photo keeps its quality, and so about its size.
    static func capacity(for photo: BenchmarkPhoto) -> Int { photo.jpeg.count * 3 / 2 + 65_536 }

    private static func passPlanes(_ photo: BenchmarkPhoto, into file: MemoryFile) throws {
        file.rewind()
        let reader = try PhotoReader(bytes: photo.jpeg, limits: PhotoPass.limits)
        let source = try reader.makeSource(layout: reader.layout)
        let writer = try PhotoWriter(
            fileDescriptor: file.descriptor,
            settings: PhotoWriterSettings(
                format: .jpeg, geometry: reader.geometry, layout: reader.layout, metadata: reader.metadata,
                jpegQuality: reader.jpegCoding.map(JPEGQuality.keep) ?? .value(90)))
        // One row of blocks at a time stays in the cache.
        let width = reader.geometry.width
        let strip = try Strip(
            layout: reader.layout, width: width, rowCapacity: reader.layout.rowGranularity(width: width))
        while strip.endRow < reader.geometry.height {
            try source.read(into: strip)
            try writer.write(strip)
        }
        try writer.finish()
    }
}
