/// Leaves out large photos that a device would take too long for, judged by smaller ones.
///
/// OpenCL on a CPU may blur a hundred times slower than a GPU, so its largest photos would take all the time.
struct Patience {
    /// Seconds that one photo may take in kernels.
    private let limit: Double
    /// Seconds a megapixel, by device and chain.
    private var pace: [[String]: Double] = [:]
    private(set) var leftOut: Set<Samples.Case> = []

    /// - Parameter secondsLimit: for all measurements. A photo passes some five times, and there are dozens
    ///   of cases; a thirtieth, chosen by eye, lets the usual ones through.
    init(secondsLimit: Double) { limit = max(secondsLimit, 60) / 30 }

    func knows(_ key: Samples.Case) -> Bool { pace[[key.device, key.chain]] != nil }

    mutating func learn(_ key: Samples.Case, megapixels: Double, seconds: Double) {
        pace[[key.device, key.chain]] = seconds / megapixels
    }

    /// - Returns: whether the photo would take too long; it is then in `leftOut`.
    mutating func leavesOut(_ key: Samples.Case, megapixels: Double) -> Bool {
        guard let pace = pace[[key.device, key.chain]], pace * megapixels > limit else { return false }
        leftOut.insert(key)
        return true
    }
}
