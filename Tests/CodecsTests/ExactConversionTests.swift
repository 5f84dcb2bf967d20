import TestSupport
import Testing
import TintypeImaging
import TintypeKernels

@testable import TintypeCodecs
@testable import TintypeMetadata

/// Conversions to sRGB, compared with LittleCMS in floating point.
struct ExactConversionTests {
    /// All values of a grid, and random ones, half of them dark.
    private func values(_ channels: Int, maximum: Int) -> [Int] {
        let levels = channels == 3 ? 17 : 7
        var values: [Int] = []
        for index in 0..<(channels == 3 ? 17 * 17 * 17 : 7 * 7 * 7 * 7) {
            var rest = index
            for _ in 0..<channels {
                values.append(rest % levels * maximum / (levels - 1))
                rest /= levels
            }
        }
        var random = SeededGenerator(seed: 3)
        for index in 0..<20_000 {
            let most = index % 2 == 0 ? maximum : maximum / 20
            for _ in 0..<channels { values.append(Int.random(in: 0...most, using: &random)) }
        }
        return values
    }

    /// The most that converted samples differ from the exact ones, in steps of a sample.
    private func worst(_ samples: [Int], _ exact: [Float], maximum: Int) -> Double {
        var worst = samples.count == exact.count ? 0 : Double.infinity
        for (sample, value) in zip(samples, exact) {
            worst = max(worst, abs(Double(sample) - Double(min(max(value, 0), 1)) * Double(maximum)))
        }
        return worst
    }

    private func converted<Sample>(
        _ samples: [Sample], _ transform: SRGBTransform, pixelCount: Int
    ) -> [Sample] {
        var samples = samples
        samples.withUnsafeMutableBytes { bytes in
            guard let first = bytes.baseAddress else { return }
            transform.convert(first, to: first, pixelCount: pixelCount)
        }
        return samples
    }

    @Test(arguments: [MatrixProfile.displayP3, .adobeRGB, .linear])
    func matricesOf16BitsAreExactAtEveryLevel(space: MatrixProfile) throws {
        let profile = try space.profile(), values = values(3, maximum: 65535)
        let exact = try profile.exactly(values.map { Float($0) / 65535 })
        for channels in [PixelLayout.Channels.rgb, .rgba] {
            let step = channels.rawValue, pixelCount = values.count / 3
            let before = (0..<pixelCount).flatMap { pixel -> [UInt16] in
                let colour = values[3 * pixel..<3 * pixel + 3].map { UInt16($0) }
                return channels.hasAlpha ? colour + [UInt16(pixel & 0xFFFF)] : colour
            }
            let results = try MatrixConversion.levels.map { level in
                var samples = before
                try #require(MatrixConversion(profile, level: level))
                    .convert(&samples, channels, pixelCount: pixelCount)
                return samples
            }
            #expect(results.allSatisfy { $0 == results[0] })
            let colours = results[0].indices.filter { $0 % step < 3 }.map { Int(results[0][$0]) }
            #expect(worst(colours, exact, maximum: 65535) <= 0.65)
            if channels.hasAlpha {
                #expect(stride(from: 3, to: before.count, by: 4).allSatisfy { results[0][$0] == before[$0] })
            }
        }
    }

    @Test func tablesAreNotReadAsMatrices() throws {
        #expect(try MatrixConversion(.steepTable()) == nil)
        #expect(try MatrixConversion(.grey(gamma: 2)) == nil)
        #expect(MatrixConversion(ICCProfile(bytes: [1, 2, 3])) == nil)
    }

    /// LittleCMS's own tables for speed differ by tens of 255.
    @Test(arguments: [PixelLayout.SampleDepth.eight, .sixteen])
    func tablesAreExact(depth: PixelLayout.SampleDepth) throws {
        let profile = try ICCProfile.steepTable(), maximum = depth == .eight ? 255 : 65535
        let values = values(3, maximum: maximum)
        let exact = try profile.exactly(values.map { Float($0) / Float(maximum) })
        let transform = try SRGBTransform(profile, from: .pixels(.rgb, depth))
        switch depth {
        case .eight:
            let samples = converted(values.map { UInt8($0) }, transform, pixelCount: values.count / 3)
            #expect(worst(samples.map { Int($0) }, exact, maximum: 255) < 0.51)
        case .sixteen:
            let samples = converted(values.map { UInt16($0) }, transform, pixelCount: values.count / 3)
            #expect(worst(samples.map { Int($0) }, exact, maximum: 65535) <= 1)
        }
    }

    @Test func inksAreExact() throws {
        let profile = try ICCProfile.turnedInks(), values = values(4, maximum: 255)
        let exact = try profile.exactly(values.map { Float(255 - $0) / 2.55 }, inks: true)
        let transform = try SRGBTransform(profile, from: .invertedCMYK)
        var rgb = [UInt8](repeating: 0, count: exact.count)
        transform.convert(values.map { UInt8($0) }, to: &rgb, pixelCount: values.count / 4)
        #expect(worst(rgb.map { Int($0) }, exact, maximum: 255) < 0.51)
    }

    /// Grey through a profile of grey, and of RGB, where it is equal red, green and blue.
    @Test(arguments: [PixelLayout.SampleDepth.eight, .sixteen], [false, true])
    func greyIsExact(depth: PixelLayout.SampleDepth, throughRGB: Bool) throws {
        let maximum = depth == .eight ? 255 : 65535
        let space = MatrixProfile(
            name: "2.2", primaries: MatrixProfile.displayP3.primaries, curve: [2.2], curveType: 1)
        let profile = try throughRGB ? space.profile() : .grey(gamma: 2.2)
        let values = (0...maximum).map { Double($0) / Double(maximum) }
        let exact = values.map { value -> Float in
            Float(
                MatrixProfile(
                    name: "", primaries: MatrixProfile.srgb.primaries, curve: [2.2], curveType: 1
                ).inSRGB([value, value, value])[1])
        }
        for channels in [PixelLayout.Channels.grey, .greyAlpha] {
            let transform = try SRGBTransform(profile, from: .pixels(channels, depth))
            let before = (0...maximum).flatMap { (grey: Int) -> [Int] in
                channels.hasAlpha ? [grey, 7] : [grey]
            }
            let samples: [Int] =
                switch depth {
                case .eight:
                    converted(before.map { UInt8($0) }, transform, pixelCount: maximum + 1).map { Int($0) }
                case .sixteen:
                    converted(before.map { UInt16($0) }, transform, pixelCount: maximum + 1).map { Int($0) }
                }
            let greys = stride(from: 0, to: samples.count, by: channels.rawValue).map { samples[$0] }
            // A profile's numbers have steps of 1 / 65536, which the curve near black makes 13 times as large.
            #expect(worst(greys, exact, maximum: maximum) <= (depth == .eight ? 0.6 : 20))
            if channels.hasAlpha { #expect(samples.indices.allSatisfy { $0 % 2 == 0 || samples[$0] == 7 }) }
        }
    }
}
