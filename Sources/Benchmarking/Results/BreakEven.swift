import Foundation

extension BenchmarkReport.BreakEvenEntry {
    /// Speeds of a device and of the CPU at one size of photos.
    typealias Speeds = (megapixels: Double, device: Double, cpu: Double)

    /// - Parameter speeds: one for each size, in any order.
    /// - Returns: nil where nothing was measured.
    ///
    /// Between two sizes, the ratio of the speeds is taken to be linear in the logarithm of the size. Where it
    /// crosses 1 several times, the last crossing counts: from there on the device stays ahead.
    init?(device: String, cpu: String, chain: String, _ speeds: [Speeds]) {
        let ratios = speeds.sorted { $0.megapixels < $1.megapixels }
            .map { (logSize: log($0.megapixels), ratio: $0.device / $0.cpu) }
        guard let largest = ratios.last else { return nil }
        self.init(device: device, cpu: cpu, chain: chain, answer: largest.ratio > 1 ? .always : .none)
        guard answer == .always, let behind = ratios.lastIndex(where: { $0.ratio <= 1 }) else { return }
        let (below, above) = (ratios[behind], ratios[behind + 1])
        let share = (1 - below.ratio) / (above.ratio - below.ratio)
        answer = .from
        megapixels = exp(below.logSize + share * (above.logSize - below.logSize))
    }
}
