import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCodecs

@testable import TintypePhotos

/// Thumbnails as files. `ThumbnailSourceTests` compares their pixels with libjpeg.
struct ThumbnailTests {
    private func reader(_ image: EncodedImage) throws -> PhotoReader {
        try PhotoReader(bytes: try image.bytes(), limits: DecodeLimits())
    }

    /// Long sides that are smaller, the same, just below and at the next factor, and large ones of both formats.
    @Test(arguments: [1, 319, 320, 321, 639, 640, 1279, 1280, 2559, 2560, 5119, 5121], [true, false])
    func theLongSideIsBetweenTheMinimumAndTwiceIt(side: Int, isJPEG: Bool) throws {
        let photo = try (isJPEG ? TestPhoto.jpeg : TestPhoto.png)(side, max(1, side / 50), 1)
        let thumbnail = try EncodedImage(bytes: photo).thumbnail()
        let size = try reader(thumbnail).geometry
        #expect(thumbnail.format == .jpeg)
        #expect(side < 320 ? size.width == side : 320..<640 ~= size.width, "\(size)")
        #expect(size.height < size.width / 40 || size.height == max(1, side / 50), "\(size)")
    }

    @Test func itLooksLikeThePhoto() throws {
        // A ramp: red grows to the right, green downwards.
        let (width, height) = (900, 600)
        var samples: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { samples += [UInt8(x * 255 / width), UInt8(y * 255 / height), 90] }
        }
        let pixels = Pixels(
            samples, PhotoGeometry(width: width, height: height), layout: .interleaved(.rgb, .eight))
        for format in [PhotoFormat.png, .jpeg] {
            let photo: EncodedImage =
                format == .png
                ? try EncodedImage(pixels, as: .png)
                : try PhotoPipeline(Recipe(FilterChain([]), format: .jpeg))
                    .process(EncodedImage(pixels, as: .png), on: SIMDDevice()).image
            let thumbnail = try photo.thumbnail().pixels(layout: .interleaved(.rgb, .eight))
            let size = thumbnail.geometry
            var worst = 0
            for y in 0..<size.height {
                for x in 0..<size.width {
                    let at = (y * size.width + x) * 3
                    let right = (2 * x + 1) * 255 / (2 * size.width)
                    let down = (2 * y + 1) * 255 / (2 * size.height)
                    let wanted = [right, down, 90]
                    for channel in 0..<3 {
                        worst = max(worst, abs(Int(thumbnail.bytes[at + channel]) - wanted[channel]))
                    }
                }
            }
            #expect(worst <= 8, "\(format)")
        }
    }

    /// EXIF with the orientation 6 (turned clockwise for display) and a comment.
    @Test func onlyTheProfileAndTheOrientationStay() throws {
        var bytes = try TestPhoto.jpeg(width: 800, height: 600, seed: 1)
        let exif =
            Array("Exif\0\0MM\0*".utf8) + [0, 0, 0, 8, 0, 1] + [1, 0x12, 0, 3, 0, 0, 0, 1, 0, 6, 0, 0]
            + [0, 0, 0, 0]
        let comment = Array("at home".utf8)
        for (marker, content) in [(UInt8(0xFE), comment), (0xE1, exif)] {
            let length = content.count + 2
            bytes.insert(
                contentsOf: [0xFF, marker, UInt8(length >> 8), UInt8(length & 0xFF)] + content, at: 2)
        }
        let result = try reader(try EncodedImage(bytes: bytes).thumbnail())
        #expect(result.geometry == PhotoGeometry(width: 400, height: 300, orientation: .right))
        #expect(result.metadata.items == [.exif(EXIF(orientation: .right).bytes)])
    }

    @Test func transparencyStaysAndOpaqueAlphaGoes() throws {
        let geometry = PhotoGeometry(width: 700, height: 40)
        for depth in [PixelLayout.SampleDepth.eight, .sixteen] {
            for channels in [PixelLayout.Channels.rgba, .greyAlpha] {
                var bytes = [UInt8](
                    repeating: 255, count: 700 * 40 * channels.rawValue * depth.byteCount)
                let layout = PixelLayout.interleaved(channels, depth)
                let opaque = try EncodedImage(Pixels(bytes, geometry, layout: layout), as: .png).thumbnail()
                #expect(opaque.format == .jpeg)
                // The last pixel becomes half transparent: its alpha is the last sample.
                bytes[bytes.count - depth.byteCount] = 128
                bytes[bytes.count - 1] = 128
                let seen = try EncodedImage(Pixels(bytes, geometry, layout: layout), as: .png).thumbnail()
                let pixels = try seen.pixels()
                #expect(seen.format == .png && pixels.layout == .interleaved(channels, .eight))
                #expect(pixels.geometry == PhotoGeometry(width: 350, height: 20))
                // (3 x 255 + 128) / 4 = 223.25
                #expect(pixels.bytes.last == 223 && pixels.bytes.count { $0 != 255 } == 1)
            }
        }
    }

    @Test func greyStaysGrey() throws {
        let pixels = Pixels(
            [UInt8](repeating: 77, count: 400 * 300), PhotoGeometry(width: 400, height: 300),
            layout: .interleaved(.grey, .eight))
        for format in [PhotoFormat.jpeg, .png] {
            let thumbnail = try EncodedImage(pixels, as: format).thumbnail().pixels()
            #expect(thumbnail.layout == .interleaved(.grey, .eight))
            #expect(thumbnail.bytes.allSatisfy { $0 == 77 })
        }
    }

    @Test func failuresAreThoseOfThePhoto() throws {
        let photo = try TestPhoto.jpeg(width: 900, height: 700, seed: 2)
        #expect(throws: PhotoError.codec(.truncated)) {
            try EncodedImage(bytes: Array(photo.dropLast(500))).thumbnail()
        }
        #expect(throws: PhotoError.codec(.empty)) { try EncodedImage(bytes: []).thumbnail() }
        var limits = DecodeLimits()
        limits.memoryByteCount = 100_000
        let error = #expect(throws: PhotoError.self) {
            try EncodedImage(bytes: photo).thumbnail(limits: limits)
        }
        guard case .codec(.needsTooMuchMemory) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let budget = MemoryBudget(byteCount: 64 << 20)
        #expect(try EncodedImage(bytes: photo).thumbnail(memory: budget).format == .jpeg)
    }
}
