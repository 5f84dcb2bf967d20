/// How much of a run's work is done, and how long the rest may take.
struct WorkEstimate {
    /// The share of all work that is done, 0...1.
    let share: Double
    /// The share that was skipped, which took next to no time.
    private let skippedShare: Double

    /// - Parameters:
    ///   - totalByteCount: size of all photos; nil where not all sizes are known, and photos are counted instead.
    ///   - photosAtWork: the sum of what is done of each photo at work, as a number of photos.
    init(_ tally: RunTally, totalCount: Int, totalByteCount: Int?, photosAtWork: Double) {
        let settled = Double(totalByteCount == nil ? tally.settledCount : tally.inputByteCount)
        let skipped = Double(totalByteCount == nil ? tally.skippedCount : tally.skippedByteCount)
        let total = Double(max(1, totalByteCount ?? totalCount))
        // Photos at work count as average ones: their sizes are not known here.
        let restCount = Double(max(1, totalCount - tally.settledCount))
        let atWork = (total - settled) * min(1, photosAtWork / restCount)
        share = min(1, (settled + atWork) / total)
        skippedShare = skipped / total
    }

    /// - Parameters:
    ///   - share: the share that is done.
    ///   - seconds: how long that took.
    /// - Returns: nil while nothing is done but what was skipped.
    func secondsLeft(share: Double, after seconds: Double) -> Double? {
        let worked = share - skippedShare
        return worked > 0 ? seconds / worked * (1 - share) : nil
    }
}
