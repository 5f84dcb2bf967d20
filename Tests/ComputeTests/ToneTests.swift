import Foundation
import Testing
import TintypeFilterPictures
import TintypeFilters
import TintypeImaging

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeRendering

/// Compares filters of light and tone with other tools, and with their formulas in double precision.
struct ToneTests {
    private struct References: Decodable {
        let colours: [UInt8]
        /// In tenths of a 255th.
        let results: [String: [Int]]
    }

    /// `scripts/make_tone_references` recorded what colour-science and SciPy give.
    @Test func whiteBalancesAndCurvesAreThoseOfOtherTools() throws {
        let file = try #require(
            Bundle.module.url(forResource: "tone-filters", withExtension: "json", subdirectory: "Fixtures"))
        let references = try JSONDecoder().decode(References.self, from: Data(contentsOf: file))
        for (name, expected) in references.results {
            let result = try render(FilterChain(parsing: [name]), references.colours)
            let worst = zip(result, expected).map { abs(Double($0) - Double($1) / 10) }.max() ?? 255
            #expect(worst <= 1, "\(name): \(worst) of 255")
        }
    }

    @Test(arguments: [(20, 0), (-60, 0), (0, 80), (50, -50)] as [(Float, Float)])
    func aWhiteBalanceKeepsTheLuminanceOfGrey(temperature: Float, tint: Float) throws {
        let grey: UInt8 = 90
        let rgb = try render(
            FilterChain([WhiteBalance(temperature: temperature, tint: tint)]), [grey, grey, grey])
        let light = rgb.map { Reference.linear(Double($0) / 255) }
        let luminance = 0.2126 * light[0] + 0.7152 * light[1] + 0.0722 * light[2]
        #expect(abs(255 * Reference.encoded(luminance) - Double(grey)) < 0.6)
        // Warmer is more red and less blue; more magenta is less green.
        #expect(temperature == 0 || (rgb[0] > rgb[2]) == (temperature > 0))
        #expect(tint == 0 || (rgb[1] < grey) == (tint > 0))
    }

    @Test(arguments: [0.1, 0.3, 0.8, 1.2, 2.2, 5, 10] as [Float])
    func gammaIsAPower(amount: Float) throws {
        try expect(Gamma(amount: amount)) { $0.map { pow($0, 1 / Double(amount)) } }
    }

    @Test(arguments: [
        Levels(), Levels(black: 0.2, white: 0.7, gamma: 1.6), Levels(black: 0, white: 1, gamma: 0.4),
        Levels(black: 0.1, white: 1, outputBlack: 0.15, outputWhite: 0.9),
        Levels(black: 0, white: 1, outputBlack: 1, outputWhite: 0), Levels(black: 0.501, white: 0.3),
    ])
    func levelsFollowTheirFormula(levels: Levels) throws {
        let (black, white) = (Double(levels.black), Double(levels.white))
        let (low, high) = (Double(levels.outputBlack), Double(levels.outputWhite))
        try expect(levels) { rgb in
            rgb.map { x in
                let t = min(max((x - black) / max(white - black, 0.001), 0), 1)
                return low + pow(t, 1 / Double(levels.gamma)) * (high - low)
            }
        }
    }

    @Test(arguments: [-1, -0.4, 0.5, 1] as [Float])
    func vibranceFollowsItsFormula(amount: Float) throws {
        try expect(Vibrance(amount: amount)) { rgb in
            let luma = Self.luma(rgb), chroma = (rgb.max() ?? 0) - (rgb.min() ?? 0)
            return rgb.map { luma + ($0 - luma) * (1 + Double(amount) * (1 - chroma)) }
        }
    }

    @Test func aDuotoneLiesBetweenItsColours() throws {
        let (dark, light) = ([31, 15, 87].map { $0 / 255.0 }, [255, 179, 138].map { $0 / 255.0 })
        try expect(Duotone()) { rgb in
            let luma = Self.luma(rgb)
            return zip(dark, light).map { (1 - luma) * $0 + luma * $1 }
        }
    }

    @Test(arguments: [(0, 0.5), (0.6, 1), (-1, 0.8)] as [(Float, Float)])
    func splitToningFollowsItsFormula(balance: Float, amount: Float) throws {
        let (shadows, highlights) = ([0.0, 64.0 / 255, 1.0], [1.0, 128.0 / 255, 0.0])
        let filter = SplitTone(
            shadows: PlainColour(0, 64, 255), highlights: PlainColour(255, 128, 0), balance: balance,
            amount: amount)
        try expect(filter) { rgb in
            let y = Self.luma(rgb), t = min(max(y + Double(balance) / 2, 0), 1), w = t * t * (3 - 2 * t)
            return rgb.indices.map { (i: Int) -> Double in
                let dark = shadows[i] - Self.luma(shadows), light = highlights[i] - Self.luma(highlights)
                return rgb[i] + 4 * y * (1 - y) * Double(amount) * ((1 - w) * dark + w * light)
            }
        }
    }

    @Test func splitToningKeepsTheLumaOfGreys() throws {
        for grey in stride(from: UInt8(0), through: 255, by: 5) {
            let rgb = try render(FilterChain([SplitTone()]), [grey, grey, grey]).map { Double($0) }
            #expect(abs(Self.luma(rgb) - Double(grey)) < 0.6, "\(grey): \(rgb)")
        }
    }

    @Test(arguments: [0.2, 0.5, 1] as [Float])
    func fadingFollowsItsFormula(amount: Float) throws {
        let a = Double(amount)
        try expect(Fade(amount: amount)) { rgb in
            let luma = Self.luma(rgb)
            return rgb.map { x in
                let paler = luma + (1 - 0.3 * a) * (x - luma)
                return 0.2 * a + paler * (1 - 0.06 * a - 0.2 * a)
            }
        }
    }

    /// How far a table of `tone_curve` is from its power, over every value of 16 bits.
    @Test(arguments: [0.1, 0.2, 0.5, 2, 5, 10])
    func tablesOfPowersAreExact(gamma: Double) throws {
        let photo = MemoryPhoto(PhotoGeometry(width: 65536, height: 1), layout: .interleaved(.grey, .sixteen))
        photo.set((0...65535).map { UInt16($0) })
        let plan = RenderPlan(
            FilterChain([Gamma(amount: Float(gamma))]), for: photo.geometry, input: photo.layout,
            output: photo.layout)
        let words = try SIMDDevice(level: .baseline).render(plan, photo).words
        let expected = (0...65535).map { 65535 * pow(Double($0) / 65535, 1 / gamma) }
        let worst = zip(words, expected).map { abs(Double($0) - $1) }.max()
        // Half a step of rounding, and 0.003 of 255.
        #expect(try #require(worst) < 0.5 + 257 * 0.003, "\(gamma)")
    }

    private static func luma(_ rgb: [Double]) -> Double {
        0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]
    }

    /// Every 15th step of each channel.
    private static let cube: [[UInt8]] = (0..<18 * 18 * 18).map { (index: Int) -> [UInt8] in
        [UInt8(index / 324 * 15), UInt8(index / 18 % 18 * 15), UInt8(index % 18 * 15)]
    }

    /// Compares with a formula over colours in 0...1, whose result is then limited to 0...1.
    private func expect(_ filter: any Filter, _ formula: ([Double]) -> [Double]) throws {
        let result = try render(FilterChain([filter]), Array(Self.cube.joined()))
        let expected = Self.cube.flatMap { formula($0.map { Double($0) / 255 }) }
        let worst = zip(result, expected).map { (byte, value) -> Double in
            abs(Double(byte) - 255 * min(max(value, 0), 1))
        }.max()
        #expect(try #require(worst) <= 1, "\(filter.recipe)")
    }

    private func render(_ chain: FilterChain, _ colours: [UInt8]) throws -> [UInt8] {
        let layout = PixelLayout.interleaved(.rgb, .eight)
        let photo = MemoryPhoto(PhotoGeometry(width: colours.count / 3, height: 1), layout: layout)
        photo.set(colours)
        let plan = RenderPlan(chain, for: photo.geometry, input: layout, output: layout)
        return try SIMDDevice(level: .baseline).render(plan, photo).samples
    }
}
