import Foundation
import Tintype

/// One line of `--json` for one photo.
struct PhotoLine: Encodable {
    let type = "photo"
    let input: String
    var output: String?
    /// `done`, `failed`, `upToDate`, `exists` where an output that exists was left alone, `elsewhere` where
    /// another process is at it; in a dry run `planned` and `refused`, too.
    let status: String
    /// In a dry run, why the photo would be done: `new`, `outputMissing`, `failedBefore`, `inputChanged`.
    var reason: String?
    var device: String?
    var fallback: String?
    var error: String?
    /// Where what is left of a damaged photo is, with `--lenient`.
    var salvaged: String?
    /// What is worth telling of a photo that was done; absent where there is nothing.
    var notes: [String]?
    var pixels: Int?
    var bytes: Int?
    var seconds: Double?

    init(_ result: PhotoResult) {
        input = result.job.photo.path
        output = result.job.output.path
        device = result.device
        fallback = result.fallback
        seconds = result.duration.seconds
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

    init(_ job: PhotoJob, _ fate: ApplyRun.Fate) {
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
    /// Photos whose outputs were there already, and those that another process was at.
    let upToDate: Int
    let elsewhere: Int
    /// Photos that were left alone because their outputs existed.
    let exists: Int
    /// Files in folders that Tintype does not read, by kind.
    let skippedFiles: [String: Int]
    /// Photos in folders that Tintype has made, and that were left out.
    let ownOutputs: Int
    /// Photos that an interrupted run did not come to.
    let notDone: Int
    let pixels: Int
    let seconds: Double
    let megapixelsPerSecond: Double
    /// Photos done by each device, by its identifier.
    let devices: [String: Int]
    /// Photos that the CPU did in place of a device that failed.
    let fallbacks: Int
    /// Most memory that the process had at once.
    let peakMemoryBytes: Int
    let exitCode: Int32
}

extension Encodable {
    /// The value as JSON on one line, keys sorted.
    func jsonText(pretty: Bool = false) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        if pretty { encoder.outputFormatting.insert(.prettyPrinted) }
        do {
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        } catch {
            preconditionFailure("plain values always encode: \(error)")
        }
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
