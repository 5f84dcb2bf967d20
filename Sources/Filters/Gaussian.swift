import Foundation

/// A gaussian as devices run it: at full resolution where it is narrow, else on rows and columns that are
/// shrunk by a power of two, blurred there, and widened again.
///
/// Shrinking and widening are quadratic B-splines (Chaikin's subdivision, `[1 3 3 1] / 8` and
/// `[1 3 3 1] / 4` once for each factor of two), which are themselves near to gaussians: the blur in between
/// has what their variances leave of sigma squared. With at least two sigmas a shrunk pixel, the result is
/// within 0.55 of 255 of the true gaussian, on the hardest edges there are.
///
/// Source: G. Chaikin, "An algorithm for high-speed curve generation" (1974); variances of B-splines.
public struct Gaussian: Hashable, Sendable {
    /// Pixels, along each axis, that become one before the blur; 1, 2, 4, ...
    public let factor: Int
    /// Weights of the blur: the centre's, then those at distance 1, 2, ... They sum to 1 over both sides.
    public let weights: [Float]
    /// Weights for shrinking: of the pair of pixels in the middle of `factor`, then of those around it.
    /// They sum to 1 over both sides; empty where `factor` is 1.
    public let shrinkWeights: [Float]
    /// Weights for widening: for each of `factor` pixels, of the shrunk pixel before, its own, and the one
    /// after.
    public let widenWeights: [Float]

    /// Shrunk pixels on each side that the blur depends on.
    public var radius: Int { weights.count - 1 }
    /// True where the blur changes nothing.
    public var isIdentity: Bool { radius == 0 && factor == 1 }

    /// Pixels above and below (left and right) that a pixel depends on.
    public var reach: Int { factor == 1 ? radius : factor * (radius + 3) - 2 }

    /// - Parameter sigma: in pixels, at least 0.
    public init(sigma: Double) {
        var factor = 1
        while sigma >= Double(4 * factor) { factor *= 2 }
        self.factor = factor
        let splineVariance = Double(factor * factor - 1) / 2
        weights = Self.weights(sigma: (sigma * sigma - splineVariance).squareRoot() / Double(factor))
        shrinkWeights = Self.shrinkWeights(factor: factor)
        widenWeights = Self.widenWeights(factor: factor)
    }

    /// Weights at distance 0, 1, ... ceil(4 sigma), normalised in double precision so that both sides sum to
    /// 1.
    ///
    /// What four sigmas leave out is 6e-5 of the whole. A sigma under 0.1 gives the centre alone: its
    /// neighbours would weigh less than 1e-21.
    package static func weights(sigma: Double) -> [Float] {
        guard sigma >= 0.1 else { return [1] }
        let taps = (0...Int((4 * sigma).rounded(.up))).map { exp(-Double($0 * $0) / (2 * sigma * sigma)) }
        let sum = taps[0] + 2 * taps.dropFirst().reduce(0, +)
        return taps.map { Float($0 / sum) }
    }

    private static func shrinkWeights(factor: Int) -> [Float] {
        guard factor > 1 else { return [] }
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

    private static func widenWeights(factor: Int) -> [Float] {
        // The middle one of three shrunk pixels is the nearest to its own `factor` pixels: what becomes of it
        // and its neighbours, each being 1 while the others are 0. Beyond them, nothing reaches so far.
        let widened = (0..<3).map { one in
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
        return (0..<factor).flatMap { phase in widened.map { $0[phase] } }
    }
}
