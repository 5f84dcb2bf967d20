import Foundation
import Tintype

/// One line of `--json` for one photo.
struct PhotoLine: Encodable {
    let type = "photo"
    let input: String
    var output: String?
    /// The output's name in a recipe of several outputs.
    var name: String?
    /// `done`, `failed`, `upToDate`, `exists` (skipped because its output exists) or `elsewhere` (another process
    /// works on it); in a dry run also `planned` and `refused`.
    let status: String
    /// In a dry run, why the photo would be done: `new`, `outputMissing`, `failedBefore`, `inputChanged`, `suspect`.
    var reason: String?
    /// True in the second line of an output, which was made again; absent otherwise.
    var remade: Bool?
    var device: String?
    var fallback: String?
    var error: String?
    /// The file with what could be decoded of a damaged photo, with `--lenient`.
    var salvaged: String?
    /// What a photo that was done has lost; absent where that is nothing.
    var notes: [String]?
    var pixels: Int?
    var bytes: Int?
    var seconds: Double?

    init(_ result: PhotoResult, name: String?) {
        self.name = name
        input = result.job.photo.path
        output = result.job.output.path
        device = result.device
        fallback = result.fallback
        seconds = result.duration.seconds
        remade = result.isRemade ? true : nil
        switch result.status {
        case .done:
            status = "done"
            notes = result.notes.isEmpty ? nil : result.notes.map(\.description)
            pixels = result.pixelCount
            bytes = result.byteCount
        case .failed(let failure):
            status = "failed"
            error = failure.description
            if case .damaged(_, let path, _) = failure { salvaged = path }
        case .skipped(.upToDate): status = "upToDate"
        case .skipped(.outputExists): status = "exists"
        case .skipped(.claimedElsewhere): status = "elsewhere"
        }
    }

    init(_ failure: InputFailure) {
        input = failure.path
        status = "failed"
        error = failure.error.description
    }

    init(_ job: PhotoJob, _ fate: ApplyRun.Fate, name: String?) {
        self.name = name
        input = job.photo.path
        output = job.output.path
        switch fate {
        case .planned(let reason):
            status = "planned"
            self.reason = reason?.name
            if case .failedBefore(let before) = reason { error = before }
        case .upToDate: status = "upToDate"
        case .exists: status = "exists"
        case .refused(let refusal):
            status = "refused"
            error = refusal.description
        }
    }
}

/// The last line of `--json`: the run as a whole.
struct SummaryLine: Encodable {
    let type = "summary"
    let done: Int
    let failed: Int
    /// Photos whose outputs the journal knew, and photos that another process worked on.
    let upToDate: Int
    let elsewhere: Int
    /// Photos that were skipped because their outputs existed.
    let exists: Int
    /// Files in folders that Tintype does not read, by kind.
    let skippedFiles: [String: Int]
    /// Tintype's own outputs in the folders, which were left out.
    let ownOutputs: Int
    /// Photos that an interrupted run did not reach.
    let notDone: Int
    let pixels: Int
    let seconds: Double
    let megapixelsPerSecond: Double
    /// Photos done by each device, by its identifier.
    let devices: [String: Int]
    /// Why the run has these devices; absent if they were requested by name, and are there.
    let deviceReason: String?
    /// Photos that the CPU did in place of a device that failed.
    let fallbacks: Int
    /// Outputs that were made again, because their device gave wrong pixels later.
    let remade: Int
    /// Outputs that may be wrong for that reason, and that were not made again.
    let suspectOutputs: [String]
    /// The process's largest resident memory.
    let peakMemoryBytes: Int
    let exitCode: Int32
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
