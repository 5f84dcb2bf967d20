import TintypeImaging

import TestSupport

@testable import TintypeCodecs

/// Builds and parses JPEGs byte by byte.
enum RawJPEG {
    static func segment(_ marker: UInt8, _ bytes: [UInt8]) -> [UInt8] {
        [0xFF, marker, UInt8((bytes.count + 2) >> 8), UInt8((bytes.count + 2) & 0xFF)] + bytes
    }

    /// Planes of samples that are 0, 255, or anything between.
    static func noise(_ layout: PixelLayout, side: Int = 67, quality: Int = 100) throws -> [UInt8] {
        var random = SeededGenerator(seed: 3)
        let strip = try Strip(layout: layout, width: side, rowCapacity: side)
        strip.rowCount = side
        for plane in strip.planes {
            for row in 0..<plane.rowCapacity * side / strip.rowCapacity {
                let samples = UnsafeMutableRawBufferPointer(start: plane.row(row), count: plane.width)
                for column in samples.indices {
                    let value = Int.random(in: -200...455, using: &random)
                    samples[column] = UInt8(min(max(value, 0), 255))
                }
            }
        }
        return try written { descriptor in
            let writer = try PhotoWriter(
                fileDescriptor: descriptor,
                settings: PhotoWriterSettings(
                    format: .jpeg, geometry: PhotoGeometry(width: side, height: side), layout: layout,
                    jpegQuality: .value(quality)))
            try writer.write(strip)
            try writer.finish()
        }
    }

    /// With every oddity that the format allows: fill bytes before markers, a JFXX thumbnail, a segment of
    /// Photoshop's with 0xFF in it, comments between and behind the scans, and DNL.
    static func withFillBytesAndLateSegments(_ bytes: [UInt8]) -> [UInt8] {
        let comment = segment(0xFE, Array("a late comment".utf8))
        var result: [UInt8] = []
        var isFirstScan = true
        for part in JPEGPart.parts(of: bytes) {
            switch part.code {
            case 0xD8:
                result += part.bytes + segment(0xE0, Array("JFXX\0\u{10}".utf8))
                result += segment(0xED, Array("Photoshop 3.0\0".utf8) + [0xFF, 0xD9, 0xFF, 0xDA, 0xFF])
            case 0xDA:
                result += comment + [0xFF, 0xFF] + part.bytes
                // The number of lines, which the frame has said already.
                if isFirstScan { result += segment(0xDC, [0, 27]) }
                isFirstScan = false
            case 0xD9:
                result += [0xFF] + comment + [0xFF, 0xFF, 0xFF] + part.bytes
            default:
                result += [0xFF] + part.bytes
            }
        }
        return result
    }

    /// A progressive JPEG with further scans behind its own, whose blocks end before their first coefficient.
    static func withEmptyScans(
        _ count: Int, of component: UInt8, blockCount: Int, _ bytes: [UInt8]
    ) -> [UInt8] {
        // One code, a single 0: the end of the block (ITU-T T.81, B.2.4.2).
        let table = segment(0xC4, [0x10, 1] + [UInt8](repeating: 0, count: 15) + [0])
        var data = [UInt8](repeating: 0, count: blockCount.dividedRoundingUp(by: 8))
        if blockCount % 8 > 0 { data[data.count - 1] = 0xFF >> (blockCount % 8) }
        let scan = segment(0xDA, [1, component, 0, 1, 63, 0]) + data
        return bytes.dropLast(2) + table + Array([[UInt8]](repeating: scan, count: count).joined())
            + bytes.suffix(2)
    }

    /// The markers that have a segment, in order.
    static func codes(_ bytes: [UInt8]) -> [UInt8] {
        JPEGPart.parts(of: bytes).map(\.code).filter { $0 != 0xD8 && $0 != 0xD9 }
    }
}
