import CTintypeBenchmark
import Tintype

/// The time that a codec alone needs to decode and encode a photo: libjpeg's is the lower bound of tools that use it, and
/// Tintype's own that of its filters.
package enum CodecFloor: String, Codable, CaseIterable, Sendable {
    /// Decodes to RGB rows and encodes from them, as most programs do.
    case rgb
    /// Passes the JPEG's own planes, without upsampling or colour conversion.
    case planes
    /// The planes by JPEGCore, as without a filter.
    case core

    /// Decodes and encodes a photo once, from memory to memory.
    ///
    /// - Throws: `BenchmarkError.floorFailed`.
    func run(_ photo: BenchmarkPhoto, into file: MemoryFile) throws(BenchmarkError) {
        file.rewind()
        if self == .core {
            do {
                try Self.runCore(photo.jpeg, into: file)
            } catch {
                throw .floorFailed(photo: photo.name)
            }
            return
        }
        let isPassed = photo.jpeg.withUnsafeBufferPointer { jpeg in
            cbenchmark_pass_jpeg(jpeg.baseAddress, jpeg.count, file.descriptor, self == .planes)
        }
        guard isPassed else { throw .floorFailed(photo: photo.name) }
    }

    private static func runCore(_ jpeg: [UInt8], into file: MemoryFile) throws {
        let reader = try PhotoReader(bytes: jpeg, limits: PhotoPass.limits)
        let layout = PhotoWriter.layout(
            for: .jpeg, source: reader.layout, grey: !reader.layout.hasColour, jpegCoding: reader.jpegCoding)
        guard layout == reader.layout else { throw BenchmarkError.floorFailed(photo: "") }
        let source = try reader.makeSource(layout: layout)
        let settings = PhotoWriterSettings(
            format: .jpeg, geometry: reader.geometry, layout: layout,
            jpegQuality: reader.jpegCoding.map(JPEGQuality.keep) ?? .value(Recipe.defaultQuality))
        let writer = try PhotoWriter(fileDescriptor: file.descriptor, settings: settings)
        let strip = try Strip(layout: layout, width: reader.geometry.width, rowCapacity: 64)
        repeat {
            try source.read(into: strip)
            try writer.write(strip)
        } while strip.rowCount > 0
        try writer.finish()
    }

    /// The capacity of a file that `run` writes to. A photo keeps its quality, and so about its size.
    static func capacity(for photo: BenchmarkPhoto) -> Int { photo.jpeg.count * 3 / 2 + 65_536 }
}
