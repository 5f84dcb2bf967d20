import Foundation

/// Weights of a sampled gaussian.
package enum Gaussian {
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
}
