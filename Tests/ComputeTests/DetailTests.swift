import Foundation
import Testing
import TintypeFilters
import TintypeImaging
import TintypeStages

@testable import TintypeCPURendering
@testable import TintypeCompute
@testable import TintypeRendering

/// `blur` and `sharpen` against a true Gaussian in double precision.
struct DetailTests {
    private static let width = 47, height = 31

    /// Samples of noise, and what a filter makes of them: by row, values in 0...1.
    private func render(_ filter: any Filter) throws -> (photo: [Double], result: [Double]) {
        let geometry = PhotoGeometry(width: Self.width, height: Self.height, orientation: .right)
        let layout = PixelLayout.interleaved(.grey, .sixteen)
        let photo = MemoryPhoto(noise: geometry, layout: layout, seed: 3)
        let plan = RenderPlan(FilterChain([filter]), for: geometry, input: layout, output: layout)
        func values(_ photo: MemoryPhoto) -> [Double] {
            photo.samples.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }.map { Double($0) / 65535 }
        }
        return (values(photo), values(try SIMDDevice(level: .baseline).render(plan, photo)))
    }

    private func blurred(_ light: [Double], sigma: Double) -> [Double] {
        let weights = (0...Int((6 * sigma).rounded(.up))).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let total = 2 * weights.reduce(0, +) - weights[0]
        return blurred(light, weights: weights.map { $0 / total })
    }

    /// - Parameter weights: at distance 0, 1, ...
    private func blurred(_ light: [Double], weights: [Double]) -> [Double] {
        let radius = weights.count - 1
        func pass(_ values: [Double], at place: (_ x: Int, _ y: Int, _ distance: Int) -> (Int, Int))
            -> [Double]
        {
            (0..<Self.height).flatMap { y in
                (0..<Self.width).map { x in
                    (-radius...radius).reduce(0) { sum, distance in
                        let (column, row) = place(x, y, distance)
                        let index =
                            min(max(row, 0), Self.height - 1) * Self.width
                            + min(max(column, 0), Self.width - 1)
                        return sum + values[index] * weights[abs(distance)]
                    }
                }
            }
        }
        return pass(pass(light) { ($0 + $2, $1) }) { ($0, $1 + $2) }
    }

    /// - Parameter share: of the blur.
    private func expect(_ filter: any Filter, mixes share: Double, ofSigma sigma: Double) throws {
        let (photo, result) = try render(filter)
        let light = photo.map(Reference.linear)
        let worst = zip(zip(light, blurred(light, sigma: sigma)), result).map { values, value in
            let mixed = (1 - share) * values.0 + share * values.1
            return abs(value - Reference.encoded(min(max(mixed, 0), 1)))
        }.max()
        #expect(try #require(worst) <= 1.0 / 255, "\(filter)")
    }

    @Test(arguments: [0.02, 0.1, 0.4] as [Float])
    func aThresholdSparesSmallDifferences(threshold: Float) throws {
        let (photo, result) = try render(Sharpen(radius: .pixels(1.5), amount: 0.8, threshold: threshold))
        let light = photo.map(Reference.linear), blur = blurred(light, sigma: 1.5)
        for index in photo.indices {
            let difference = abs(photo[index] - Reference.encoded(blur[index]))
            let share = min(max(difference / Double(threshold) - 1, 0), 1)
            let sharpened = Reference.encoded(
                min(max(light[index] + 0.8 * (light[index] - blur[index]), 0), 1))
            let expected = photo[index] + share * (sharpened - photo[index])
            // The blur's own error counts by the share's slope.
            #expect(abs(result[index] - expected) <= 1.0 / 255, "\(index)")
        }
    }

    @Test(arguments: [0, 0.3] as [Float])
    func aBloomAddsBlurredLight(threshold: Float) throws {
        let (photo, result) = try render(Bloom(amount: 0.7, radius: .pixels(3), threshold: threshold))
        let blur = blurred(photo.map(Reference.linear), sigma: 3)
        for (index, value) in photo.enumerated() {
            let share = min(max((blur[index] - Double(threshold)) / (1 - Double(threshold)), 0), 1)
            let light = 1 - (1 - Reference.linear(value)) * (1 - 0.7 * share * blur[index])
            #expect(abs(result[index] - Reference.encoded(light)) <= 1.0 / 255, "\(index)")
        }
    }

    @Test(arguments: Median.Size.allCases, [1, 0.25] as [Float])
    func aMedianIsTheMiddleValue(size: Median.Size, amount: Float) throws {
        let (photo, result) = try render(Median(size: size, amount: amount))
        let radius = size == .three ? 1 : 2
        for y in 0..<Self.height {
            for x in 0..<Self.width {
                let values = (-radius...radius).flatMap { down in
                    (-radius...radius).map { right in
                        let row = min(max(y + down, 0), Self.height - 1)
                        return photo[row * Self.width + min(max(x + right, 0), Self.width - 1)]
                    }
                }.sorted()
                let value = photo[y * Self.width + x]
                let expected = value + Double(amount) * (values[values.count / 2] - value)
                #expect(abs(result[y * Self.width + x] - expected) < 1e-5, "\(x), \(y)")
            }
        }
    }

    @Test(arguments: [0.7, 1.5, 5, 12])
    func blurIsATrueGaussian(sigma: Float) throws {
        try expect(Blur(radius: .pixels(sigma)), mixes: 1, ofSigma: Double(sigma))
    }

    @Test(arguments: [0.7, 1, 5], [0.3, 1, 2])
    func sharpenAddsWhatABlurTakesAway(sigma: Float, amount: Float) throws {
        try expect(
            Sharpen(radius: .pixels(sigma), amount: amount), mixes: -Double(amount), ofSigma: Double(sigma))
    }

    /// A filter of any weights.
    private struct Weighted: Filter {
        static let name = "weighted"
        static let summary = "Sums of neighbours"
        static let group = FilterGroup.detail
        static let parameters: [Parameter<Self>] = []
        var weights: [Float] = [1]
        var share: Float = 1

        init() {}

        init(_ weights: [Float], share: Float) {
            self.weights = weights
            self.share = share
        }

        func stages(for photo: PhotoGeometry) -> [Stage] {
            [.blur(MaskedBlur(Gaussian(weights: weights), share: share, of: photo))]
        }
    }

    /// The centre alone, a box, a kernel with negative lobes whose sums leave 0...1, and the longest one.
    static let weights: [[Float]] = [
        [0.9], [Float](repeating: 1 / 7, count: 4), [1.4, 0.1, -0.3],
        (0..<64).map { $0 % 5 == 0 ? 0.08 : -0.002 },
    ]

    @Test(arguments: weights, [1, 0.5, -0.4] as [Float])
    func anyWeightsAreSummed(weights: [Float], share: Float) throws {
        let (photo, result) = try render(Weighted(weights, share: share))
        let light = photo.map(Reference.linear), sums = blurred(light, weights: weights.map { Double($0) })
        for index in photo.indices {
            let mixed = Double(1 - share) * light[index] + Double(share) * sums[index]
            #expect(abs(result[index] - Reference.encoded(min(max(mixed, 0), 1))) < 5e-4, "\(index)")
        }
    }

    /// Sums do not depend on the layout, for each of which OpenCL would compile programs.
    @Test(arguments: Conformance.mainLayouts)
    func anyWeightsGiveTheSameBytesOnAllDevices(layout: PixelLayout) throws {
        let chain = FilterChain(Self.weights[2...].map { Weighted($0, share: 0.8) })
        for test in Conformance.cases(of: chain, over: layout) {
            try test.expectSameBytes(on: TestDevices.all(openCL: 1))
        }
    }

    @Test func settingsThatChangeNothingHaveNoStage() {
        let photo = PhotoGeometry(width: 9, height: 9)
        #expect(Blur(radius: .pixels(0)).stages(for: photo).isEmpty)
        #expect(Sharpen(radius: .pixels(0), amount: 1).stages(for: photo).isEmpty)
        #expect(Sharpen(radius: .pixels(1), amount: 0).stages(for: photo).isEmpty)
    }
}
