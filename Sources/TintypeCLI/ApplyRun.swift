import Codecs
import Compute
import Dispatch
import Foundation
import Logging
import Locking
import Tintype

/// One run of `tintype apply`: finds the photos, plans their outputs, filters them, and says what happened.
struct ApplyRun {
    private let command: ApplyCommand
    private let recipe: Recipe
    private let destination: OutputDestination
    private let terminal = Terminal()

    init(_ command: ApplyCommand, _ recipe: Recipe, _ destination: OutputDestination) {
        self.command = command
        self.recipe = recipe
        self.destination = destination
    }

    /// - Returns: the process's exit code.
    func run() throws -> Int32 {
        signal(SIGPIPE, SIG_IGN)
        bootstrapLogging()
        let temporaries = TemporaryFiles()
        let interruption = Interruption(temporaries: temporaries)

        let journal: Journal?
        let downloader: PhotoDownloader?
        let (jobs, failures): ([PhotoJob], [InputFailure])
        do {
            downloader = try makeDownloader()
            let (planned, found) = try plan(through: downloader)
            if planned.isEmpty, found.isEmpty { return complainOfNoInputs() }
            journal = try openJournal(for: planned)
            jobs = try command.retryFailed ? planned.filter { try hasFailed($0, journal) } : planned
            failures = found
        } catch {
            terminal.print("\(error)", .failure)
            return ExitStatus(startError: error).rawValue
        }
        let report = RunReport(command, terminal, photos: jobs, failureCount: failures.count)
        failures.forEach(report.add)
        if command.dryRun { return dryRun(jobs, report) }
        if jobs.isEmpty { return finish(report, devices: [:], interruption) }

        let roster: DeviceRoster
        do {
            roster = try DeviceRoster(
                command.devices, for: recipe.chain, policy: command.fallback,
                timeLimit: command.deviceTimeout?.duration)
        } catch {
            terminal.print("\(error)", .failure)
            return ExitStatus.device.rawValue
        }
        roster.notes.forEach { report.note($0) }
        if command.devices.isEmpty, !roster.pool.devices.contains(where: \.info.isGPU), GPUHint.text != nil {
            report.note(
                "There seems to be a GPU that OpenCL does not show; 'tintype devices' says what to do.")
        }
        let pipeline = PhotoPipeline(
            recipe, limits: limits, overwrites: command.overwrite, temporaries: temporaries)
        var settings = Batch.Settings(
            through: pipeline, on: roster.pool, downloader: downloader, journal: journal,
            concurrentPhotoCount: concurrentPhotoCount)
        settings.logger = Logger(label: "tintype")
        filter(jobs, settings, report, interruption)
        downloader?.shutdown()
        return finish(report, devices: roster.pool.names, interruption)
    }

