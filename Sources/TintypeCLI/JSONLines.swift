import Foundation
import Tintype

/// One line of `--json` for one photo.
struct PhotoLine: Encodable {
    let type = "photo"
    let input: String
    var output: String?
    /// `done`, `failed`, `upToDate`, `elsewhere` where another process is at it; `planned` in a dry run.
    let status: String
    var device: String?
    var fallback: String?
    var error: String?
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
        case .skipped(.upToDate): status = "upToDate"
        case .skipped(.claimedElsewhere): status = "elsewhere"
        }
    }

    init(_ failure: InputFailure) {
        input = failure.path
        status = "failed"
        error = failure.error.description
    }

    init(planned job: PhotoJob) {
        input = job.photo.path
        output = job.output.path
        status = "planned"
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
    /// Photos that an interrupted run did not come to.
    let notDone: Int
    let pixels: Int
    let seconds: Double
    let megapixelsPerSecond: Double
    /// Photos done by each device, by its identifier.
    let devices: [String: Int]
    /// Photos that the CPU did in place of a device that failed.
    let fallbacks: Int
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
