import Foundation
import Tintype
import TintypeLocking

/// Tells the user about a run: messages and progress on standard error, JSON lines on standard output.
final class RunReport: Sendable {
    private struct State {
        var tally: RunTally
        var isOutputBroken = false
        var namedAsRetired: Set<String> = []
        var suspects = SuspectTally()
        /// Refusals that were printed, and those that were only counted.
        var refusals = (printed: 0, counted: 0)
    }

    /// So many refusals are printed. Chosen to fit on a screen.
    private static let printedRefusals = 10

    private let command: ApplyCommand
    private let terminal: Terminal
    private let progress: RunProgress
    private let metrics: MetricsFile?
    private let passedOver: PassedOver
    /// The names of the outputs that every photo gets; a single one has none.
    private let outputNames: [String?]
    /// Before the first photo.
    private let processorSeconds = AvailableMachine.processorSeconds
    private let state: Locked<State>

    init(
        _ command: ApplyCommand, _ terminal: Terminal, outputNames: [String?] = [nil], photos: [PhotoJob],
        existing: [PhotoJob] = [], failureCount: Int,
        _ passedOver: PassedOver = PassedOver()
    ) {
        self.passedOver = passedOver
        self.command = command
        self.outputNames = outputNames
        state = Locked(State(tally: RunTally(noun: outputNames == [nil] ? .photo : .output)))
        self.terminal = terminal
        progress = RunProgress(photos: photos, existing: existing, failureCount: failureCount)
        metrics = command.shards.metricsPath.map { MetricsFile(path: $0, shard: command.taken.shard) }
    }

    /// Writes the metrics, if they are due.
    ///
    /// - Parameter exitCode: of a run that has ended.
    func writeMetrics(exitCode: Int32? = nil) {
        guard let metrics,
            let error = metrics.write(
                tally, plannedCount: progress.totalCount, seconds: progress.secondsElapsed, exitCode: exitCode
            )
        else { return }
        warn("The metrics cannot be written: \(error).")
    }

    var tally: RunTally { state.withLock { $0.tally } }

    /// False once a line could not be written.
    private var isOutputWhole: Bool { state.withLock { !$0.isOutputBroken } }

    /// The process's exit code for the photos and for the lines that were printed.
    var exitCode: Int32 {
        let tally = tally
        let status = ExitStatus(failures: tally.failureKinds, endedEarly: tally.notDoneCount > 0)
        if status == .done, !suspectOutputs.isEmpty {
            return ExitStatus.device.rawValue
        }
        if status == .done, tally.elsewhereCount > 0 { return ExitStatus.tryAgain.rawValue }
        return (status == .done && !isOutputWhole ? .photosFailed : status).rawValue
    }

    func add(_ failure: InputFailure) {
        state.withLock { $0.tally.add(failure) }
        complain(of: failure.path, failure.error)
        write(PhotoLine(failure))
    }

    func add(_ result: PhotoResult) {
        state.withLock { $0.suspects.add(result, to: &$0.tally) }
        let path = title(of: result.job)
        switch result.status {
        case .failed(let error): complain(of: path, error)
        case .skipped(.upToDate): if command.messages.verbose > 0 { terminal.print("\(path): up to date") }
        case .skipped(.outputExists):
            if command.messages.verbose > 0 { terminal.print("\(path): the output exists") }
        case .skipped(.claimedElsewhere):
            if command.messages.verbose > 0 { terminal.print("\(path): another process is at it") }
        case .done:
            if let fallback = result.fallback {
                note("\(path): \(fallback) The photo was done on \(result.device ?? "cpu").")
            }
            for text in result.notes { note("\(path): \(text)") }
            if command.messages.verbose > 0 { terminal.print(Self.line(result)) }
        }
        write(PhotoLine(result, name: name(of: result.job), command.deviceChoice.deviceCodec ?? .auto))
    }

    /// The name of a photo's output; nil if it is the only one.
    func name(of job: PhotoJob) -> String? { outputNames[job.variant] }

