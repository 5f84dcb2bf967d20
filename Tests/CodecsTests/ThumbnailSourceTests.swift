import Testing
import TintypeImaging

@testable import TintypeCodecs

/// Downsampling while decoding, compared with libjpeg called directly, and with means computed here.
struct ThumbnailSourceTests {
    /// The first four sides of a photo of 35 pixels give libjpeg's 1/8, 1/4, 1/2 and 1. The last three need a
    /// box average of 5 pixels by 2, 5 by 5, and 9 by 4.
    @Test(arguments: try Fixture.names(withExtension: "jpg"), [5, 9, 18, 35, 2, 1, 8])
    func aJPEGIsDecodedLikeLibjpegAndThenAveraged(name: String, longSide: Int) throws {
        let bytes = try Fixture.bytes("\(name).jpg")
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let side = max(reader.geometry.width, reader.geometry.height)
        let denominator = [8, 4, 2].first { (side + $0 - 1) / $0 >= longSide } ?? 1
        let scaled = LibJPEG.decode(bytes, dividedBy: UInt32(denominator))
        let factor = max(1, max(scaled.width, scaled.height) / longSide)
        let source = try reader.makeThumbnailSource(longSide: longSide)
        let result = max(source.geometry.width, source.geometry.height)
        #expect(side < longSide ? result == side : longSide..<2 * longSide ~= result)
        #expect(try Pixels(source) == scaled.averaged(factor))
    }

    @Test(arguments: try Fixture.names(withExtension: "png").filter { $0 != "metadata" }, [1, 3, 17, 35, 99])
    func aPNGIsAveraged(name: String, longSide: Int) throws {
        let bytes = try Fixture.bytes("\(name).png")
        let whole = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let expected = try Pixels(try whole.makeSource(layout: whole.layout))
        let reader = try PhotoReader(bytes: bytes, limits: DecodeLimits())
        let factor = max(1, max(expected.width, expected.height) / longSide)
        // Strips of one row and of several: means must not depend on them.
        let source = try reader.makeThumbnailSource(longSide: longSide)
        #expect(try Pixels(source, rowCapacity: longSide % 2 == 1 ? 8 : 24) == expected.averaged(factor))
    }

    @Test func aDamagedJPEGFailsHoweverSmallItsThumbnailIs() throws {
        let bytes = try RawJPEG.noise(.yCbCr(.s420))
        for cut in [bytes.count / 2, bytes.count - 40] {
            let reader = try PhotoReader(bytes: Array(bytes[..<cut]), limits: DecodeLimits())
            let source = try reader.makeThumbnailSource(longSide: 8)
            #expect(throws: CodecError.truncated) { try Pixels(source) }
        }
    }
}

extension Pixels {
    /// Means of squares of pixels, rounded half up; colour is weighted by alpha.
    fileprivate func averaged(_ factor: Int) -> Pixels {
        if factor == 1 { return self }
        var result = self
        result.width = (width + factor - 1) / factor
        result.height = (height + factor - 1) / factor
        result.samples = []
        for top in stride(from: 0, to: height, by: factor) {
            for left in stride(from: 0, to: width, by: factor) {
                let square = (top..<min(top + factor, height)).flatMap { y in
                    (left..<min(left + factor, width)).map { x in (y * width + x) * channels }
                }
                result.samples += mean(ofPixelsAt: square)
            }
        }
        return result
    }

    private func mean(ofPixelsAt starts: [Int]) -> [UInt16] {
        func rounded(_ sum: Int, _ count: Int) -> UInt16 {
            count == 0 ? 0 : UInt16((2 * sum + count) / (2 * count))
        }
        let hasAlpha = channels % 2 == 0
        let weights = starts.map { hasAlpha ? Int(samples[$0 + channels - 1]) : 1 }
        let colours = (0..<(hasAlpha ? channels - 1 : channels)).map { channel in
            let sum = zip(starts, weights).reduce(0) { $0 + Int(samples[$1.0 + channel]) * $1.1 }
            return rounded(sum, weights.reduce(0, +))
        }
        return colours + (hasAlpha ? [rounded(weights.reduce(0, +), starts.count)] : [])
    }
}
