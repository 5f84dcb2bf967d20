import Foundation
import Testing
import TintypeFilterPictures
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeFilters
@testable import TintypeRendering

/// Borders and watermarks, over photos with and without alpha, in every orientation.
struct PaintTests {
    /// Samples of noise by shown row, column and channel, 0...1, and what a filter makes of them.
    private func render(
        _ filter: any Filter, width: Int, height: Int, _ orientation: Orientation = .up,
        _ channels: PixelLayout.Channels = .rgba
    ) throws -> (photo: [[[Double]]], result: [[[Double]]]) {
        let swaps = orientation.swapsAxes
        let geometry = PhotoGeometry(
            width: swaps ? height : width, height: swaps ? width : height, orientation: orientation)
        let layout = PixelLayout.interleaved(channels, .sixteen)
        let photo = MemoryPhoto(noise: geometry, layout: layout, seed: 5)
        let plan = RenderPlan(FilterChain([filter]), for: geometry, input: layout, output: layout)
        let result = MemoryPhoto(plan.outputGeometry, layout: layout)
        try SIMDDevice(level: .baseline).render(
            plan, from: photo.makeSource(), to: result.makeSink(), isCancelled: { false })
        return (photo.shownPixels, result.shownPixels)
    }

    @Test func framesAroundFramesEnd() throws {
        // The sixth would be too large.
        let count = 8
        let chain = try FilterChain(parsing: Array(repeating: "border:size=100%", count: count))
        let photo = chain.stages(for: PhotoGeometry(width: 4000, height: 3000)).reduce(
            PhotoGeometry(width: 4000, height: 3000)
        ) { $1.result(of: $0) }
        #expect(1 << 20..<(1 << 20) + count * 20_000 ~= photo.width && photo.height < photo.width)
    }

    @Test(arguments: Orientation.allCases)
    func aBorderSurroundsThePhotoAsShown(orientation: Orientation) throws {
        let border = Border(size: .pixels(3), colour: PlainColour(255, 0, 51), aspect: 2)
        let (photo, result) = try render(border, width: 13, height: 10, orientation)
        // 19 x 16 becomes 32 x 16: 9 columns before the photo, 10 after it.
        #expect(result.count == 16 && result[0].count == 32)
        for (y, row) in result.enumerated() {
            for (x, pixel) in row.enumerated() {
                let isInside = 9..<22 ~= x && 3..<13 ~= y
                #expect(pixel == (isInside ? photo[y - 3][x - 9] : [1, 0, 0.2, 1]), "\(x), \(y)")
            }
        }
    }

