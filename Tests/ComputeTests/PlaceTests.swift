import Foundation
import Testing
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeRendering

/// Filters that depend on a pixel's place, and other filters with definitions of their own, against these in double
/// precision.
struct PlaceTests {
    /// Renders a photo of one grey, and returns the red samples as a viewer shows them, by row.
    private func shown(
        _ filter: any Filter, grey: UInt8, width: Int, height: Int, _ orientation: Orientation
    ) throws -> [[UInt8]] {
        let swaps = orientation.swapsAxes
        let geometry = PhotoGeometry(
            width: swaps ? height : width, height: swaps ? width : height, orientation: orientation)
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let photo = MemoryPhoto(geometry, layout: layout)
        photo.set(Array(repeating: grey, count: 3 * width * height))
        let plan = RenderPlan(FilterChain([filter]), for: geometry, input: layout, output: layout)
        let samples = try SIMDDevice(level: .baseline).render(plan, photo).samples
        var rows = Array(repeating: Array(repeating: UInt8(0), count: width), count: height)
        for row in 0..<geometry.height {
            for column in 0..<geometry.width {
                let place = geometry.shownPlace(column: column, row: row)
                rows[place.y][place.x] = samples[3 * (row * geometry.width + column)]
            }
        }
        return rows
    }

    @Test func aViewerShowsAStoredPixelWhereItsOrientationSays() {
        // The first stored pixel's corner, as Exif 2.32 names it for each value of the tag.
        let corners = [(0, 0), (3, 0), (3, 1), (0, 1), (0, 0), (1, 0), (1, 3), (0, 3)]
        for (orientation, corner) in zip(Orientation.allCases, corners) {
            let photo = PhotoGeometry(width: 4, height: 2, orientation: orientation)
            let place = photo.shownPlace(column: 0, row: 0)
            #expect(place == corner, "\(orientation)")
        }
    }

    @Test(arguments: Orientation.allCases, [(180, 0.8), (255, 1), (12, 0.6), (9, 0.9)] as [(UInt8, Float)])
    func aVignetteDarkensTheCornersAsShown(orientation: Orientation, setting: (UInt8, Float)) throws {
        let (grey, amount) = setting
        let width = 61, height = 34
        let vignette = Vignette(amount: amount, begin: 0.2)
        let rows = try shown(vignette, grey: grey, width: width, height: height, orientation)
        let light = Reference.linear(Double(grey) / 255)
        for y in 0..<height {
            for x in 0..<width {
                let across = 2 * (Double(x) + 0.5) / Double(width) - 1
                let down = 2 * (Double(y) + 0.5) / Double(height) - 1
                let t = min(max(((across * across + down * down) / 2 - 0.04) / 0.96, 0), 1)
                let expected = 255 * Reference.encoded(light * (1 - Double(amount) * t * t * (3 - 2 * t)))
                #expect(abs(Double(rows[y][x]) - expected) <= 0.51, "\(x), \(y)")
            }
        }
    }

    @Test(arguments: [0, 3.3] as [Float]) func grainIsTheSameHoweverAPhotoIsStored(size: Float) throws {
        let grain = Grain(amount: 0.5, seed: 7, size: .pixels(size))
        let upright = try shown(grain, grey: 128, width: 40, height: 23, .up)
        for orientation in Orientation.allCases {
            let turned = try shown(grain, grey: 128, width: 40, height: 23, orientation)
            #expect(turned == upright, "\(orientation)")
        }
        let other = Grain(amount: 0.5, seed: 8, size: .pixels(size))
        #expect(try shown(other, grey: 128, width: 40, height: 23, .up) != upright)
    }

    /// A sum of two uniform numbers has a variance of 1/6, and neighbours are independent.
    @Test func grainIsNoiseWithoutAPattern() throws {
        let width = 300, height = 200
        let grain = Grain(amount: 0.4, size: .pixels(0))
        let rows = try shown(grain, grey: 128, width: width, height: height, .up)
        let noise = rows.map { $0.map { (Double($0) - 128) / 255 } }
        func mean(_ right: Int, _ down: Int) -> Double {
            var sum = 0.0
            for y in 0..<height - down {
                for x in 0..<width - right { sum += noise[y][x] * noise[y + down][x + right] }
            }
            return sum / Double((width - right) * (height - down))
        }
        let variance = 0.4 * 0.4 / 6
        let average = noise.joined().reduce(0, +) / Double(width * height)
        // Six standard errors of each.
        #expect(abs(average) < 6 * (variance / 60000).squareRoot() + 0.001)
        #expect(abs(mean(0, 0) / variance - 1) < 0.05)
        for (right, down) in [(1, 0), (0, 1), (1, 1), (2, 0), (0, 2), (7, 3)] {
            #expect(abs(mean(right, down) / variance) < 6 / 60000.0.squareRoot(), "\(right), \(down)")
        }
    }

