import Foundation
import TestSupport

@testable import TintypeCodecs

/// PNGs that are larger in memory than on the disk: all of their samples are 0.
enum HugePNG {
    /// - Parameters:
    ///   - colourType: 0 grey, 2 RGB, 6 RGBA.
    ///   - lies: whether the pixels are missing.
    static func bytes(
        width: Int, height: Int, colourType: UInt8, depth: UInt8 = 8, isInterlaced: Bool = false,
        lies: Bool = false
    ) -> [UInt8] {
        let header =
            UInt32(width).bigEndianBytes + UInt32(height).bigEndianBytes + [
                depth, colourType, 0, 0, isInterlaced ? 1 : 0,
            ]
        let channels = [0: 1, 2: 3, 6: 4][colourType] ?? 1
        func byteCount(_ width: Int, _ height: Int) -> Int {
            width == 0 ? 0 : height * (1 + (width * channels * Int(depth) + 7) / 8)
        }
        // Adam7: the first pixel and the steps of each pass.
        let passes = [
            (0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2),
        ]
        let count =
            isInterlaced
            ? passes.reduce(0) { sum, pass in
                sum
                    + byteCount(
                        (width - pass.0 + pass.2 - 1) / pass.2, (height - pass.1 + pass.3 - 1) / pass.3)
            } : byteCount(width, height)
        let pixels = lies ? Zlib.deflate([0]) : Zlib.deflate([UInt8](repeating: 0, count: count))
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + PNGChunk(name: "IHDR", bytes: header).fileBytes
            + PNGChunk(name: "IDAT", bytes: pixels).fileBytes + PNGChunk(name: "IEND", bytes: []).fileBytes
    }
}
