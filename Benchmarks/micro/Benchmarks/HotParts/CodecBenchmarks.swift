import Benchmark
import Foundation
import TintypeCodecs
import TintypeImaging

/// Encoding strips to a file and decoding them from memory.
enum CodecBenchmarks {
    private static let cases: [(name: String, format: PhotoFormat, layout: PixelLayout)] = [
        ("JPEG 4:2:0", .jpeg, .yCbCr(.s420)), ("JPEG 4:4:4", .jpeg, .yCbCr(.s444)),
        ("JPEG grey", .jpeg, .interleaved(.grey, .eight)), ("PNG RGB", .png, .interleaved(.rgb, .eight)),
    ]

    static func register() {
        for (name, format, layout) in cases {
            Benchmark("encode 1024 x 768, \(name)") { benchmark in
                let strip = try filledStrip(layout)
                let file = try TemporaryFile()
                benchmark.startMeasurement()
                try encode(strip, format, to: file)
                benchmark.stopMeasurement()
            }
            Benchmark("decode 1024 x 768, \(name)") { benchmark in
                let file = try TemporaryFile()
                try encode(filledStrip(layout), format, to: file)
                let bytes = try file.bytes()
                let strip = try Strip(layout: layout, width: RenderBenchmarks.geometry.width, rowCapacity: 64)
                benchmark.startMeasurement()
                let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
                let source = try reader.makeSource(layout: layout)
                repeat { try source.read(into: strip) } while strip.rowCount > 0
                benchmark.stopMeasurement()
            }
        }
    }

    private static func filledStrip(_ layout: PixelLayout) throws -> Strip {
        let geometry = RenderBenchmarks.geometry
        let strip = try Strip(layout: layout, width: geometry.width, rowCapacity: geometry.height)
        NoiseSource.fill(strip)
        strip.rowCount = geometry.height
        return strip
    }

    private static func encode(_ strip: Strip, _ format: PhotoFormat, to file: TemporaryFile) throws {
        let settings = PhotoWriterSettings(
            format: format, geometry: RenderBenchmarks.geometry, layout: strip.layout)
        let writer = try PhotoWriter(fileDescriptor: file.handle.fileDescriptor, settings: settings)
        try writer.write(strip)
        try writer.finish()
    }
}

/// A file without a name once it is open.
private final class TemporaryFile {
    let handle: FileHandle

    init() throws {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data().write(to: url)
        handle = try FileHandle(forUpdating: url)
        try FileManager.default.removeItem(at: url)
    }

    func bytes() throws -> [UInt8] {
        try handle.seek(toOffset: 0)
        return [UInt8](try handle.readToEnd() ?? Data())
    }

    deinit { try? handle.close() }
}