    /// The photo's name, and that of the output.
    func title(of job: PhotoJob) -> String {
        let path = job.photo.path.printableName
        return name(of: job).map { "\(path), output \($0)" } ?? path
    }

    /// Names a photo that failed. All photos may be refused for the same reason, so only the first refusals are
    /// printed.
    private func complain(of path: String, _ error: PhotoError) {
        let isPrinted = state.withLock { state in
            guard error.isRefusal else { return true }
            let isPrinted = state.refusals.printed < Self.printedRefusals || command.messages.verbose > 0
            if isPrinted { state.refusals.printed += 1 } else { state.refusals.counted += 1 }
            return isPrinted
        }
        if isPrinted { terminal.print("\(path.printableName): \(error)", .failure) }
    }

    /// A message that `--quiet` leaves out.
    func note(_ text: String, _ colour: Palette.Colour? = .notice) {
        if !command.messages.quiet { terminal.print(text, colour) }
    }

    func write(_ line: some Encodable) {
        if command.messages.json { printResult(line.jsonText()) }
    }

    /// Prints a line on standard output; none after one that could not be written.
    func printResult(_ line: String) {
        guard isOutputWhole, let reason = terminal.writeResult(line + "\n") else { return }
        state.withLock { $0.isOutputBroken = true }
        let error = StandardStream.OutputError(reason: reason)
        // A list may be cut short on purpose, as by `head`.
        if command.outputs.dryRun, error.isReaderGone { return }
        terminal.print("\(error) Its lines end here; the run continues.", .failure)
    }

    func add(notDone count: Int) {
        state.withLock { $0.tally.notDoneCount = count }
    }

    /// Adds photos that were found after a time without work.
    func addFound(_ photos: [PhotoJob], failures: [InputFailure], existing: [PhotoJob], after idle: Duration)
    {
        state.withLock { _ = $0.suspects.endRound() }
        progress.add(photos, existing: existing, failureCount: failures.count, after: idle)
        failures.forEach(add)
        for job in existing { add(PhotoResult(job, status: .skipped(.outputExists))) }
    }

    /// Ends the progress line until further photos are found, and says so.
    func pause(_ text: String) {
        terminal.show("")
        note(text, nil)
    }

    /// A message that fails no photo.
    func warn(_ text: String) { terminal.print(text, .failure) }

    var showsProgress: Bool { !command.messages.quiet && command.messages.progress != .none }

    /// Redraws the progress line, or prints the next plain one.
    func showProgress(_ pixels: PixelCounter, device: String) {
        guard showsProgress else { return }
        let redraws = command.messages.progress == .auto && terminal.isInteractive
        guard redraws || progress.isPlainLineDue() else { return }
        let line = progress.line(tally, pixels, device: device)
        if redraws {
            terminal.show(line.text(width: terminal.columns - 1, terminal.glyphs, terminal.palette))
        } else {
            terminal.print(line.plainText)
        }
    }

    /// Ends the progress line, prints the summary and writes the run's JSON line.
    ///
    /// - Parameters:
    ///   - devices: nil if no photo was to be filtered.
    ///   - corrections: gets what the run tells of later ones; nil if it is no usual run.
    ///   - workerCount: photos that were filtered at once.
    ///   - continuation: says how to do what is not done.
    func finish(
        on devices: RunDevices?, corrections: SpeedStore?, workerCount: Int, keepsJournal: Bool,
        continuation: String, exitCode: Int32
    ) {
        terminal.show("")
        writeMetrics(exitCode: exitCode)
        let tally = tally, seconds = progress.secondsElapsed
        var evidence: Bottleneck.Evidence?
        // Rounds of a watch are far between.
        if !command.watch {
            evidence = tally.evidence(
                seconds: seconds, workerCount: workerCount,
                processorSeconds: AvailableMachine.processorSeconds - processorSeconds)
        }
        var forecast: RunForecast?
        if let expected = devices?.forecast, tally.doneCount > 0 {
            forecast = RunForecast(
                expected, tally, outputCount: outputNames.count, evidence, seconds: seconds,
                corrections: corrections)
        }
        write(summaryLine(evidence, forecast, deviceReason: devices?.reason, exitCode: exitCode))
        endRefusals()
        nameSuspects(keepsJournal: keepsJournal)
        notePassedOver()
        let summary = tally.summary(seconds: seconds, devices: devices?.pool.names ?? [:], evidence)
        note(summary, exitCode == 0 ? .success : .failure)
        if let forecast, command.messages.verbose > 0 { note(forecast.note, nil) }
        if tally.notDoneCount > 0 { note(continuation, nil) }
    }

