import Foundation
import TestSupport
import Testing
import TintypeImaging

@testable import TintypeCodecs
@testable import TintypeMetadata

/// Files that Fixtures/make.py made.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: URL(fileURLWithPath: path(of: name))))
    }

    static func path(of name: String) throws -> String {
        try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil)).path
    }

    static func names(withExtension ending: String) throws -> [String] {
        let folder = try #require(Bundle.module.url(forResource: "Fixtures", withExtension: nil))
        return try FileManager.default.contentsOfDirectory(atPath: folder.path)
            .filter { $0.hasSuffix(".\(ending)") }.map { String($0.dropLast(ending.count + 1)) }.sorted()
    }
}

/// Interleaved samples of a whole photo, row by row without padding.
struct Pixels: Equatable {
    var width: Int
    var height: Int
    var channels: Int
    var maximum: Int
    var samples: [UInt16]

    init(width: Int, height: Int, channels: Int, maximum: Int, samples: [UInt16]) {
        self.width = width
        self.height = height
        self.channels = channels
        self.maximum = maximum
        self.samples = samples
    }

    /// Netpbm's PAM, as make.py writes it.
    init(pam bytes: [UInt8]) throws {
        let marker = Array("ENDHDR\n".utf8)
        let end = try #require(bytes.indices.first { bytes[$0...].starts(with: marker) })
        let lines = String(decoding: bytes[..<end], as: UTF8.self).split(separator: "\n")
        func field(_ name: String) throws -> Int {
            let line = try #require(lines.first { $0.hasPrefix(name + " ") })
            return try #require(Int(line.dropFirst(name.count + 1)))
        }
        width = try field("WIDTH")
        height = try field("HEIGHT")
        channels = try field("DEPTH")
        maximum = try field("MAXVAL")
        let body = bytes[(end + marker.count)...]
        samples =
            maximum < 256
            ? body.map(UInt16.init)
            : stride(from: body.startIndex, to: body.endIndex, by: 2).map {
                UInt16(body[$0]) << 8 | UInt16(body[$0 + 1])
            }
    }

    /// Smooth colours with some noise; with alpha, also fully transparent pixels that have colours.
    static func smooth(_ width: Int, _ height: Int, alpha: Bool, seed: UInt64 = 1) -> Pixels {
        var random = SeededGenerator(seed: seed)
        var samples: [UInt16] = []
        for y in 0..<height {
            for x in 0..<width {
                let noise = UInt16.random(in: 0..<16, using: &random)
                samples += [
                    UInt16(x * 239 / width) + noise, UInt16(y * 239 / height) + noise, UInt16((x ^ y) & 255),
                ]
                if alpha { samples.append(UInt16(x < width / 3 ? 0 : (x + y) & 255)) }
            }
        }
        return Pixels(
            width: width, height: height, channels: alpha ? 4 : 3, maximum: 255, samples: samples)
    }

    /// As those with alpha, in another layout: the first of their samples.
    static func smooth(_ width: Int, _ height: Int, _ layout: PixelLayout, seed: UInt64 = 1) -> Pixels {
        let pixels = smooth(width, height, alpha: true, seed: seed)
        let channels = layout.hasColour ? [0, 1, 2] : [1], alpha = layout.hasAlpha ? [3] : []
        let isDeep = layout.depth == .sixteen
        let kept = channels + alpha, scale: UInt16 = isDeep ? 257 : 1
        let samples = (0..<width * height).flatMap { (pixel: Int) -> [UInt16] in
            kept.map { pixels.samples[4 * pixel + $0] * scale }
        }
        return Pixels(
            width: width, height: height, channels: channels.count + alpha.count,
            maximum: isDeep ? 65535 : 255, samples: samples)
    }

