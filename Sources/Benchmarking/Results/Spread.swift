/// Median and quartiles of measurements.
package struct Spread: Codable, Equatable, Sendable {
    package let median: Double
    /// First and third quartile: half of the measurements lie between them.
    package let low, high: Double
    /// How many measurements there were.
    package let count: Int

    /// Quartiles are interpolated between neighbours, as R's default (type 7) and NumPy's `percentile` do.
    ///
    /// - Returns: nil where there are no measurements.
    init?(_ values: [Double]) {
        guard !values.isEmpty else { return nil }
        let sorted = values.sorted()
        func quantile(_ share: Double) -> Double {
            let place = share * Double(sorted.count - 1)
            let index = min(Int(place), sorted.count - 1)
            let next = min(index + 1, sorted.count - 1)
            return sorted[index] + (place - Double(index)) * (sorted[next] - sorted[index])
        }
        median = quantile(0.5)
        low = quantile(0.25)
        high = quantile(0.75)
        count = sorted.count
    }

    /// Ratios of measurements of the same round, so that a slow phase of the machine affects both.
    ///
    /// Both are by round. A round that lacks one of the two does not count.
    init?(ratiosOf values: [Int: Double], to references: [Int: Double]) {
        self.init(
            values.compactMap { round, value in
                references[round].flatMap { $0 > 0 ? value / $0 : nil }
            })
    }
}
