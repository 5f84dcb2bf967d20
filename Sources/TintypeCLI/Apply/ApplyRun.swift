import Foundation
import Logging
import Tintype
import TintypeLocking

/// One run of `tintype apply`: finds the photos, plans their outputs, filters them, and reports.
struct ApplyRun {
    let command: ApplyCommand
    let settings: ApplyCommand.Settings
    let terminal = Terminal()
    /// Of the outputs and the journal.
    let diskSync: DiskSync
    let temporaries: TemporaryFiles

    init(_ command: ApplyCommand, _ settings: ApplyCommand.Settings) {
        self.command = command
        self.settings = settings
        diskSync = DiskSync(command.outputs.sync ?? .each)
        temporaries = TemporaryFiles(shard: command.manifest.map { _ in command.taken.shard.label })
    }

    var destination: OutputDestination { settings.destination }

    /// - Returns: the process's exit code.
    func run() -> Int32 {
        setUpProcess()
        do {
            return run(within: try workerLimitAtStart())
        } catch {
            return complain(of: error, nil)
        }
    }

    /// - Parameter limitAtStart: what the process's limits allow before drivers are loaded.
    /// - Returns: the process's exit code.
    private func run(within limitAtStart: WorkerLimit) -> Int32 {
        let current = Locked<RunReport?>(nil)
        let interruption = Interruption(temporaries: temporaries) { [self] code in
            terminal.show("")
            endJSON("Interrupted.", code, current.withLock { $0 })
        }
        do {
            let plan = try makePlan()
            if lacksPhotos(plan) { return complainOfNoInputs(plan.passedOver) }
            let journal = try openJournal(for: plan.outputs.jobs)
            let jobs = try self.jobs(of: plan.outputs, journal)
            let report = makeReport(of: plan, jobs)
            current.withLock { $0 = report }
            reportStart(of: plan, report)
            if command.outputs.dryRun { return try dryRun(plan.outputs, plan.passedOver, report) }
            if jobs.isEmpty, plan.watch == nil {
                return finish(report, nil, limitAtStart, for: jobs, interruption)
            }

            let devices = try makeDevices(report, for: jobs, within: limitAtStart)
            let workerLimit = try workerLimit(beside: devices) ?? limitAtStart
            let batch = try makeBatchSettings(plan, on: devices, journal, within: workerLimit)
            if let note = workerLimit.note { report.note(note) }
            if !jobs.isEmpty { filter(jobs, batch, report, interruption) }
            if let watch = plan.watch {
                filterChanges(in: watch, lastJobs: jobs, batch, report, interruption)
            }
            plan.downloader?.shutdown()
            return finish(report, devices, workerLimit, for: jobs, interruption)
        } catch {
            return complain(of: error, current.withLock { $0 })
        }
    }

    private func setUpProcess() {
        signal(SIGPIPE, SIG_IGN)
        // Writes beyond `ulimit -f` then fail with an error, and the process continues.
        signal(SIGXFSZ, SIG_IGN)
        let level: Logger.Level = command.messages.verbose > 1 ? .debug : .warning
        LoggingSystem.bootstrap { [terminal] _ in TerminalLogHandler(terminal, level: level) }
        if showsSettings, let text = command.settingsTaken?.text { terminal.print(text) }
    }

    private func makeReport(of plan: RunPlan, _ jobs: [PhotoJob]) -> RunReport {
        RunReport(
            command, terminal, outputNames: settings.recipes.map(\.name), photos: jobs,
            existing: plan.outputs.existing, failureCount: plan.outputs.failures.count, plan.passedOver)
    }

    /// Reports what is known before any photo is filtered.
    private func reportStart(of plan: RunPlan, _ report: RunReport) {
        if command.shards.shard == .auto { report.note("Shard \(command.taken.shard).", nil) }
        plan.outputs.failures.forEach(report.add)
        // A dry run lists them itself.
        guard !command.outputs.dryRun else { return }
        for job in plan.outputs.existing { report.add(PhotoResult(job, status: .skipped(.outputExists))) }
    }
}
