import Dispatch
import Foundation
import Logging
import Tintype
import TintypeLocking

/// How a run's photos are filtered.
extension ApplyRun {
    /// - Throws: `ProcessLimitError`.
    func makeBatchSettings(
        _ plan: RunPlan, on devices: RunDevices, _ journal: Journal?, within workerLimit: WorkerLimit
    ) throws(ProcessLimitError) -> Batch.Settings {
        var batch = Batch.Settings(
            through: try makePipeline(within: workerLimit), on: devices.pool, downloader: plan.downloader,
            journal: journal, concurrentPhotoCount: workerLimit.workerCount)
        batch.recipes = settings.recipes
        batch.key = plan.key
        batch.planner = formatPlanner
        batch.otherInputs = plan.outputs.failures.map(\.path) + plan.outputs.existing.map(\.photo.path)
        batch.objectStore = plan.objectStore
        batch.skipsExisting = command.outputs.skipExisting
        batch.logger = Logger(label: "tintype")
        return batch
    }

    private func makePipeline(within workerLimit: WorkerLimit) throws(ProcessLimitError) -> PhotoPipeline {
        var pipeline = PhotoPipeline(
            settings.recipes[0].recipe, limits: decodeLimits, overwrites: command.outputs.overwrite,
            keepsTimes: command.outputs.keepTimes ?? false,
            memory: MemoryBudget(byteCount: try memoryByteCount(within: workerLimit)),
            temporaries: temporaries)
        pipeline.outputFolder = destination.folder
        pipeline.diskSync = diskSync
        pipeline.salvagesDamaged = command.outputs.lenient
        pipeline.deviceCodec = command.deviceChoice.deviceCodec ?? .auto
        pipeline.acceptsEqualOutputs = command.manifest != nil
        return pipeline
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
}

/// A flag that is raised once.
private final class Flag: Sendable {
    private let value = Locked(false)

    var isRaised: Bool { value.withLock { $0 } }

    func raise() { value.withLock { $0 = true } }
}