    /// Filters on background queues; this thread serves the main queue meanwhile.
    private func filter(
        _ jobs: [PhotoJob], _ settings: Batch.Settings, _ report: RunReport, _ interruption: Interruption
    ) {
        let isFinished = Flag()
        let devices = settings.devices
        // A reload costs some microseconds a photo, and where nobody looks, nothing else.
        let view =
            report.showsProgress
            ? ProgressView(
                report, settings.pipeline.progress,
                device: devices.devices.map(\.info.name).joined(separator: " + ")) : nil
        let batch = Batch(
            jobs, settings, on: .main, view: view,
            events: Batch.Events(
                result: { report.add($0, on: devices) },
                finished: { notDone in
                    report.add(notDone: notDone)
                    isFinished.raise()
                }))
        interruption.onSignal {
            report.note("Stopping; once more to stop at once.")
            batch.cancel()
        }
        // Large photos take a while in which nothing is reloaded.
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .milliseconds(200), repeating: .milliseconds(100))
        timer.setEventHandler { view?.reloadAll() }
        timer.resume()
        batch.start()
        while !isFinished.isRaised, RunLoop.main.run(mode: .default, before: .distantFuture) {}
        timer.cancel()
    }

    // MARK: What there is to do

    /// Nil where nothing has an address, as far as can be told before lists are read.
    private func makeDownloader() throws -> PhotoDownloader? {
        let hasAddress = try command.parsedInputs().contains { if case .address = $0 { true } else { false } }
        guard hasAddress || !command.filesFrom.isEmpty else { return nil }
        return try PhotoDownloader(
            retries: command.retry, byteLimit: command.maxDownload.byteCount,
            certificateFile: command.caFile, userAgentVersion: TintypeCommand.configuration.version)
    }

    private func collect(through downloader: PhotoDownloader?) throws -> InputCollector {
        var collector = InputCollector(outputFolder: destination.folder)
        collector.collect(try command.parsedInputs())
        for list in try command.parsedLists() {
            switch list {
            case .standardInput: collector.collect(try PhotoList(path: "-"), named: "standard input")
            case .path(let path): collector.collect(try PhotoList(path: path), named: path)
            case .address(let url):
                guard let downloader else { continue }
                let name = PhotoRecord(url: url).name
                collector.collect(try downloader.list(at: url, name: name), named: name)
            }
        }
        collector.nameEntries()
        return collector
    }

    /// The output folder's; nil where there is none, or nothing is to be written.
    private func openJournal(for jobs: [PhotoJob]) throws -> Journal? {
        guard keepsJournal, case .folder(let folder) = destination, !command.dryRun, !jobs.isEmpty else {
            return nil
        }
        return try Journal(outputFolder: folder)
    }

    /// Whether there is a folder for a journal, and one is wanted.
    private var keepsJournal: Bool {
        guard case .folder = destination else { return false }
        return !command.noJournal
    }

    /// Finds the photos, and gives each its output.
    private func plan(
        through downloader: PhotoDownloader?
    ) throws -> (jobs: [PhotoJob], failures: [InputFailure]) {
        var collector = try collect(through: downloader)
        let planner = OutputPlanner(
            destination, recipe: recipe, overwrites: command.overwrite, hasJournal: keepsJournal)
        return (try planner.jobs(takingFrom: &collector), collector.failures)
    }

    private func hasFailed(_ job: PhotoJob, _ journal: Journal?) throws -> Bool {
        guard let journal else { return false }
        return try journal.failedLast(journal.outputName(of: job.output.path))
    }

    private func finish(_ report: RunReport, devices: [String: String], _ interruption: Interruption) -> Int32
    {
        var exitCode = ExitStatus(failures: report.tally.failureKinds).rawValue
        if exitCode == 0, !report.isOutputWhole { exitCode = ExitStatus.photosFailed.rawValue }
        // Where the signal came after the last photo, everything is done all the same.
        if let interrupted = interruption.exitCode, report.tally.notDoneCount > 0 { exitCode = interrupted }
        report.finish(devices: devices, exitCode: exitCode)
        return exitCode
    }

    private func dryRun(_ jobs: [PhotoJob], _ report: RunReport) -> Int32 {
        for job in jobs {
            if command.json {
                report.write(PhotoLine(planned: job))
            } else {
                StandardStream.output.write("\(job.photo.path) -> \(job.output.path)\n")
            }
        }
        return ExitStatus(failures: report.tally.failureKinds).rawValue
    }

    private func complainOfNoInputs() -> Int32 {
        terminal.print(
            command.inputs.isEmpty && command.filesFrom.isEmpty
                ? "No photos were given. Name photos, folders, or '-': tintype apply -f sepia photos/"
                : "There are no photos in \((command.inputs + command.filesFrom).joined(separator: ", ")). "
                    + "Tintype reads JPEG and PNG."
        )
        return ExitStatus.noInputs.rawValue
    }

    private var concurrentPhotoCount: Int { command.jobs ?? ProcessInfo.processInfo.activeProcessorCount }

    private var limits: DecodeLimits {
        var limits = DecodeLimits()
        limits.maxPixels = command.maxPixels
        let total = command.memory?.byteCount ?? Int(clamping: ProcessInfo.processInfo.physicalMemory / 2)
        limits.memoryByteCount = max(1, total / concurrentPhotoCount)
        return limits
    }

    private func bootstrapLogging() {
        let level: Logger.Level = command.verbose ? .debug : .warning
        let terminal = terminal
        LoggingSystem.bootstrap { _ in TerminalLogHandler(terminal, level: level) }
    }
}

/// Something that is false until it is true.
private final class Flag: Sendable {
    private let value = Locked(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }
}
