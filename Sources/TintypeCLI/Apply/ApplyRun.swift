import Dispatch
import Foundation
import Logging
import Tintype
import TintypeLocking

/// One run of `tintype apply`: finds the photos, plans their outputs, filters them, and reports.
struct ApplyRun {
    let command: ApplyCommand
    let settings: ApplyCommand.Settings
    private let terminal = Terminal()
    /// Of the outputs and the journal.
    let diskSync: DiskSync

    init(_ command: ApplyCommand, _ settings: ApplyCommand.Settings) {
        self.command = command
        self.settings = settings
        diskSync = DiskSync(command.outputs.sync ?? .each)
    }

    var destination: OutputDestination { settings.destination }

    /// - Returns: the process's exit code.
    func run() throws -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        // Writes beyond `ulimit -f` then fail with an error, and the process goes on.
        signal(SIGXFSZ, SIG_IGN)
        bootstrapLogging()
        if namesSettings, let text = command.settingsTaken?.text { terminal.print(text) }
        var workerLimit: WorkerLimit
        do {
            workerLimit = try WorkerLimit(for: concurrentPhotoCount, outputs: settings.outputs.count)
            // Before drivers are loaded, for which there may be too little.
            _ = try memoryByteCount(within: workerLimit)
        } catch {
            return complain(of: error)
        }
        let temporaries = TemporaryFiles(shard: command.manifest.map { _ in command.taken.shard.label })
        let current = Locked<RunReport?>(nil)
        let interruption = Interruption(temporaries: temporaries) { [self] code in
            terminal.show("")
            endJSON("Interrupted.", code, current.withLock { $0 })
        }

        let watch: FolderWatch?
        let journal: Journal?
        let downloader: PhotoDownloader?
        let key: DecryptionKey?
        let objectStore: ObjectStore?
        let (jobs, otherInputs, report): ([PhotoJob], [String], RunReport)
        do {
            downloader =
                try command.retriesAll || command.manifest != nil || sources().mayHaveAddresses
                ? command.sources.makeDownloader() : nil
            key = try command.sources.decryptionKey()
            objectStore = try makeObjectStore()
            // Before the search, so that nothing is missed.
            watch = try makeWatch()
            let (plan, passedOver) = try plan(through: downloader)
            if plan.isEmpty, !command.retriesAll, watch == nil, command.manifest == nil {
                return complainOfNoInputs(passedOver)
            }
            journal = try openJournal(for: plan.jobs, temporaries)
            jobs =
                try command.outputs.retryFailed ? plan.jobs.filter { try hasFailed($0, journal) } : plan.jobs
            otherInputs = plan.failures.map(\.path) + plan.existing.map(\.photo.path)
            report = RunReport(
                command, terminal, outputNames: settings.recipes.map(\.name), photos: jobs,
                existing: plan.existing, failureCount: plan.failures.count, passedOver)
            current.withLock { [report] in $0 = report }
            if command.shards.shard == .auto { report.note("Shard \(command.taken.shard).", nil) }
            plan.failures.forEach(report.add)
            if command.outputs.dryRun { return try dryRun(plan, passedOver, report) }
            for job in plan.existing { report.add(PhotoResult(job, status: .skipped(.outputExists))) }
        } catch {
            return complain(of: error)
        }
        if jobs.isEmpty, watch == nil { return finish(report, nil, workerLimit, for: jobs, interruption) }

