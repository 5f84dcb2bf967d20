import Tintype

/// Outputs of a run that may be wrong, because their device was found to give wrong pixels.
struct SuspectTally {
    private struct Suspect {
        /// The device that has made it.
        var device: String
        /// The device for which its photo was counted; nil if it has failed, such as one whose upload got no answer.
        let counted: String?
        /// Whether it was found in an earlier round of `--watch`, so that its photo has a result.
        var isEarlier = false
        /// Whether a later run would take it as right.
        var isUnknown = false
    }

    /// By their paths.
    private var suspects: [ExactText: Suspect] = [:]
    /// Photos that have failed at their last attempt, by the paths of their outputs.
    private var failures: [ExactText: PhotoError.Kind] = [:]

    var paths: [String] { suspects.keys.sorted().map(\.text) }

    /// - Returns: those that a later run takes as right, or those that it makes again.
    func paths(takenAsRight: Bool, keepsJournal: Bool) -> [String] {
        suspects.filter { (!keepsJournal || $0.value.isUnknown) == takenAsRight }.keys.sorted().map(\.text)
    }

    mutating func add(_ paths: [String], of device: String) {
        for path in paths.map(\.exact) {
            var suspect =
                suspects[path] ?? Suspect(device: device, counted: failures[path] == nil ? device : nil)
            suspect.device = device
            suspects[path] = suspect
        }
    }

    /// Notes that a later run would take these as right.
    mutating func add(unknown paths: [String]) {
        for path in paths { suspects[path.exact]?.isUnknown = true }
    }

    /// Counts a result.
    mutating func add(_ result: PhotoResult, to tally: inout RunTally) {
        let path = result.job.output.path.exact
        if result.isRemade || suspects[path]?.isEarlier == true { return addSecond(result, path, to: &tally) }
        tally.add(result)
        switch result.status {
        case .failed(let error):
            // It has not got its name after all.
            suspects[path] = nil
            if let before = failures.updateValue(error.kind, forKey: path) { tally.withdrawFailure(before) }
        case .done, .skipped(.upToDate):
            // With `--watch`, a photo that was written in two steps fails first.
            if let before = failures.removeValue(forKey: path) { tally.withdrawFailure(before) }
        case .skipped: break
        }
    }

    private mutating func addSecond(_ result: PhotoResult, _ path: ExactText, to tally: inout RunTally) {
        switch result.status {
        // Another device that was found wrong may have made it.
        case .done where suspects[path]?.device != result.device:
            if let suspect = suspects.removeValue(forKey: path) {
                tally.move(result, from: suspect.counted)
            }
        case .skipped(.upToDate) where suspects[path]?.isUnknown != true: suspects[path] = nil
        case .done, .failed, .skipped: break
        }
    }

    /// Ends a round of `--watch`.
    ///
    /// - Parameter jobs: the round's.
    /// - Returns: outputs of earlier rounds of which this one has found that they may be wrong.
    mutating func endRound(of jobs: [PhotoJob] = []) -> Set<ExactText> {
        let found = suspects.filter { !$0.value.isEarlier }.keys
        for path in found { suspects[path]?.isEarlier = true }
        return Set(found).subtracting(jobs.map(\.output.path.exact))
    }
}
