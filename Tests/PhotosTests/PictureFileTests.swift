import Foundation
import TestSupport
import Testing
import Tintype

/// Filters that read a picture's file. `LookUpTests` compares a Hald CLUT with ffmpeg.
struct PictureFileTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func write(_ samples: [UInt8], width: Int, height: Int, as name: String) throws -> String {
        let geometry = PhotoGeometry(width: width, height: height)
        let pixels = Pixels(samples, geometry, layout: .interleaved(.rgb, .eight))
        return try folder.write(try EncodedImage(pixels, as: .png).bytes(), to: name)
    }

    private func message(_ text: String) -> String? {
        do { _ = try FilterChain(parsing: [text]) } catch { return "\(error)" }
        return nil
    }

    @Test(arguments: 2...8)
    func anUnchangedHaldCLUTIsTheIdentity(level: Int) throws {
        let size = level * level, side = size * level
        let samples = (0..<side * side).flatMap { node in
            [node % size, node / size % size, node / size / size].map {
                UInt8(($0 * 255 + (size - 1) / 2) / (size - 1))
            }
        }
        let path = try write(samples, width: side, height: side, as: "hald.png")
        let colours = TestPhoto.samples(width: 40, height: 30, seed: 1)
        let photo = Pixels(colours, PhotoGeometry(width: 40, height: 30), layout: .interleaved(.rgb, .eight))
        let result = try photo.filtered(by: [LookUp(contentsOf: path)], on: SIMDDevice()).bytes
        #expect(zip(result, colours).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }

    @Test(arguments: [(9, 9), (8, 27), (1, 1), (729, 729)])
    func otherSizesAreRefused(width: Int, height: Int) throws {
        let path = try write(
            [UInt8](repeating: 9, count: 3 * width * height), width: width, height: height, as: "p.png")
        #expect(
            message("lut:file=\(path)")
                == "lut: '\(path)': it has \(width) x \(height) pixels, but a Hald CLUT is a square of "
                + "8, 27, 64, 125, 216, 343 or 512 pixels a side.")
    }

    @Test(arguments: ["lut", "watermark"])
    func aDamagedPictureIsExplained(filter: String) throws {
        let path = try write([UInt8](repeating: 9, count: 3 * 64), width: 8, height: 8, as: "p.png")
        let damaged = try folder.write(Array(try folder.read("p.png").prefix(45)), to: "damaged.png")
        #expect(message("\(filter):file=\(path)") == nil)
        let text = try #require(message("\(filter):file=\(damaged)"))
        #expect(
            text.hasPrefix("\(filter): '\(damaged)' cannot be read: ") && !text.hasSuffix(".."), "\(text)")
    }
}
