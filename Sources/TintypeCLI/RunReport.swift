import Foundation
import Locking
import Tintype

/// Tells the user how a run gets on: messages and progress on standard error, JSON lines on standard output.
final class RunReport: Sendable {
    private struct State {
        var tally = RunTally()
        var isOutputBroken = false
        var namedAsRetired: Set<String> = []
        /// Refusals that were printed, and those that were not any more.
        var refusals = (told: 0, untold: 0)
        var lastLine = ContinuousClock.now
        /// The largest share of the work that was shown, and since when it is that.
        var share = 0.0
        var lastAdvance = ContinuousClock.now
    }

    /// Where output is no terminal, a line this often.
    private static let plainInterval = Duration.seconds(5)
    /// Refusals that are named one by one. Chosen to fit a screen with room to spare.
    private static let toldRefusals = 10

    private let command: ApplyCommand
    private let terminal: Terminal
    private let totalCount: Int
    private let totalByteCount: Int
    private let knowsSizes: Bool
    private let passedOver: PassedOver
    private let start = ContinuousClock.now
    private let state = Locked(State())

    init(
        _ command: ApplyCommand, _ terminal: Terminal, photos: [PhotoJob], settledCount: Int,
        _ passedOver: PassedOver = PassedOver()
    ) {
        self.passedOver = passedOver
        self.command = command
        self.terminal = terminal
        totalCount = photos.count + settledCount
        totalByteCount = photos.reduce(0) { $0 + $1.photo.byteCount }
        knowsSizes = photos.allSatisfy { $0.photo.byteCount > 0 }
    }

    var tally: RunTally { state.withLock { $0.tally } }

    /// False once standard output takes no more.
    private var isOutputWhole: Bool { state.withLock { !$0.isOutputBroken } }

    /// The process's exit code, as far as photos and what was printed of them decide.
    var exitCode: Int32 {
        let tally = tally
        let status = ExitStatus(failures: tally.failureKinds)
        if status == .done, tally.elsewhereCount > 0 { return ExitStatus.tryAgain.rawValue }
        return (status == .done && !isOutputWhole ? .photosFailed : status).rawValue
    }

    func add(_ failure: InputFailure) {
        state.withLock { $0.tally.add(failure) }
        complain(of: failure.path, failure.error)
        write(PhotoLine(failure))
    }

    func add(_ result: PhotoResult) {
        state.withLock { $0.tally.add(result) }
        let path = result.job.photo.path.printableName
        switch result.status {
        case .failed(let error): complain(of: path, error)
        case .skipped(.upToDate): if command.verbose > 0 { terminal.print("\(path): up to date") }
        case .skipped(.outputExists): if command.verbose > 0 { terminal.print("\(path): the output exists") }
        case .skipped(.claimedElsewhere):
            if command.verbose > 0 { terminal.print("\(path): another process is at it") }
        case .done:
            if let fallback = result.fallback {
                note("\(path): done on \(result.device ?? "cpu") instead. \(fallback)")
            }
            for text in result.notes { note("\(path): \(text)") }
            if command.verbose > 0 { terminal.print(Self.line(result)) }
        }
        write(PhotoLine(result))
    }

    /// Names a photo that failed. Of refusals, which may be as many as there are photos and all alike, only the
    /// first are named.
    private func complain(of path: String, _ error: PhotoError) {
        let isTold = state.withLock { state in
            guard error.isRefusal else { return true }
            let isTold = state.refusals.told < Self.toldRefusals || command.verbose > 0
            if isTold { state.refusals.told += 1 } else { state.refusals.untold += 1 }
            return isTold
        }
        if isTold { terminal.print("\(path.printableName): \(error)", .failure) }
    }

    /// A message that `--quiet` leaves out.
    func note(_ text: String, _ colour: Palette.Colour? = .notice) {
        if !command.quiet { terminal.print(text, colour) }
    }

    func write(_ line: some Encodable) {
        if command.json { printResult(line.jsonText()) }
    }

    /// Prints a line on standard output; none after one that could not be written.
    func printResult(_ line: String) {
        guard isOutputWhole, let reason = terminal.writeResult(line + "\n") else { return }
        state.withLock { $0.isOutputBroken = true }
        let error = StandardStream.OutputError(reason: reason)
        // Of lists that are cut short on purpose, as by `head`, there is nothing to say.
        if command.dryRun, error.isReaderGone { return }
        terminal.print("\(error) Its lines end here; the run goes on.", .failure)
    }

    func add(notDone count: Int) {
        state.withLock { $0.tally.notDoneCount = count }
    }

    var showsProgress: Bool { !command.quiet && command.progress != .none }

    /// Redraws the progress line, or prints the next plain one.
    func showProgress(_ progress: PixelCounter, device: String) {
        guard showsProgress else { return }
        let redraws = command.progress == .auto && terminal.isInteractive
        guard redraws || isPlainLineDue() else { return }
        let line = progressLine(progress, device: device)
        if redraws {
            terminal.show(line.text(width: terminal.columns - 1, terminal.glyphs, terminal.palette))
        } else {
            terminal.print(line.plainText)
        }
    }

