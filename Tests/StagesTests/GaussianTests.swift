import Testing
import TintypeStages

struct GaussianTests {
    @Test func weightsSumToOne() {
        for sigma in [0.1, 0.5, 1, 3, 8.25, 40] {
            let weights = Gaussian.weights(sigma: sigma).map(Double.init)
            #expect(abs(weights[0] + 2 * weights.dropFirst().reduce(0, +) - 1) < 1e-6)
            #expect(weights.count == Int((4 * sigma).rounded(.up)) + 1)
        }
        #expect(Gaussian.weights(sigma: 0) == [1])
    }

    @Test func aDownsampledGaussianKeepsItsVariance() {
        for sigma in [1, 3.9, 4, 5, 8, 31, 100] {
            let gaussian = Gaussian(sigma: sigma), factor = gaussian.factor
            // The impulse responses of each pixel of a block, summed: moments of the whole pipeline.
            let pairs = Gaussian.downsampleWeights(factor: factor).map(Double.init)
            let downsample = factor == 1 ? [1] : pairs.reversed() + pairs
            let blur = (-gaussian.radius...gaussian.radius).map { Double(gaussian.kernels[0][abs($0)]) }
            var sum = 0.0, variance = 0.0
            for (tap, weight) in downsample.enumerated() {
                for (step, share) in zip(-gaussian.radius...gaussian.radius, blur) {
                    for phase in 0..<factor {
                        for neighbour in 0..<3 {
                            let upsample = Double(gaussian.upsampleWeights[3 * phase + neighbour])
                            // The result's pixel and its source, relative to the downsampled pixel's centre.
                            let place = Double(step * factor - (neighbour - 1) * factor + phase)
                            let source = Double(tap) - Double(downsample.count - factor) / 2
                            let weight = weight * share * upsample
                            sum += weight
                            variance += weight * (place - source) * (place - source)
                        }
                    }
                }
            }
            #expect(abs(sum / Double(factor) - 1) < 1e-5, "\(sigma)")
            // Truncation at four sigmas takes a thousandth of the variance.
            #expect(abs(variance / Double(factor) / (sigma * sigma) - 1) < 0.02, "\(sigma)")
        }
    }
}
