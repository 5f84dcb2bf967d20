import Foundation

/// From which size of photos on a device is faster than the CPU, end to end.
enum BreakEven: Equatable {
    /// At the smallest size that was measured, and at all others.
    case always
    /// From this number of megapixels on.
    case from(megapixels: Double)
    /// Not at the largest size that was measured.
    case never

    /// - Parameter speeds: one for each size, in any order: megapixels, and the two speeds there.
    /// - Returns: nil where nothing was measured.
    ///
    /// Between two sizes, the ratio of the speeds is taken to be linear in the logarithm of the size. Where
    /// it crosses 1 several times, the last crossing counts: from there on the device stays ahead.
    init?(_ speeds: [(megapixels: Double, device: Double, cpu: Double)]) {
        let ratios = speeds.sorted { $0.megapixels < $1.megapixels }
            .map { (logSize: log($0.megapixels), ratio: $0.device / $0.cpu) }
        guard let largest = ratios.last else { return nil }
        guard largest.ratio > 1 else {
            self = .never
            return
        }
        guard let behind = ratios.lastIndex(where: { $0.ratio <= 1 }) else {
            self = .always
            return
        }
        let (below, above) = (ratios[behind], ratios[behind + 1])
        let share = (1 - below.ratio) / (above.ratio - below.ratio)
        self = .from(megapixels: exp(below.logSize + share * (above.logSize - below.logSize)))
    }
}