    @Test func aTallBorderGrowsAboveAndBelow() throws {
        let border = Border(size: .fractionOfHeight(0.1), colour: PlainColour(0, 0, 0), aspect: 0.5)
        let (photo, result) = try render(border, width: 21, height: 20, .up, .rgb)
        // 25 x 24, with an aspect of 1:2.
        #expect(result.count == 50 && result[0].count == 25)
        #expect(
            result[15][2] == photo[0][0] && result[14][2] == [0, 0, 0] && result[34][22] == photo[19][20])
    }

    /// 4 x 2 pixels: opaque, half transparent and transparent ones.
    private static let picture = Picture(
        width: 4, height: 2,
        rgba: [
            255, 0, 0, 255, 0, 255, 0, 128, 0, 0, 255, 0, 10, 20, 30, 255,
            0, 0, 0, 64, 255, 255, 255, 255, 90, 80, 70, 200, 1, 2, 3, 4,
        ])
    private static let pictureSamples: [[Double]] = [
        [255, 0, 0, 255], [0, 255, 0, 128], [0, 0, 255, 0], [10, 20, 30, 255],
        [0, 0, 0, 64], [255, 255, 255, 255], [90, 80, 70, 200], [1, 2, 3, 4],
    ].map { $0.map { $0 / 255 } }

    @Test(arguments: Orientation.allCases, [PixelLayout.Channels.rgba, .rgb])
    func aWatermarkIsCompositedOverThePhoto(
        orientation: Orientation, channels: PixelLayout.Channels
    ) throws {
        var watermark = Watermark(Self.picture)
        watermark.size = 0.25
        watermark.margin = .pixels(1)
        watermark.opacity = 0.75
        let (photo, result) = try render(watermark, width: 16, height: 11, orientation, channels)
        for (y, row) in result.enumerated() {
            for (x, pixel) in row.enumerated() {
                let below = photo[y][x]
                var expected = below
                // At the right and at the bottom, one pixel from the edges, at its own size.
                if 11..<15 ~= x, 8..<10 ~= y {
                    let over = Self.pictureSamples[(y - 8) * 4 + x - 11]
                    let opacity = 0.75 * over[3], alpha = channels.hasAlpha ? below[3] : 1
                    let sum = opacity + alpha * (1 - opacity)
                    for channel in 0..<3 where opacity > 0 {
                        expected[channel] =
                            (over[channel] * opacity + below[channel] * alpha * (1 - opacity)) / sum
                    }
                    if channels.hasAlpha { expected[3] = sum }
                }
                for (value, wanted) in zip(pixel, expected) { #expect(abs(value - wanted) < 1e-4) }
            }
        }
    }

    @Test(
        arguments: zip(
            Watermark.Position.allCases,
            [(2, 2), (6, 2), (10, 2), (2, 7), (6, 7), (10, 7), (2, 12), (6, 12), (10, 12)]))
    func aWatermarkIsWhereItsPositionSays(position: Watermark.Position, place: (x: Int, y: Int)) throws {
        var watermark = Watermark(Picture(width: 1, height: 1, rgba: [255, 255, 255, 255]))
        (watermark.size, watermark.opacity, watermark.position) = (0.05, 1, position)
        watermark.margin = .pixels(2)
        let (photo, result) = try render(watermark, width: 13, height: 15)
        let changed = zip(photo.joined(), result.joined()).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        #expect(changed == [place.y * 13 + place.x])
    }

    @Test func aWatermarkThatIsTooHighBecomesSmaller() throws {
        var watermark = Watermark(
            Picture(width: 2, height: 40, rgba: Array(repeating: 255, count: 320)))
        (watermark.size, watermark.opacity) = (1, 1)
        watermark.margin = .pixels(4)
        let (photo, result) = try render(watermark, width: 30, height: 28, .up, .rgb)
        let rows = photo.indices.filter { photo[$0] != result[$0] }
        let columns = photo[0].indices.filter { column in
            photo.indices.contains { photo[$0][column] != result[$0][column] }
        }
        #expect(rows == Array(4..<24) && columns == [25])
    }

    /// A kernel's overshoot in alpha has no effect on colour.
    @Test func aShrunkPictureKeepsItsColourBesideTransparency() throws {
        let rgba = (0..<40 * 30).flatMap {
            $0 % 40 < 21 && $0 / 40 < 16 ? [90, 90, 90, 255] : [255, 0, 0, 0] as [UInt8]
        }
        let pixels = Picture(width: 40, height: 30, rgba: rgba).pixels(width: 24, height: 18)
        let visible = stride(from: 0, to: pixels.count, by: 4).filter { pixels[$0 + 3] > 0.05 }
        #expect(visible.count > 100)
        for pixel in visible {
            let colour = pixels[pixel..<pixel + 3].map { 255 * $0 }
            #expect(colour.allSatisfy { abs($0 - 90) <= 1 }, "pixel \(pixel / 4): \(colour)")
        }
    }

    @Test func aPictureIsShrunkInLight() throws {
        // Columns of black and white: half of the light, not half of the value.
        let rgba = (0..<64 * 8).flatMap { (index: Int) -> [UInt8] in
            index % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]
        }
        var watermark = Watermark(Picture(width: 64, height: 8, rgba: rgba))
        (watermark.size, watermark.opacity, watermark.margin) = (1, 1, .pixels(0))
        let (_, result) = try render(watermark, width: 8, height: 1, .up, .rgb)
        for pixel in result[0][2..<6] { #expect(abs(pixel[0] - 0.7354) < 0.01) }
    }
}
