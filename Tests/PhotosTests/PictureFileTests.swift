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

    @Test(arguments: [2, 3, 4, 5, 6, 7, 8, 9, 12])
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

    @Test(arguments: [(9, 9), (8, 27), (1, 1), (730, 730)])
    func otherSizesAreRefused(width: Int, height: Int) throws {
        let path = try write(
            [UInt8](repeating: 9, count: 3 * width * height), width: width, height: height, as: "p.png")
        #expect(
            message("lut:file=\(path)")
                == "lut: '\(path)': it has \(width) x \(height) pixels, but a Hald CLUT is a square of "
                + "8, 27, 64, ... or 4096 pixels a side, the cube of its level.")
    }

    /// Of equal colours, which a JPEG keeps.
    @Test func aHaldCLUTMayBeAJPEG() throws {
        let colour = [UInt8](repeating: 120, count: 3 * 64 * 64)
        let pixels = Pixels(colour, PhotoGeometry(width: 64, height: 64), layout: .interleaved(.rgb, .eight))
        let jpeg = Pixels(
            [UInt8](repeating: 120, count: 64 * 64), pixels.geometry, layout: .interleaved(.grey, .eight))
        let path = try folder.write(try EncodedImage(jpeg, as: .jpeg).bytes(), to: "hald.jpg")
        let result = try pixels.filtered(by: [LookUp(contentsOf: path)], on: SIMDDevice()).bytes
        #expect(result.allSatisfy { abs(Int($0) - 120) <= 1 })
    }

    /// Flags for photos raise none of these limits, so no message names one.
    @Test(arguments: ["lut", "watermark"], [(16385, 1), (1, 16385), (4097, 4096)])
    func aPictureThatIsTooLargeIsRefusedByItsHeader(filter: String, size: (Int, Int)) throws {
        let pixels = Pixels(
            [UInt8](repeating: 0, count: size.0 * size.1), PhotoGeometry(width: size.0, height: size.1),
            layout: .interleaved(.grey, .eight))
        let path = try folder.write(try EncodedImage(pixels, as: .png).bytes(), to: "large.png")
        #expect(
            message("\(filter):file=\(path)")
                == "\(filter): '\(path)' cannot be read: it has \(size.0) x \(size.1) pixels, and a filter's picture has at "
                + "most 16384 a side, and 16777216 in all; make it smaller.")
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
