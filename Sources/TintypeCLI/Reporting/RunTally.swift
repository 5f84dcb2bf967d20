import Foundation
import Tintype

/// What a run has done so far.
struct RunTally {
    /// What is counted: with several outputs for each photo, these.
    enum Noun: String {
        case photo, output

        func text(_ count: Int) -> String { "\(count) \(rawValue)\(count == 1 ? "" : "s")" }
    }

    var noun = Noun.photo
    var doneCount = 0
    var failedCount = 0
    var upToDateCount = 0
    /// Photos that were skipped because their outputs existed.
    var existingCount = 0
    /// Photos that another process works on.
    var elsewhereCount = 0
    /// Photos that an interrupted run did not reach.
    var notDoneCount = 0
    var fallbackCount = 0
    /// Outputs that were made again, because their device gave wrong pixels later.
    var remadeCount = 0
    var pixelCount = 0
    /// Bytes of all photos that have a result.
    var inputByteCount = 0
    /// Bytes of the skipped ones among them.
    var skippedByteCount = 0
    private(set) var failureCounts: [PhotoError.Kind: Int] = [:]
    var photosByDevice: [String: Int] = [:]
    /// Bytes of all photos that were read, and of all outputs.
    private(set) var readByteCount = 0, outputByteCount = 0
    /// Where the photos' time went.
    private(set) var times = PhotoTimes()

    var failureKinds: Set<PhotoError.Kind> { Set(failureCounts.keys) }

    /// Photos that were skipped.
    var skippedCount: Int { upToDateCount + existingCount + elsewhereCount }
    /// Failures that were taken back.
    private(set) var withdrawnCount = 0
    /// Results so far.
    var settledCount: Int { doneCount + failedCount + skippedCount + withdrawnCount }

    mutating func add(_ failure: InputFailure) {
        addFailure(failure.error.kind)
    }

    private mutating func addFailure(_ kind: PhotoError.Kind) {
        failedCount += 1
        failureCounts[kind, default: 0] += 1
    }

    /// Takes back a failure: the photo has another result now.
    mutating func withdrawFailure(_ kind: PhotoError.Kind) {
        failedCount -= 1
        withdrawnCount += 1
        failureCounts[kind, default: 0] -= 1
        if failureCounts[kind] == 0 { failureCounts[kind] = nil }
    }

    mutating func add(_ result: PhotoResult) {
        inputByteCount += result.job.photo.byteCount
        // A photo's further outputs tell no time.
        if result.times[.read] > .zero { readByteCount += result.job.photo.byteCount }
        times += result.times
        if case .skipped = result.status { skippedByteCount += result.job.photo.byteCount }
        switch result.status {
        case .done:
            doneCount += 1
            pixelCount += result.pixelCount
            outputByteCount += result.byteCount
            if let device = result.device { photosByDevice[device, default: 0] += 1 }
            if result.fallback != nil { fallbackCount += 1 }
        case .failed(let error):
            addFailure(error.kind)
        case .skipped(.upToDate):
            upToDateCount += 1
        case .skipped(.outputExists):
            existingCount += 1
        case .skipped(.claimedElsewhere):
            elsewhereCount += 1
        }
    }
}

extension RunTally {
    /// Counts an output that another device has made again.
    ///
    /// - Parameter device: for which it was counted; nil if it was not.
    mutating func move(_ result: PhotoResult, from device: String?) {
        remadeCount += 1
        guard let device else { return }
        photosByDevice[device, default: 0] -= 1
        if photosByDevice[device] == 0 { photosByDevice[device] = nil }
        if let device = result.device { photosByDevice[device, default: 0] += 1 }
        if result.fallback != nil { fallbackCount += 1 }
    }

    /// `1200 photos, 14400.0 MP in 12.3 s (1170.7 MP/s) on cpu (x86-64-v3), bound by the processors (97% busy)`, and what did
    /// not get done.
    ///
    /// - Parameter evidence: nil does not tell what bound the run.
    func summary(
        seconds: Double, devices: [String: String], _ evidence: Bottleneck.Evidence? = nil
    ) -> String {
        guard doneCount > 0 else { return idleSummary }
        var text = noun.text(doneCount) + ", "
        text += String(
            format: "%.1f MP in %.1f s (%.1f MP/s)", Double(pixelCount) / 1e6, seconds,
            megapixels(in: seconds))
        let names = photosByDevice.keys.sorted().map { identifier in
            let name = devices[identifier].map { "\(identifier) (\($0))" } ?? identifier
            return photosByDevice.count > 1 ? "\(name): \(photosByDevice[identifier] ?? 0)" : name
        }
        if !names.isEmpty { text += " on \(names.joined(separator: ", "))" }
        if let clause = evidence.flatMap({ clause($0, seconds: seconds) }) { text += ", \(clause)" }
        return text + rest
    }

    /// `Nothing to do: all 12 up to date.`: the summary of a run that has made no output.
    private var idleSummary: String {
        guard failedCount + elsewhereCount + notDoneCount == 0 else { return noun.text(0) + rest }
        if upToDateCount > 0, existingCount == 0 {
            return "Nothing to do: \(upToDateCount > 1 ? "all " : "")\(upToDateCount) up to date."
        }
        let counts = rest.hasPrefix("; ") ? String(rest.dropFirst(2)) : noun.text(0) + rest
        return "Nothing to do: \(counts)"
    }

    /// Megapixels a second.
    func megapixels(in seconds: Double) -> Double { seconds > 0 ? Double(pixelCount) / 1e6 / seconds : 0 }

    /// `12 photos; 3 up to date.`: what was done so far.
    var counts: String { "\(noun.text(doneCount)) so far\(rest)" }

    /// The counts of what was not filtered, and the end of the sentence.
    private var rest: String {
        var text = ""
        if upToDateCount > 0 { text += "; \(upToDateCount) up to date" }
        if remadeCount > 0 { text += "; \(remadeCount) made again" }
        if existingCount > 0 { text += "; \(existingCount) skipped, whose outputs exist" }
        if elsewhereCount > 0 { text += "; \(elsewhereCount) left to another process" }
        if failedCount > 0 { text += "; \(failedCount) failed, named above" }
        if notDoneCount > 0 { text += "; \(notDoneCount) not done" }
        return text + "."
    }
}