    /// The definition in double precision: numbers at the points of a turned lattice, and what is between them.
    @Test(arguments: [(1.5, 0), (7, 65535)] as [(Float, Float)])
    func largeGrainsAreInterpolatedOnATurnedLattice(size: Float, seed: Float) throws {
        let width = 70, height = 50
        let grain = Grain(amount: 0.5, seed: seed, size: .pixels(size))
        let rows = try shown(grain, grey: 128, width: width, height: height, .up)
        for y in 0..<height {
            for x in 0..<width {
                let across = (0.8 * Double(x) + 0.6 * Double(y)) / Double(size)
                let down = (0.8 * Double(y) - 0.6 * Double(x)) / Double(size)
                let (column, row) = (floor(across), floor(down))
                var noise = 0.0
                for (right, below) in [(0, 0), (1, 0), (0, 1), (1, 1)] {
                    let (s, t) = (Self.step(across - column), Self.step(down - row))
                    let weight = (right == 1 ? s : 1 - s) * (below == 1 ? t : 1 - t)
                    noise +=
                        weight * Self.lowbias32(Int(column) + right, Int(row) + below, seed: UInt32(seed))
                }
                let luma = 128.0 / 255
                let expected = 128 + 255 * 0.5 * noise * 4 * luma * (1 - luma)
                #expect(abs(Double(rows[y][x]) - expected) <= 0.51, "\(x), \(y)")
            }
        }
    }

    private static func step(_ t: Double) -> Double { t * t * (3 - 2 * t) }

    /// The sum of both halves of Wellons' hash, in -1...1.
    private static func lowbias32(_ x: Int, _ y: Int, seed: UInt32) -> Double {
        func mixed(_ value: UInt32) -> UInt32 {
            var h = value
            h ^= h >> 16
            h = h &* 0x7feb_352d
            h ^= h >> 15
            h = h &* 0x846c_a68b
            return h ^ h >> 16
        }
        let first = mixed(UInt32(truncatingIfNeeded: x) &* 0x9e37_79b1 &+ seed)
        let bits = mixed(first &+ UInt32(truncatingIfNeeded: y) &* 0x85eb_ca77)
        return Double(bits & 0xffff) / 65535 + Double(bits >> 16) / 65535 - 1
    }

    /// A photo of 12 megapixels on a screen of 1080 rows, with means of pixels as the interpolation.
    @Test func grainIsSeenOnAScreen() throws {
        func deviation(_ grain: Grain, scaledBy factor: Int) throws -> Double {
            let photo = PhotoGeometry(width: 400, height: 3000)
            let rows = try shown(grain, grey: 128, width: 400, height: 3000, .up)
            var (squares, count) = (0.0, 0.0)
            for y in stride(from: 0, through: photo.height - factor, by: factor) {
                for x in stride(from: 0, through: photo.width - factor, by: factor) {
                    var sum = 0
                    for row in rows[y..<y + factor] { for value in row[x..<x + factor] { sum += Int(value) } }
                    let mean = Double(sum) / Double(factor * factor) - 128
                    squares += mean * mean
                    count += 1
                }
            }
            return (squares / count).squareRoot()
        }
        let fine = Grain(amount: 0.1, size: .pixels(0))
        // Means of 3 x 3 independent numbers have a third of their deviation.
        #expect(try abs(deviation(fine, scaledBy: 3) / deviation(fine, scaledBy: 1) - 1.0 / 3) < 0.02)
        #expect(try deviation(Grain(), scaledBy: 3) > 0.8 * deviation(Grain(), scaledBy: 1))
    }

    /// A small photo has no room for grains smaller than its pixels.
    @Test func grainOfUpToAPixelIsThatOfEveryPixel() throws {
        let photo = PhotoGeometry(width: 40, height: 800)
        let everyPixel = Grain(amount: 0.1, size: .pixels(0)).stages(for: photo)
        #expect(Grain().stages(for: photo) == everyPixel)
        #expect(Grain(amount: 0.1, size: .pixels(1)).stages(for: photo) == everyPixel)
        #expect(Grain(amount: 0.1, size: .pixels(1.1)).stages(for: photo) != everyPixel)
    }

    @Test(arguments: [(1, 100, 138), (-1, 100, 71), (0.5, 200, 233), (3, 200, 255), (-10, 255, 3)])
    func exposureCountsStops(stops: Float, before: UInt8, after: UInt8) throws {
        // encoded(2^stops x linear(before)), by the formulas of IEC 61966-2-1.
        let expected =
            255 * Reference.encoded(min(1, Reference.linear(Double(before) / 255) * exp2(Double(stops))))
        #expect(abs(expected - Double(after)) < 0.6, "the table of this test: \(expected)")
        #expect(try shown(Exposure(stops: stops), grey: before, width: 1, height: 1, .up) == [[after]])
    }

    @Test func posterizingKeepsTheNearestLevels() throws {
        // Levels of 4: 0, 85, 170, 255.
        for (before, after) in [(0, 0), (42, 0), (43, 85), (127, 85), (128, 170), (212, 170), (213, 255)] {
            let rows = try shown(Posterize(levels: 4), grey: UInt8(before), width: 1, height: 1, .up)
            #expect(rows == [[UInt8(after)]], "\(before)")
        }
    }

    @Test func aThresholdParts() throws {
        for (before, after) in [(0, 0), (101, 0), (103, 255), (255, 255)] {
            let rows = try shown(Threshold(level: 0.4), grey: UInt8(before), width: 1, height: 1, .up)
            #expect(rows == [[UInt8(after)]], "\(before)")
        }
    }
}
