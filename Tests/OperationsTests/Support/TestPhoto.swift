import Codecs
import Foundation
import Imaging
import TestSupport

@testable import Tintype

/// Small RGB photos of noise, as PNG files.
enum TestPhoto {
    static func png(width: Int, height: Int, seed: UInt64) throws -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let file = try SpoolFile.makeFile()
        let writer = try PhotoWriter(
            fileDescriptor: file.number,
            settings: PhotoWriterSettings(
                format: .png, geometry: PhotoGeometry(width: width, height: height), layout: layout,
                metadata: PhotoMetadata(), jpegQuality: .value(90)))
        let strip = Strip(layout: layout, width: width, rowCapacity: height)
        strip.rowCount = height
        for row in 0..<height {
            let samples = (0..<width * 3).map { _ in UInt8.random(in: 0...255, using: &random) }
            samples.withUnsafeBytes {
                strip.planes[0].row(row).copyMemory(from: $0.baseAddress!, byteCount: $0.count)
            }
        }
        try writer.write(strip)
        try writer.finish()
        return try SpoolFile(file).bytes()
    }
}
