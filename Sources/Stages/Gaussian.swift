import Foundation

/// A gaussian blur with one sigma, or with a sigma that changes along one axis of the photo.
///
/// Small sigmas are blurred at full resolution. For larger ones, rows and columns are downsampled by a power
/// of two, blurred, and upsampled.
///
/// Downsampling and upsampling are quadratic B-splines: Chaikin's subdivision, `[1 3 3 1] / 8` and `[1 3 3 1]
/// / 4`, once for each factor of two. Together they are close to a gaussian of variance (`factor`^2 - 1) / 2.
/// The blur between them has the rest of the variance sigma^2. As sigma is at least two downsampled pixels,
/// the result is within 0.54 of 255 of the true gaussian along an edge from black to white, and within 0.72
/// at a corner. Both errors are greatest at sigma 4.
///
/// Source: G. Chaikin, "An algorithm for high-speed curve generation" (1974); variances of B-splines.
public struct Gaussian: Hashable, Sendable {
    /// Pixels along each axis that become one downsampled pixel: 1, 2, 4, ...
    public let factor: Int
    /// The factors of the downsampling steps, in order. Their product is `factor`.
    public let steps: [Int]
    /// Weights of one or several blurs: at distance 0, 1, ... `radius`. Both sides together sum to 1.
    public let kernels: [[Float]]
    /// The index in `kernels` for each downsampled row or column; nil if all share one. If `factor` is above
    /// 1, the first entry is for the place before the photo and the last for the place after it.
    public let kernelOfPlace: [Int]?
    /// Weights for upsampling. For each of `factor` pixels: the weights of the previous, the own and the next
    /// downsampled pixel.
    public let upsampleWeights: [Float]

    /// The blur's radius in downsampled pixels.
    public var radius: Int { kernels[0].count - 1 }
    /// True if the blur changes nothing.
    public var isIdentity: Bool { radius == 0 && factor == 1 }

    /// Pixels on each side that a pixel of the result depends on.
    public var support: Int { factor == 1 ? radius : factor * (radius + 3) - 2 }

    /// The value of which these are the parts.
    package init(
        factor: Int, steps: [Int], kernels: [[Float]], kernelOfPlace: [Int]?, upsampleWeights: [Float]
    ) {
        self.factor = factor
        self.steps = steps
        self.kernels = kernels
        self.kernelOfPlace = kernelOfPlace
        self.upsampleWeights = upsampleWeights
    }

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

    /// Any symmetric weights in place of a gaussian's, without downsampling: a box, a spline, or one with negative lobes.
    ///
    /// - Parameter weights: at distance 0, 1, ... pixels, along x and along y. Both sides together need not sum to 1.
    /// - Precondition: there are 1 to 64 weights, all finite.
    public init(weights: [Float]) {
        precondition(1...64 ~= weights.count && weights.allSatisfy(\.isFinite), "1 to 64 weights are needed")
        factor = 1
        steps = []
        kernels = [weights]
        kernelOfPlace = nil
        upsampleWeights = Self.upsampleWeights(factor: 1)
    }

    /// A blur with a sigma for each row or column.
    ///
    /// - Parameters:
    ///   - factor: the downsampling factor.
    ///   - sigmas: in pixels, for each row or column of the photo; close to the sigmas for which `factor` is
    ///     chosen.
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

    /// Quantises changing sigmas. Neighbouring steps differ by 0.14 %, which changes no sample by more than
    /// 0.05 of 255.
    private static let sigmasPerOctave = 512.0

    /// The greatest factor of one step, because a step's cost and memory grow with its factor.
    private static let longestStep = 32

    private static func steps(to factor: Int, first: Int) -> [Int] {
        var steps: [Int] = [], rest = factor
        while rest > 1 {
            steps.append(min(rest, steps.isEmpty ? first : 8))
            rest /= steps[steps.count - 1]
        }
        return steps
    }

    /// The downsampling factor: sigma becomes at least two and less than four downsampled pixels. Below sigma
    /// 4 it is 1.
    package static func factor(sigma: Double) -> Int {
        var factor = 1
        while sigma >= Double(4 * factor) { factor *= 2 }
        return factor
    }

    /// The sigma of the blur between downsampling and upsampling, in downsampled pixels.
    private static func downsampledSigma(_ sigma: Double, factor: Int) -> Double {
        let splineVariance = Double(factor * factor - 1) / 2
        return (sigma * sigma - splineVariance).squareRoot() / Double(factor)
    }

    /// The sigmas at the centres of downsampled rows.
    private static func atDownsampledPlaces(_ sigmas: [Double], factor: Int) -> [Double] {
        guard factor > 1 else { return sigmas }
        func sigma(_ place: Int) -> Double { sigmas[min(max(place, 0), sigmas.count - 1)] }
        return (-1...(sigmas.count + factor - 1) / factor).map { place in
            let middle = place * factor + factor / 2
            return (sigma(middle - 1) + sigma(middle)) / 2
        }
    }

    /// Weights at distance 0, 1, ... ceil(4 sigma). They are normalised in double precision: both sides
    /// together sum to 1.
    ///
    /// Beyond four sigmas a gaussian has 6e-5 of its weight. A sigma under 0.1 gives the centre alone,
    /// because its neighbours would weigh less than 1e-21.
    package static func weights(sigma: Double) -> [Float] {
        guard sigma >= leastSigma else { return [1] }
        let taps = (0...Int((4 * sigma).rounded(.up))).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = taps[0] + 2 * taps.dropFirst().reduce(0, +)
        return taps.map { Float($0 / sum) }
    }

    /// A blur with a smaller sigma changes nothing.
    package static let leastSigma = 0.1

    /// Weights for downsampling by `factor`: of the middle pair of pixels, then of each pair around it. Both
    /// sides together sum to 1.
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
        // Impulse responses: one of three downsampled pixels is 1, the others are 0. The weights are the
        // upsampled values within the middle pixel. Farther downsampled pixels do not contribute there.
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
