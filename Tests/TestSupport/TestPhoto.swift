import Foundation
import Testing
import TintypeImaging
import TintypeCodecs

/// Small RGB photos of noise.
package enum TestPhoto {
    /// A file that Tests/CodecsTests/Fixtures/make.py made.
    package static func fixture(_ name: String) throws -> [UInt8] {
        let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        return Array(try Data(contentsOf: tests.appendingPathComponent("CodecsTests/Fixtures/\(name)")))
    }

    /// The samples of `png`, without padding.
    package static func samples(width: Int, height: Int, seed: UInt64) -> [UInt8] {
        var random = SeededGenerator(seed: seed)
        return random.bytes(count: width * height * 3)
    }

    /// A PNG as a file's bytes.
    package static func png(width: Int, height: Int, seed: UInt64) throws -> [UInt8] {
        try encode(
            .png, .interleaved(.rgb, .eight), width: width, height: height, seed: seed)
    }

    /// A PNG of noise, alpha too.
    package static func transparentPNG(width: Int, height: Int, seed: UInt64) throws -> [UInt8] {
        try encode(.png, .interleaved(.rgba, .eight), width: width, height: height, seed: seed)
    }

    /// A JPEG of noise in its planes, 4:2:0, as a file's bytes.
    package static func jpeg(width: Int, height: Int, seed: UInt64) throws -> [UInt8] {
        try encode(.jpeg, .yCbCr(.s420), width: width, height: height, seed: seed)
    }

    /// Of another sampling, or grey.
    package static func jpeg(
        _ layout: PixelLayout, width: Int, height: Int, seed: UInt64
    ) throws -> [UInt8] {
        try encode(.jpeg, layout, width: width, height: height, seed: seed)
    }

    /// The same JPEG with EXIF.
    package static func jpeg(_ exif: EXIF, width: Int, height: Int, seed: UInt64) throws -> [UInt8] {
        let metadata = PhotoMetadata(items: [.exif(exif.bytes)])
        return try encode(.jpeg, .yCbCr(.s420), metadata, width: width, height: height, seed: seed)
    }

    /// The same JPEG with a colour profile.
    package static func jpeg(profile: ICCProfile, width: Int, height: Int, seed: UInt64) throws -> [UInt8] {
        let metadata = PhotoMetadata(items: [.icc(profile)])
        return try encode(.jpeg, .yCbCr(.s420), metadata, width: width, height: height, seed: seed)
    }

    private static func encode(
        _ format: PhotoFormat, _ layout: PixelLayout, _ metadata: PhotoMetadata = PhotoMetadata(), width: Int,
        height: Int,
        seed: UInt64
    ) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        let file = try #require(FileHandle(forWritingAtPath: try folder.write([], to: "photo")))
        let writer = try PhotoWriter(
            fileDescriptor: file.fileDescriptor,
            settings: PhotoWriterSettings(
                format: format, geometry: PhotoGeometry(width: width, height: height), layout: layout,
                metadata: metadata, jpegQuality: .value(90)))
        let strip = try Strip(layout: layout, width: width, rowCapacity: height)
        strip.rowCount = height
        for (index, plane) in strip.planes.enumerated() {
            let rowByteCount = plane.width * plane.bytesPerSample
            let rows = height.dividedRoundingUp(by: plane.subsampling.vertical)
            var random = SeededGenerator(seed: seed &+ UInt64(index))
            for row in 0..<rows {
                random.fill(UnsafeMutableRawBufferPointer(start: plane.row(row), count: rowByteCount))
            }
        }
        try writer.write(strip)
        try writer.finish()
        return try folder.read("photo")
    }

    /// The samples of a photo's file, without padding.
    package static func samples(of bytes: [UInt8]) throws -> [UInt8] {
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let source = try reader.makeSource(layout: reader.layout)
        let (width, height) = (reader.geometry.width, reader.geometry.height)
        let strip = try Strip(layout: reader.layout, width: width, rowCapacity: height)
        try source.read(into: strip)
        let plane = strip.planes[0]
        return (0..<height).flatMap { row in
            [UInt8](UnsafeRawBufferPointer(start: plane.row(row), count: width * 3))
        }
    }
}