    /// Ends the progress line, prints the summary and writes the run's JSON line.
    func finish(devices: [String: String], exitCode: Int32) {
        terminal.show("")
        let tally = tally
        let seconds = start.duration(to: .now).seconds
        let speed = seconds > 0 ? Double(tally.pixelCount) / 1e6 / seconds : 0
        write(
            SummaryLine(
                done: tally.doneCount, failed: tally.failedCount, upToDate: tally.upToDateCount,
                elsewhere: tally.elsewhereCount, exists: tally.existingCount,
                skippedFiles: passedOver.files, ownOutputs: passedOver.ownOutputCount,
                notDone: tally.notDoneCount,
                pixels: tally.pixelCount, seconds: seconds, megapixelsPerSecond: speed,
                devices: tally.photosByDevice, fallbacks: tally.fallbackCount,
                peakMemoryBytes: AvailableMachine.peakMemoryByteCount, exitCode: exitCode))
        endRefusals()
        notePassedOver()
        note(
            Self.summary(tally, seconds: seconds, speed: speed, devices: devices),
            exitCode == 0 ? .success : .failure)
    }

    /// Says what lies in the folders and was not taken.
    func notePassedOver() { if let summary = passedOver.summary { note(summary, nil) } }

    private func endRefusals() {
        let count = state.withLock { $0.refusals.untold }
        guard count > 0 else { return }
        terminal.print(
            "\(count) more \(count == 1 ? "output was" : "outputs were") refused; --verbose names each.",
            .failure)
    }

    private func progressLine(_ progress: PixelCounter, device: String) -> ProgressLine {
        let tally = tally
        let seconds = start.duration(to: .now).seconds
        let (share, secondsLeft) = advance(tally, photosAtWork: progress.photosAtWork)
        return ProgressLine(
            share: share, doneCount: tally.settledCount, totalCount: totalCount,
            failedCount: tally.failedCount,
            megapixelsPerSecond: Double(progress.pixelCount) / 1e6 / max(seconds, 0.001),
            secondsElapsed: seconds, secondsLeft: secondsLeft, device: device.printable)
    }

    /// How much of the work is done, and how long the rest may take: nil as long as nothing is known.
    ///
    /// Where all sizes are known it goes by bytes, else by photos. The time left is counted from the last
    /// advance, so that it goes down evenly between results.
    private func advance(_ tally: RunTally, photosAtWork: Double) -> (share: Double, secondsLeft: Double?) {
        let estimate = WorkEstimate(
            tally, totalCount: totalCount, totalByteCount: knowsSizes ? totalByteCount : nil,
            photosAtWork: photosAtWork)
        return state.withLock { state in
            if estimate.share > state.share { (state.share, state.lastAdvance) = (estimate.share, .now) }
            let left = estimate.secondsLeft(
                share: state.share, after: start.duration(to: state.lastAdvance).seconds)
            let waited = state.lastAdvance.duration(to: .now).seconds
            return (state.share, left.map { max(0, $0 - waited) })
        }
    }

    private func isPlainLineDue() -> Bool {
        state.withLock { state in
            guard state.lastLine.duration(to: .now) >= Self.plainInterval else { return false }
            state.lastLine = .now
            return true
        }
    }

    /// Names devices that are given up, once each.
    func noteRetired(_ devices: DevicePool) {
        for identifier in devices.retired.map(\.info.identifier) {
            let isNew = state.withLock { $0.namedAsRetired.insert(identifier).inserted }
            if isNew { note("\(identifier) has failed and is not used any more in this run.") }
        }
    }

    private static func line(_ result: PhotoResult) -> String {
        let facts = String(
            format: "%.1f MP, %.2f s, ", Double(result.pixelCount) / 1e6, result.duration.seconds)
        return
            "\(result.job.photo.path.printableName) -> \(result.job.output.path.printableName) (\(facts)\(result.device ?? "cpu"))"
    }

    /// `1200 photos, 14400.0 MP in 12.3 s (1170.7 MP/s) on cpu (x86-64-v3)`, and what did not get done.
    static func summary(_ tally: RunTally, seconds: Double, speed: Double, devices: [String: String])
        -> String
    {
        var text = "\(tally.doneCount) \(tally.doneCount == 1 ? "photo" : "photos"), "
        text += String(
            format: "%.1f MP in %.1f s (%.1f MP/s)", Double(tally.pixelCount) / 1e6, seconds, speed)
        let names = tally.photosByDevice.keys.sorted().map { identifier in
            let name = devices[identifier].map { "\(identifier) (\($0))" } ?? identifier
            return tally.photosByDevice.count > 1 ? "\(name): \(tally.photosByDevice[identifier] ?? 0)" : name
        }
        if !names.isEmpty { text += " on \(names.joined(separator: ", "))" }
        if tally.upToDateCount > 0 { text += "; \(tally.upToDateCount) up to date" }
        if tally.existingCount > 0 { text += "; \(tally.existingCount) skipped, whose outputs exist" }
        if tally.elsewhereCount > 0 { text += "; \(tally.elsewhereCount) left to another process" }
        if tally.failedCount > 0 { text += "; \(tally.failedCount) failed, named above" }
        if tally.notDoneCount > 0 { text += "; \(tally.notDoneCount) not done" }
        return text + "."
    }
}
