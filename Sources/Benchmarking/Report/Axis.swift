import Foundation

/// A linear axis from 0 to a round number.
struct Axis {
    let step: Double
    let end: Double

    /// - Parameter largest: the value that the axis must reach.
    init(upTo largest: Double) {
        let wanted = max(largest, 1e-9) / 4
        let power = pow(10, floor(log10(wanted)))
        step = power * ([1, 2, 2.5, 5, 10].first { $0 * power >= wanted * 0.999_999 } ?? 10)
        end = (largest / step).rounded(.up) * step
    }

    /// The multiples of the step, and their labels.
    var ticks: [(value: Double, label: String)] {
        (0...max(1, Int((end / step).rounded()))).map {
            (Double($0) * step, String(format: "%g", Double($0) * step))
        }
    }

    /// The position of a value, 0...1.
    func position(_ value: Double) -> Double { value / end }
}