        let devices: RunDevices
        let memory: MemoryBudget
        do {
            devices = try makeDevices(report, for: jobs, within: workerLimit)
            // Drivers start threads and take memory: fewer workers may fit now.
            if devices.count > 1 || devices.pool.devices.contains(where: { $0.info.kind != .simd }) {
                workerLimit = try WorkerLimit(
                    for: concurrentPhotoCount(on: devices.count), outputs: settings.outputs.count)
            }
            memory = MemoryBudget(byteCount: try memoryByteCount(within: workerLimit))
        } catch {
            return complain(of: error, report)
        }
        if let note = workerLimit.note { report.note(note) }
        var pipeline = PhotoPipeline(
            settings.recipes[0].recipe, limits: limits, overwrites: command.outputs.overwrite,
            keepsTimes: command.outputs.keepTimes ?? false,
            memory: memory, temporaries: temporaries)
        pipeline.outputFolder = destination.folder
        pipeline.diskSync = diskSync
        pipeline.salvagesDamaged = command.outputs.lenient
        pipeline.deviceCodec = command.deviceChoice.deviceCodec ?? .auto
        pipeline.acceptsEqualOutputs = command.manifest != nil
        var batch = Batch.Settings(
            through: pipeline, on: devices.pool, downloader: downloader, journal: journal,
            concurrentPhotoCount: workerLimit.workerCount)
        batch.recipes = settings.recipes
        batch.key = key
        batch.planner = formatPlanner
        batch.otherInputs = otherInputs
        batch.objectStore = objectStore
        batch.skipsExisting = command.outputs.skipExisting
        batch.logger = Logger(label: "tintype")
        if !jobs.isEmpty { filter(jobs, batch, report, interruption) }
        if let watch { filterChanges(in: watch, lastJobs: jobs, batch, report, interruption) }
        downloader?.shutdown()
        return finish(report, devices, workerLimit, for: jobs, interruption)
    }

    /// Filters on background queues, while this thread serves the main queue.
    func filter(
        _ jobs: [PhotoJob], _ settings: Batch.Settings, _ report: RunReport, _ interruption: Interruption
    ) {
        let isFinished = Flag()
        let devices = settings.devices
        // Without progress there is no view: a reload costs some microseconds a photo.
        let view =
            report.showsProgress
            ? ProgressView(report, settings.pipeline.progress, devices) : nil
        var events = Batch.Events(
            result: { result in
                report.add(result)
                report.noteRetired(devices)
            },
            finished: { notDone in
                report.add(notDone: notDone)
                isFinished.raise()
            })
        events.suspects = { report.addSuspects($1, of: $0) }
        events.unknownSuspects = { report.addUnknownSuspects($0) }
        let batch = Batch(jobs, settings, on: .main, view: view, events: events)
        interruption.onSignal {
            report.note("Stopping; once more to stop at once.")
            batch.cancel()
        }
        // Photos reload the view when they are done; large ones take longer than a progress bar may stand still.
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .milliseconds(200), repeating: .milliseconds(100))
        timer.setEventHandler {
            view?.reloadAll()
            report.writeMetrics()
        }
        timer.resume()
        batch.start()
        // A signal may have come before there was a batch.
        if interruption.exitCode != nil { batch.cancel() }
        while !isFinished.isRaised, RunLoop.main.run(mode: .default, before: .distantFuture) {}
        timer.cancel()
    }

    private func finish(
        _ report: RunReport, _ devices: RunDevices?, _ workerLimit: WorkerLimit, for jobs: [PhotoJob],
        _ interruption: Interruption
    ) -> Int32 {
        var exitCode = report.exitCode
        // After a signal that came behind the last photo, the run is complete.
        if let interrupted = interruption.exitCode, report.tally.notDoneCount > 0 { exitCode = interrupted }
        report.finish(
            on: devices, corrections: devices?.forecast != nil && isUsual(jobs) ? .shared : nil,
            workerCount: workerLimit.workerCount,
            keepsJournal: keepsJournal, continuation: continuation, exitCode: exitCode)
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
    private var namesSettings: Bool {
        !command.messages.quiet && (command.outputs.dryRun || command.messages.verbose > 0)
    }

    /// Prints why the run cannot start; the settings file may be the cause.
    ///
    /// - Parameter report: of a run that has begun to report.
    /// - Returns: the process's exit code.
    private func complain(of error: any Error, _ report: RunReport? = nil) -> Int32 {
        terminal.print("\(error)", .failure)
        if !namesSettings, let text = command.settingsTaken?.text { terminal.print(text) }
        let exitCode = ExitStatus(startError: error).rawValue
        endJSON("\(error)", exitCode, report)
        return exitCode
    }

    /// Writes the last line of `--json` of a run that does not start, or is ended at once.
    private func endJSON(_ error: String, _ exitCode: Int32, _ report: RunReport?) {
        endJSON(
            report?.summaryLine(exitCode: exitCode, error: error)
                ?? SummaryLine(exitCode: exitCode, error: error))
    }

    private func endJSON(_ line: SummaryLine) {
        if command.messages.json { _ = terminal.writeResult(line.jsonText() + "\n") }
    }

    private func complainOfNoInputs(_ passedOver: PassedOver) -> Int32 {
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

    var concurrentPhotoCount: Int { concurrentPhotoCount(on: 1) }

    /// Workers that wait for a slow device must leave enough others for the fast one.
    func concurrentPhotoCount(on deviceCount: Int) -> Int {
        command.limits.jobs ?? (deviceCount > 1 ? 2 : 1) * AvailableMachine.current.processorCount
    }

    var limits: DecodeLimits {
        var limits = DecodeLimits()
        if let maxPixels = command.limits.maxPixels { limits.maxPixels = maxPixels }
        limits.memoryByteCount = command.limits.maxPhotoMemory?.byteCount
        limits.maxScans = command.limits.maxScans
        limits.jpegCodec = command.jpegCodec
        return limits
    }

    private func bootstrapLogging() {
        let level: Logger.Level = command.messages.verbose > 1 ? .debug : .warning
        let terminal = terminal
        LoggingSystem.bootstrap { _ in TerminalLogHandler(terminal, level: level) }
    }
}

/// A flag that is raised once.
private final class Flag: Sendable {
    private let value = Locked(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }
}