    /// All rows of an interleaved source, read in strips of `rowCapacity` rows.
    init(_ source: any StripSource, rowCapacity: Int = 8) throws {
        guard case .interleaved(let channels, let depth) = source.layout else { throw NotInterleaved() }
        self.channels = channels.rawValue
        width = source.geometry.width
        height = source.geometry.height
        maximum = depth == .eight ? 255 : 65535
        let rowLength = width * self.channels
        samples = [UInt16](repeating: 0, count: rowLength * height)
        let strip = try Strip(layout: source.layout, width: width, rowCapacity: rowCapacity)
        for first in stride(from: 0, to: height, by: strip.rowCapacity) {
            try source.read(into: strip)
            #expect(strip.firstRow == first && strip.rowCount == min(strip.rowCapacity, height - first))
            for row in 0..<strip.rowCount {
                let start = UnsafeRawPointer(strip.planes[0].row(row))
                samples.withUnsafeMutableBufferPointer { samples in
                    // Without optimisation, `map` takes several times as long.
                    var index = 0
                    while index < rowLength {
                        samples[(first + row) * rowLength + index] =
                            depth == .eight
                            ? UInt16(start.load(fromByteOffset: index, as: UInt8.self))
                            : start.load(fromByteOffset: 2 * index, as: UInt16.self)
                        index += 1
                    }
                }
            }
        }
        try source.read(into: strip)
        #expect(strip.rowCount == 0, "there are no rows behind the last one")
    }

    struct NotInterleaved: Error {}

    /// Feeds these pixels, in strips of `rowCapacity` rows, to `body`.
    func strips(_ layout: PixelLayout, rowCapacity: Int = 16, _ body: (Strip) throws -> Void) throws {
        let strip = try Strip(layout: layout, width: width, rowCapacity: rowCapacity)
        for first in stride(from: 0, to: height, by: strip.rowCapacity) {
            strip.firstRow = first
            strip.rowCount = min(strip.rowCapacity, height - first)
            for row in 0..<strip.rowCount {
                for index in 0..<width * channels {
                    let sample = samples[(first + row) * width * channels + index]
                    let start = strip.planes[0].row(row)
                    if maximum < 256 {
                        start.storeBytes(of: UInt8(sample), toByteOffset: index, as: UInt8.self)
                    } else {
                        start.storeBytes(of: sample, toByteOffset: 2 * index, as: UInt16.self)
                    }
                }
            }
            try body(strip)
        }
    }
}

/// What `body` writes to the descriptor it gets.
func written(_ body: (Int32) throws -> Void) throws -> [UInt8] {
    let file = try #require(tmpfile())
    defer { fclose(file) }
    let descriptor = fileno(file)
    try body(descriptor)
    let count = Int(lseek(descriptor, 0, SEEK_END))
    var bytes = [UInt8](repeating: 0, count: count)
    #expect(pread(descriptor, &bytes, count, 0) == count)
    return bytes
}

/// The photo decoded in its own layout and encoded again, with nothing in between.
func passedThrough(
    _ bytes: [UInt8], rowCapacity: Int = 8, metadata: PhotoMetadata? = nil, quality: JPEGQuality? = nil
) throws -> [UInt8] {
    let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
    let source = try reader.makeSource(layout: reader.layout)
    let strip = try Strip(layout: reader.layout, width: reader.geometry.width, rowCapacity: rowCapacity)
    return try written { descriptor in
        let writer = try PhotoWriter(
            fileDescriptor: descriptor,
            settings: PhotoWriterSettings(
                format: reader.format, geometry: reader.geometry, layout: reader.layout,
                metadata: metadata ?? reader.metadata,
                jpegQuality: quality ?? reader.jpegCoding.map { .keep($0) } ?? .value(90)))
        repeat {
            try source.read(into: strip)
            try writer.write(strip)
        } while strip.rowCount > 0
        try writer.finish()
    }
}

/// Decodes all rows, and forgets them.
func decode(_ bytes: [UInt8], limits: DecodeLimits = DecodeLimits()) throws {
    let reader = try PhotoReader(bytes: bytes, limits: limits)
    let source = try reader.makeSource(layout: reader.layout)
    let strip = try Strip(layout: reader.layout, width: reader.geometry.width, rowCapacity: 64)
    repeat { try source.read(into: strip) } while strip.rowCount > 0
}
