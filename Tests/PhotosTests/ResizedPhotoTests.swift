import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypePhotos

/// A resize may decode a JPEG to a smaller size first.
struct ResizedPhotoTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A JPEG of waves and some noise, and the same pixels as a PNG.
    private func photos() throws -> (jpeg: [UInt8], png: [UInt8]) {
        let geometry = PhotoGeometry(width: 203, height: 149)
        var random = SeededGenerator(seed: 5)
        // Y, then Cb and Cr, of half the width and height.
        let bytes = [(203, 149, 80.0), (102, 75, 40.0), (102, 75, 40.0)].flatMap { width, height, contrast in
            (0..<width * height).map { sample in
                let (x, y) = (Double(sample % width), Double(sample / width))
                let noise = Double.random(in: -12...12, using: &random)
                return UInt8(128 + contrast * sin(x / 9) * cos(y / 13) + noise)
            }
        }
        let jpeg = try EncodedImage(Pixels(bytes, geometry, layout: .yCbCr(.s420)), as: .jpeg)
        let layout = PixelLayout.interleaved(.rgb, .eight)
        return (try jpeg.bytes(), try EncodedImage(try jpeg.pixels(layout: layout), as: .png).bytes())
    }

    private func resized(_ photo: [UInt8], _ chain: FilterChain, _ name: String) throws -> Pixels {
        let path = try folder.write(photo, to: name)
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(path)])
        let job = PhotoJob(
            photo: try #require(collector.photos.first), output: .file(path: folder.path("out-\(name).png")))
        let pipeline = PhotoPipeline(Recipe(chain, format: .png))
        _ = try pipeline.process(job, on: SIMDDevice(), isCancelled: { false })
        return try EncodedImage(bytes: try folder.read("out-\(name).png")).pixels()
    }

    private func decodedWidth(_ photo: [UInt8], _ chain: FilterChain) throws -> Int {
        let reader = try PhotoReader(bytes: photo, limits: DecodeLimits())
        let file = try #require(FileHandle(forWritingAtPath: try folder.write([], to: "plan")))
        return try RenderPath(reader, Recipe(chain), to: file.fileDescriptor).plan.geometry.width
    }

    /// On photos the PSNR is above 48 dB; these waves are nearly as short as the smallest results can show.
    @Test(arguments: [(0.3, 203), (0.13, 203), (0.12, 102), (0.07, 102), (0.06, 51), (0.03, 26), (0.01, 26)])
    func aReducedJPEGCannotBeSeenInTheResult(scale: Double, decodedWidth: Int) throws {
        let (jpeg, png) = try photos()
        let chain = try FilterChain(parsing: ["resize:scale=\(scale)"])
        #expect(try self.decodedWidth(jpeg, chain) == decodedWidth)
        #expect(try self.decodedWidth(png, chain) == 203)
        let reduced = try resized(jpeg, chain, "jpeg"), exact = try resized(png, chain, "png")
        #expect(reduced.geometry == exact.geometry)
        let squares = zip(reduced.bytes, exact.bytes).map { pow(Double($0) - Double($1), 2) }
        let psnr = 10 * log10(255 * 255 * Double(squares.count) / max(squares.reduce(0, +), 1e-9))
        #expect(psnr > 40, "\(psnr)")
    }

    @Test func onlyAResizeThatComesFirstReadsLess() throws {
        let jpeg = try photos().jpeg
        for (text, width) in [
            ("sepia+resize:scale=0.1", 203), ("resize:scale=0.1+sepia", 102), ("crop:width=20", 203),
        ] {
            #expect(try decodedWidth(jpeg, try FilterChain(parsing: [text])) == width, "\(text)")
        }
    }
}
