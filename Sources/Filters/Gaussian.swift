import Foundation

/// A gaussian as devices run it: at full resolution where it is narrow, else on rows and columns that are
/// downsampled by a power of two, blurred there, and upsampled again. Its sigma is the same everywhere, or it changes along one
/// axis of the photo.
///
/// Downsampling and upsampling are quadratic B-splines (Chaikin's subdivision, `[1 3 3 1] / 8` and
/// `[1 3 3 1] / 4` once for each factor of two), which are themselves near to gaussians: the blur in between
/// has what their variances leave of sigma squared. With at least two sigmas a downsampled pixel, the result is
/// within 0.54 of 255 of the true gaussian along an edge from black to white, and within 0.72 at such a corner; both
/// at sigma 4, where it is worst.
///
/// Source: G. Chaikin, "An algorithm for high-speed curve generation" (1974); variances of B-splines.
public struct Gaussian: Hashable, Sendable {
    /// Pixels, along each axis, that become one before the blur; 1, 2, 4, ...
    public let factor: Int
    /// The factors, one after the other, by which is downsampled; their product is `factor`.
    public let steps: [Int]
    /// Weights of one blur or several: the centre's, then those at distance 1, 2, ... `radius`. They sum to 1 over
    /// both sides.
    public let kernels: [[Float]]
    /// Which of `kernels` a downsampled row or column takes, from that before the photo's first to that after its last (from
    /// first to last where `factor` is 1); nil where there is one for all.
    public let kernelOfPlace: [Int]?
    /// Weights for upsampling: for each of `factor` pixels, of the downsampled pixel before, its own, and the one
    /// after.
    public let upsampleWeights: [Float]

    /// Downsampled pixels on each side that the blur depends on.
    public var radius: Int { kernels[0].count - 1 }
    /// True where the blur changes nothing.
    public var isIdentity: Bool { radius == 0 && factor == 1 }

    /// Pixels above and below (left and right) that a pixel depends on.
    public var support: Int { factor == 1 ? radius : factor * (radius + 3) - 2 }

    /// One sigma for the whole photo.
    ///
    /// - Parameter sigma: in pixels, at least 0.
    public init(sigma: Double) {
        factor = Self.factor(sigma: sigma)
        steps = Self.steps(to: factor, first: Self.longestStep)
        kernels = [Self.weights(sigma: Self.downsampledSigma(sigma, factor: factor))]
        kernelOfPlace = nil
        upsampleWeights = Self.upsampleWeights(factor: factor)
    }

    /// A sigma for each row or column.
    ///
    /// - Parameters:
    ///   - factor: how far to downsample.
    ///   - sigmas: in pixels, for each row or column of the photo, near those that go with `factor`.
    package init(factor: Int, sigmas: [Double]) {
        self.factor = factor
        steps = Self.steps(to: factor, first: 8)
        upsampleWeights = Self.upsampleWeights(factor: factor)
        var found: [Int: Int] = [:], distinct: [[Float]] = []
        kernelOfPlace = Self.atDownsampledPlaces(sigmas, factor: factor).map { sigma in
            let step = Int((log2(sigma) * Self.sigmasPerOctave).rounded())
            if let kernel = found[step] { return kernel }
            let sigma = exp2(Double(step) / Self.sigmasPerOctave)
            distinct.append(Self.weights(sigma: Self.downsampledSigma(sigma, factor: factor)))
            found[step] = distinct.count - 1
            return distinct.count - 1
        }
        let longest = distinct.map(\.count).max() ?? 1
        kernels = distinct.map { $0 + Array(repeating: 0, count: longest - $0.count) }
    }

    /// Kernels for sigmas that change: neighbours are 0.14 % apart, which changes no sample by more than 0.05 of 255.
    private static let sigmasPerOctave = 512.0

    /// Longer factors are made of several steps: a step's cost and memory grow with it.
    private static let longestStep = 32

    private static func steps(to factor: Int, first: Int) -> [Int] {
        var steps: [Int] = [], rest = factor
        while rest > 1 {
            steps.append(min(rest, steps.isEmpty ? first : 8))
            rest /= steps[steps.count - 1]
        }
        return steps
    }

    /// How far to downsample: such that a downsampled pixel has two sigmas or more, and less than four.
    package static func factor(sigma: Double) -> Int {
        var factor = 1
        while sigma >= Double(4 * factor) { factor *= 2 }
        return factor
    }

    /// What downsampling and upsampling leave to the blur, in downsampled pixels.
    private static func downsampledSigma(_ sigma: Double, factor: Int) -> Double {
        let splineVariance = Double(factor * factor - 1) / 2
        return (sigma * sigma - splineVariance).squareRoot() / Double(factor)
    }

    /// The sigmas at the middles of downsampled rows.
    private static func atDownsampledPlaces(_ sigmas: [Double], factor: Int) -> [Double] {
        guard factor > 1 else { return sigmas }
        func sigma(_ place: Int) -> Double { sigmas[min(max(place, 0), sigmas.count - 1)] }
        return (-1...(sigmas.count + factor - 1) / factor).map { place in
            let middle = place * factor + factor / 2
            return (sigma(middle - 1) + sigma(middle)) / 2
        }
    }

    /// Weights at distance 0, 1, ... ceil(4 sigma), normalised in double precision so that both sides sum to
    /// 1.
    ///
    /// What four sigmas leave out is 6e-5 of the whole. A sigma under 0.1 gives the centre alone: its
    /// neighbours would weigh less than 1e-21.
    package static func weights(sigma: Double) -> [Float] {
        guard sigma >= leastSigma else { return [1] }
        let taps = (0...Int((4 * sigma).rounded(.up))).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = taps[0] + 2 * taps.dropFirst().reduce(0, +)
        return taps.map { Float($0 / sum) }
    }

    /// Below this, a blur changes nothing.
    package static let leastSigma = 0.1

    /// Weights for downsampling by `factor`: of the pair of pixels in the middle of `factor`, then of those around it.
    /// They sum to 1 over both sides.
    ///
    /// - Parameter factor: a power of two, at least 2.
    package static func downsampleWeights(factor: Int) -> [Float] {
        var taps = [1.0]
        var step = 1
        while step < factor {
            var longer = Array(repeating: 0.0, count: taps.count + 3 * step)
            for (index, tap) in taps.enumerated() {
                for (place, share) in [1.0, 3, 3, 1].enumerated() {
                    longer[index + place * step] += tap * share / 8
                }
            }
            taps = longer
            step *= 2
        }
        return taps[(taps.count / 2)...].map { Float($0) }
    }

    private static func upsampleWeights(factor: Int) -> [Float] {
        // The middle one of three downsampled pixels is the nearest to its own `factor` pixels: what becomes of it
        // and its neighbours, each being 1 while the others are 0. Beyond them, nothing reaches so far.
        let upsampled = (0..<3).map { one in
            var values = (-1...3).map { $0 == one ? 1.0 : 0 }
            var width = 1
            while width < factor {
                values = values.indices.flatMap { index in
                    let before = values[max(index - 1, 0)], after = values[min(index + 1, values.count - 1)]
                    return [0.75 * values[index] + 0.25 * before, 0.75 * values[index] + 0.25 * after]
                }
                width *= 2
            }
            return values[2 * factor..<3 * factor].map { Float($0) }
        }
        return (0..<factor).flatMap { phase in upsampled.map { $0[phase] } }
    }
}
