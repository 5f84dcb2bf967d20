import Foundation
import Tintype

/// How a run ends, and what it prints then.
extension ApplyRun {
    /// Prints the summary.
    ///
    /// - Parameter devices: nil if no photo was to be filtered.
    /// - Returns: the process's exit code.
    func finish(
        _ report: RunReport, _ devices: RunDevices?, _ workerLimit: WorkerLimit, for jobs: [PhotoJob],
        _ interruption: Interruption
    ) -> Int32 {
        var exitCode = report.exitCode
        // If a signal came after the last photo, the run is complete.
        if let interrupted = interruption.exitCode, report.tally.notDoneCount > 0 { exitCode = interrupted }
        report.finish(
            on: devices, corrections: devices?.forecast != nil && isUsual(jobs) ? .shared : nil,
            workerCount: workerLimit.workerCount, keepsJournal: keepsJournal,
            continuation: continuation, exitCode: exitCode)
        return exitCode
    }

    /// How a run is continued that has ended early.
    private var continuation: String {
        let knowsOutputs =
            switch destination {
            case .folder: !command.outputs.noJournal
            case .objects, .standardOutput: true
            case .besidePhoto, .template, .file: false
            }
        let remedy =
            knowsOutputs || command.outputs.skipExisting
            ? ""
            : command.outputs.overwrite
                ? " with --skip-existing instead of --overwrite" : " with --skip-existing"
        return "The same command\(remedy) continues where this run stopped."
    }

    /// Whether the run begins with the settings of the settings file.
    var showsSettings: Bool {
        !command.messages.quiet && (command.outputs.dryRun || command.messages.verbose > 0)
    }

    /// Prints why the run cannot start; the settings file may be the cause.
    ///
    /// - Parameter report: of a run that has begun to report.
    /// - Returns: the process's exit code.
    func complain(of error: any Error, _ report: RunReport?) -> Int32 {
        terminal.print("\(error)", .failure)
        if !showsSettings, let text = command.settingsTaken?.text { terminal.print(text) }
        let exitCode = ExitStatus(startError: error).rawValue
        // The counts of a dry run are not those of the report.
        endJSON("\(error)", exitCode, command.outputs.dryRun ? nil : report)
        return exitCode
    }

    /// Writes the last line of `--json` of a run that does not start, or is ended at once.
    func endJSON(_ error: String, _ exitCode: Int32, _ report: RunReport?) {
        endJSON(
            report?.summaryLine(exitCode: exitCode, error: error)
                ?? SummaryLine(exitCode: exitCode, error: error))
    }

    private func endJSON(_ line: SummaryLine) {
        if command.messages.json { _ = terminal.writeResult(line.jsonText() + "\n") }
    }

    /// - Returns: the process's exit code.
    func complainOfNoInputs(_ passedOver: PassedOver) -> Int32 {
        let given = (command.inputs + command.sources.filesFrom).map { UsageHint.shown($0).printableName }
        let complaint =
            given.isEmpty
            ? "No photos were given. Name photos, folders, or '-': tintype apply -f sepia photos/"
            : "There are no photos in \(given.joined(separator: ", ")). Tintype reads \(PhotoFormat.names("and"))."
        terminal.print(complaint)
        for line in passedOver.reasons(command.files.globs) { terminal.print(line) }
        let exitCode = ExitStatus.noInputs.rawValue
        endJSON(SummaryLine(RunTally(), passedOver, exitCode: exitCode, error: complaint))
        return exitCode
    }
}
