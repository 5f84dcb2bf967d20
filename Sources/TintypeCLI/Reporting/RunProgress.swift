import Foundation
import Tintype
import TintypeLocking

/// How far a run has come, and how long the rest may take.
final class RunProgress: Sendable {
    private struct State {
        /// The largest share of the work that was shown, and since when.
        var share = 0.0
        var lastAdvance = ContinuousClock.now
        var lastPlainLine = ContinuousClock.now
        var totalCount = 0
        /// Nil where not all sizes are known.
        var totalByteCount: Int? = 0
        /// Time without work.
        var idle = Duration.zero
    }

    /// Where output is no terminal, a line is printed this often.
    private static let plainInterval = Duration.seconds(5)

    private let start = ContinuousClock.now
    private let state = Locked(State())

    /// - Parameters:
    ///   - existing: photos that are skipped before the run.
    ///   - failureCount: photos that have failed before the run.
    init(photos: [PhotoJob], existing: [PhotoJob], failureCount: Int) {
        add(photos, existing: existing, failureCount: failureCount, after: .zero)
    }

    /// Adds photos that were found later.
    ///
    /// - Parameter idle: how long nothing was to be done before.
    func add(_ photos: [PhotoJob], existing: [PhotoJob], failureCount: Int, after idle: Duration) {
        // Skipped photos too: the tally counts their bytes.
        let jobs = [photos, existing].joined()
        let knowsSizes = jobs.allSatisfy { $0.photo.byteCount > 0 }
        let byteCount = jobs.reduce(0) { $0 + $1.photo.byteCount }
        state.withLock { state in
            state.totalCount += photos.count + existing.count + failureCount
            state.totalByteCount = knowsSizes ? state.totalByteCount.map { $0 + byteCount } : nil
            state.share = 0
            state.idle += idle
        }
    }

    /// Photos with and without a result.
    var totalCount: Int { state.withLock { $0.totalCount } }

    /// Without the time in which nothing was to be done.
    var secondsElapsed: Double { (start.duration(to: .now) - state.withLock { $0.idle }).seconds }

    func line(_ tally: RunTally, _ progress: PixelCounter, device: String) -> ProgressLine {
        let seconds = secondsElapsed
        let (share, secondsLeft) = advance(tally, photosAtWork: progress.photosAtWork)
        return ProgressLine(
            share: share, doneCount: tally.settledCount, totalCount: state.withLock { $0.totalCount },
            failedCount: tally.failedCount,
            megapixelsPerSecond: Double(progress.pixelCount) / 1e6 / max(seconds, 0.001),
            secondsElapsed: seconds, secondsLeft: secondsLeft, device: device.printable,
            noun: tally.noun)
    }

    /// Whether the next plain line is due; the caller then prints it.
    func isPlainLineDue() -> Bool {
        state.withLock { state in
            guard state.lastPlainLine.duration(to: .now) >= Self.plainInterval else { return false }
            state.lastPlainLine = .now
            return true
        }
    }

    /// The share of the work that is done, and the seconds that are left: nil before the first result.
    ///
    /// The share is of all bytes where all sizes are known, else of all photos. The time left is estimated at each
    /// advance, and counted down from there, so that it goes down evenly between results.
    private func advance(_ tally: RunTally, photosAtWork: Double) -> (share: Double, secondsLeft: Double?) {
        state.withLock { state in
            let estimate = WorkEstimate(
                tally, totalCount: state.totalCount, totalByteCount: state.totalByteCount,
                photosAtWork: photosAtWork)
            if estimate.share > state.share { (state.share, state.lastAdvance) = (estimate.share, .now) }
            let left = estimate.secondsLeft(
                share: state.share, after: (start.duration(to: state.lastAdvance) - state.idle).seconds)
            let waited = state.lastAdvance.duration(to: .now).seconds
            return (state.share, left.map { max(0, $0 - waited) })
        }
    }
}
