import Foundation

/// A linear axis from 0 to a round number.
struct Axis {
    let end: Double
    let step: Double

    /// - Parameter largest: what the axis has to reach.
    init(upTo largest: Double) {
        let wanted = max(largest, 1e-9) / 4
        let power = pow(10, floor(log10(wanted)))
        let factor = [1, 2, 2.5, 5, 10].first { $0 * power >= wanted * 0.999_999 } ?? 10
        step = factor * power
        end = (largest / step).rounded(.up) * step
    }

    var ticks: [Double] { (0...max(1, Int((end / step).rounded()))).map { Double($0) * step } }

    /// Where a value lies, 0...1.
    func place(_ value: Double) -> Double { value / end }

    /// A tick's number, with no more decimals than the step has.
    func text(_ tick: Double) -> String {
        let decimals = max(
            0, Int(-floor(log10(step) + 1e-9)) + (step / pow(10, floor(log10(step))) == 2.5 ? 1 : 0))
        return String(format: "%.\(decimals)f", tick)
    }
}
