import Codecs
import Compute
import Dispatch
import Foundation
import Logging
import Synchronization
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

        var collector = InputCollector(outputFolder: destination.folder)
        collector.collect(command.inputs.map(Input.init))
        if collector.photos.isEmpty, collector.failures.isEmpty { return complainOfNoInputs() }

        let jobs: [PhotoJob]
        do throws(OutputError) {
            jobs = try OutputPlanner(destination, recipe: recipe, overwrites: command.overwrite)
                .jobs(for: collector.photos)
        } catch {
            terminal.print(error.description)
            return ExitStatus.usage.rawValue
        }
        let report = RunReport(command, terminal, photos: jobs, failureCount: collector.failures.count)
        collector.failures.forEach(report.add)
        if command.dryRun { return dryRun(jobs, report) }
        if jobs.isEmpty { return finish(report, devices: [:], interruption) }

        let roster: DeviceRoster
        do {
            roster = try DeviceRoster(command.devices, for: recipe.chain, policy: command.fallback)
        } catch {
            terminal.print("\(error)")
            return ExitStatus.device.rawValue
        }
        roster.notes.forEach(report.note)
        if command.devices.isEmpty, !roster.pool.devices.contains(where: \.info.isGPU), GPUHint.text != nil {
            report.note(
                "There seems to be a GPU that OpenCL does not show; 'tintype devices' says what to do.")
        }
        filter(jobs, on: roster.pool, report, temporaries, interruption)
        return finish(report, devices: roster.pool.names, interruption)
    }

    /// Filters on background queues; this thread serves the main queue meanwhile.
    private func filter(
        _ jobs: [PhotoJob], on devices: DevicePool, _ report: RunReport, _ temporaries: TemporaryFiles,
        _ interruption: Interruption
    ) {
        let pipeline = PhotoPipeline(
            recipe, limits: limits, overwrites: command.overwrite, temporaries: temporaries)
        let isFinished = Flag()
        let batch = Batch(
            jobs, through: pipeline, on: devices, concurrentPhotoCount: concurrentPhotoCount, main: .main,
            logger: Logger(label: "tintype"),
            events: Batch.Events(
                result: { report.add($0, on: devices) },
                finished: { notTaken in
                    report.add(notTaken: notTaken)
                    isFinished.raise()
                }))
        interruption.onSignal {
            report.note("Stopping; once more to stop at once.")
            batch.cancel()
        }
        let label = devices.devices.map(\.info.name).joined(separator: " + ")
        let timer = DispatchSource.makeTimerSource(queue: .main)
        timer.schedule(deadline: .now() + .milliseconds(200), repeating: .milliseconds(100))
        timer.setEventHandler {
            report.showProgress(pixelCount: pipeline.progress.pixelCount, device: label)
        }
        timer.resume()
        batch.start()
        while !isFinished.isRaised, RunLoop.main.run(mode: .default, before: .distantFuture) {}
        timer.cancel()
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
            command.inputs.isEmpty
                ? "No photos were given. Name photos, folders, or '-': tintype apply -f sepia photos/"
                : "There are no photos in \(command.inputs.joined(separator: ", ")). "
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
        let level: Logger.Level = command.verbose > 1 ? .debug : .warning
        let terminal = terminal
        LoggingSystem.bootstrap { _ in TerminalLogHandler(terminal, level: level) }
    }
}

/// Something that is false until it is true.
private final class Flag: Sendable {
    private let value = Mutex(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }
}
