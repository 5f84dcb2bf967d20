/// How much of a run's work is done, and how long the rest may take.
struct WorkEstimate {
    /// Of the whole, 0...1.
    let share: Double
    /// Of the whole, what was found done already: it took no time to speak of.
    private let skippedShare: Double

    /// - Parameters:
    ///   - totalByteCount: size of all photos; nil where not all are known, and photos are counted instead.
    ///   - photosAtWork: what photos that are not settled come to.
    init(_ tally: RunTally, totalCount: Int, totalByteCount: Int?, photosAtWork: Double) {
        let settled = Double(totalByteCount == nil ? tally.settledCount : tally.inputByteCount)
        let skipped = Double(totalByteCount == nil ? tally.skippedCount : tally.skippedByteCount)
        let total = Double(max(1, totalByteCount ?? totalCount))
        // Of the rest, each photo counts the same: nobody knows which of them are at work.
        let restCount = Double(max(1, totalCount - tally.settledCount))
        let atWork = (total - settled) * min(1, photosAtWork / restCount)
        share = min(1, (settled + atWork) / total)
        skippedShare = skipped / total
    }

    /// - Parameters:
    ///   - share: of the whole that is done.
    ///   - seconds: how long that took.
    /// - Returns: nil as long as nothing but what was skipped is done.
    func secondsLeft(share: Double, after seconds: Double) -> Double? {
        let worked = share - skippedShare
        return worked > 0 ? seconds / worked * (1 - share) : nil
    }
}
