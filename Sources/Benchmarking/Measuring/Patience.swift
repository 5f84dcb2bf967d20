/// Leaves out photos that would take a device too long, as estimated from smaller photos.
///
/// OpenCL on a CPU may blur a hundred times slower than a GPU, so that large photos would take most of the
/// time limit.
struct Patience {
    /// Seconds that one photo may take in kernels.
    private let limit: Double
    /// Seconds a megapixel, by device and chain.
    private var pace: [[String]: Double] = [:]
    private(set) var leftOut: Set<Samples.Case> = []

    /// - Parameter secondsLimit: the limit of all measurements. One photo may take a thirtieth of it, a share
    ///   chosen by eye: there are dozens of cases, and each renders its photo about five times.
    init(secondsLimit: Double) { limit = max(secondsLimit, 60) / 30 }

    func knows(_ key: Samples.Case) -> Bool { pace[[key.device, key.chain]] != nil }

    /// A photo below a megapixel counts as one: most of its time is the same for every size.
    mutating func learn(_ key: Samples.Case, megapixels: Double, seconds: Double) {
        pace[[key.device, key.chain]] = seconds / max(megapixels, 1)
    }

    /// - Returns: whether the photo would take too long; it is then in `leftOut`.
    mutating func leavesOut(_ key: Samples.Case, megapixels: Double) -> Bool {
        guard let pace = pace[[key.device, key.chain]], pace * megapixels > limit else { return false }
        leftOut.insert(key)
        return true
    }
}
