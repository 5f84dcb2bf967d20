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
    /// What decoded the photo: the device, or `cpu`. Absent if the photo was not done, or its compressed bytes were copied.
    var decodedOn: String?
    /// With `--device-codec always`, why that was not the device.
    var decodedOnReason: String?
    /// The same for the output's encoding.
    var encodedOn: String?
    var encodedOnReason: String?
    var fallback: String?
    var error: String?
    /// The file with what could be decoded of a damaged photo, with `--lenient`.
    var salvaged: String?
    /// What a photo that was done has lost; absent where that is nothing.
    var notes: [String]?
    var pixels: Int?
    var bytes: Int?
    var seconds: Double?

    /// - Parameter codec: the run's.
    init(_ result: PhotoResult, name: String?, _ codec: DeviceCodec) {
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
            if let coding = result.coding { add(coding, codec) }
        case .failed(let failure):
            status = "failed"
            error = failure.description
            if case .damaged(_, let path, _) = failure { salvaged = path }
        case .skipped(.upToDate): status = "upToDate"
        case .skipped(.outputExists): status = "exists"
        case .skipped(.claimedElsewhere): status = "elsewhere"
        }
    }

    private mutating func add(_ coding: CodingReport, _ codec: DeviceCodec) {
        let (decoding, encoding) = (coding.decodingObstacle, coding.encodingObstacle)
        decodedOn = decoding == nil ? device : "cpu"
        encodedOn = encoding == nil ? device : "cpu"
        guard codec == .always else { return }
        decodedOnReason = decoding?.description
        encodedOnReason = encoding?.description
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
    /// Links to folders that were not followed.
    let skippedLinks: Int
    /// Photos that an interrupted run did not reach.
    let notDone: Int
    let pixels: Int
    let seconds: Double
    let megapixelsPerSecond: Double
    /// Photos done by each device, by its identifier.
    let devices: [String: Int]
    /// `processors`, `device`, `reading`, `writing` or `workers`: what bound the run; absent if that is not clear, or the run short.
    let boundBy: String?
    /// Seconds that the photos' workers spent, by phase; absent from short runs.
    let phaseSeconds: [String: Double]?
    /// Why the run has these devices; absent if they were requested by name, and are there.
    let deviceReason: String?
    /// How long `auto` expected the run to take, and the share of the measured speed that it will expect next; absent if it did not
    /// decide by measurements, or if the run tells nothing of them.
    let expectedSeconds, speedCorrection: Double?
    /// Photos that the CPU did in place of a device that failed.
    let fallbacks: Int
    /// Outputs that were made again, because their device gave wrong pixels later.
    let remade: Int
    /// Outputs that may be wrong for that reason, and that were not made again.
    let suspectOutputs: [String]
    /// The process's largest resident memory.
    let peakMemoryBytes: Int
    let exitCode: Int32
    /// Why the run did not start, or ended early; absent otherwise.
    let error: String?

    /// - Parameters:
    ///   - tally: what was done.
    ///   - evidence: nil for a short run.
    ///   - forecast: nil if nothing was expected.
    ///   - seconds: without time in which nothing was to be done.
    init(
        _ tally: RunTally = RunTally(), _ passedOver: PassedOver = PassedOver(),
        _ evidence: Bottleneck.Evidence? = nil, _ forecast: RunForecast? = nil, seconds: Double = 0,
        deviceReason: String? = nil, suspectOutputs: [String] = [], exitCode: Int32, error: String? = nil
    ) {
        done = tally.doneCount
        failed = tally.failedCount
        upToDate = tally.upToDateCount
        elsewhere = tally.elsewhereCount
        exists = tally.existingCount
        skippedFiles = passedOver.files
        ownOutputs = passedOver.ownOutputCount
        skippedLinks = passedOver.linkedFolderCount
        notDone = tally.notDoneCount
        pixels = tally.pixelCount
        self.seconds = seconds
        megapixelsPerSecond = tally.megapixels(in: seconds)
        devices = tally.photosByDevice
        boundBy = evidence?.bottleneck?.rawValue
        phaseSeconds = evidence.map { _ in tally.times.seconds }
        self.deviceReason = deviceReason
        expectedSeconds = forecast?.expectedSeconds
        speedCorrection = forecast?.correction
        fallbacks = tally.fallbackCount
        remade = tally.remadeCount
        self.suspectOutputs = suspectOutputs
        peakMemoryBytes = AvailableMachine.peakMemoryByteCount
        self.exitCode = exitCode
        self.error = error
    }
}

/// The last line of `--json` of another command that could not do its work.
private struct FailureSummary: Encodable {
    let type: String
    let exitCode: Int32
    let error: String
}

/// The last line of `--json`, for commands that end before they have a result.
enum LastLine {
    /// The types of the last lines, by subcommand. Other subcommands print one JSON document, or none.
    private static let types = [
        "apply": "summary", "journal": "journal", "plan": "plan", "status": "status",
        "verify": "verification",
    ]

    /// Writes the line if these arguments ask for it.
    static func write(_ error: String, exitCode: Int32, for arguments: [String]) {
        guard let type = arguments.first.flatMap({ types[$0] }),
            arguments.prefix(while: { $0 != "--" }).contains("--json")
        else { return }
        write(error, exitCode: exitCode, type: type)
    }

    static func write(_ error: String, exitCode: Int32, type: String) {
        let line =
            type == types["apply"]
            ? SummaryLine(exitCode: exitCode, error: error).jsonText()
            : FailureSummary(type: type, exitCode: exitCode, error: error).jsonText()
        StandardStream.output.write(line + "\n")
    }
}

extension Duration {
    var seconds: Double { self / .seconds(1) }
}
