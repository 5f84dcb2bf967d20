import Codecs
import Foundation
import Imaging
import TestSupport

@testable import Tintype

/// Small RGB photos of noise.
enum TestPhoto {
    /// The samples of `png`, without padding.
    static func samples(width: Int, height: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return (0..<width * height * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
    }

    /// A PNG as a file's bytes.
    static func png(width: Int, height: Int, seed: UInt64) throws -> [UInt8] {
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let samples = samples(width: width, height: height, seed: seed)
        let file = try Descriptor.anonymous()
        let writer = try PhotoWriter(
            fileDescriptor: file.number,
            settings: PhotoWriterSettings(
                format: .png, geometry: PhotoGeometry(width: width, height: height), layout: layout,
                metadata: PhotoMetadata(), jpegQuality: .value(90)))
        let strip = Strip(layout: layout, width: width, rowCapacity: height)
        strip.rowCount = height
        for row in 0..<height {
            samples[row * width * 3..<(row + 1) * width * 3].withUnsafeBytes {
                strip.planes[0].row(row).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
        }
        try writer.write(strip)
        try writer.finish()
        return try file.firstBytes(Int(try file.status().st_size))
    }

    /// The samples of a photo's file, without padding.
    static func samples(of bytes: [UInt8]) throws -> [UInt8] {
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let source = try reader.makeSource(layout: reader.layout)
        let (width, height) = (reader.geometry.width, reader.geometry.height)
        let strip = Strip(layout: reader.layout, width: width, rowCapacity: height)
        try source.read(into: strip)
        let plane = strip.planes[0]
        return (0..<height).flatMap { row in
            [UInt8](UnsafeRawBufferPointer(start: plane.row(row), count: width * 3))
        }
    }
}