    /// The run's JSON line.
    ///
    /// - Parameters:
    ///   - evidence: tells what bound it.
    ///   - error: why the run ends early; nil if it does not.
    func summaryLine(
        _ evidence: Bottleneck.Evidence? = nil, _ forecast: RunForecast? = nil, deviceReason: String? = nil,
        exitCode: Int32, error: String? = nil
    ) -> SummaryLine {
        SummaryLine(
            tally, passedOver, evidence, forecast, seconds: progress.secondsElapsed,
            deviceReason: deviceReason,
            suspectOutputs: suspectOutputs, exitCode: exitCode, error: error)
    }

    /// Prints how many files of the folders were skipped.
    func notePassedOver() { if let summary = passedOver.summary { note(summary, nil) } }

    private func endRefusals() {
        let count = state.withLock { $0.refusals.counted }
        guard count > 0 else { return }
        terminal.print(
            "\(count) more \(count == 1 ? "output was" : "outputs were") refused; --verbose names each.",
            .failure)
    }

    /// Names devices that are given up, once each.
    func noteRetired(_ devices: DevicePool) {
        for identifier in devices.retired.map(\.info.identifier) {
            let isNew = state.withLock { $0.namedAsRetired.insert(identifier).inserted }
            guard isNew else { continue }
            note("\(identifier) has failed and is not used any more in this run.")
        }
    }

    /// Names outputs that a device may have made wrongly.
    func addSuspects(_ paths: [String], of device: String) {
        state.withLock { $0.suspects.add(paths, of: device) }
        warn(
            "\(device) made these outputs since the last check that passed began; they may be wrong: "
                + Self.list(paths))
    }

    /// Ends a round of `--watch`.
    ///
    /// - Parameter jobs: the round's.
    /// - Returns: outputs of earlier rounds of which this one has found that they may be wrong.
    func endRound(of jobs: [PhotoJob]) -> Set<ExactText> {
        state.withLock { $0.suspects.endRound(of: jobs) }
    }

    /// Notes that a later run would take these as right.
    func addUnknownSuspects(_ paths: [String]) {
        state.withLock { $0.suspects.add(unknown: paths) }
    }

    private var suspectOutputs: [String] { state.withLock { $0.suspects.paths } }

    private func nameSuspects(keepsJournal: Bool) {
        let suspects = state.withLock { $0.suspects }
        for (takenAsRight, advice) in [(false, "Run again"), (true, "Delete them and run again")] {
            let paths = suspects.paths(takenAsRight: takenAsRight, keepsJournal: keepsJournal)
            guard !paths.isEmpty else { continue }
            warn("These outputs may be wrong, and were not made again. \(advice): \(Self.list(paths))")
        }
        if suspects.paths.isEmpty, tally.remadeCount > 0 {
            warn("All outputs that may have been wrong were made again.")
        }
    }

    private static func list(_ paths: [String]) -> String {
        paths.map(\.printableName).joined(separator: ", ")
    }

    private static func line(_ result: PhotoResult) -> String {
        let facts = String(
            format: "%.1f MP, %.2f s, ", Double(result.pixelCount) / 1e6, result.duration.seconds)
        return
            "\(result.job.photo.path.printableName) -> \(result.job.output.path.printableName) (\(facts)\(result.device ?? "cpu"))"
    }
}
