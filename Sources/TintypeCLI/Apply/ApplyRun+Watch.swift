import Foundation
import Tintype

/// `--watch`: continues with the photos that appear in the folders.
extension ApplyRun {
    /// Changes within so many microseconds become one round: copying a folder makes many.
    private static let pauseInMicroseconds: UInt32 = 200_000

    /// Watches the input folders from now on; nil without `--watch`.
    func makeWatch() throws(WatchError) -> FolderWatch? {
        guard command.watch else { return nil }
        // Sent where a writer waits for `isBeingWritten` to look.
        signal(SIGIO, SIG_IGN)
        return try FolderWatch(
            command.inputs, outputFolder: destination.folder, followsLinks: command.files.followsLinks)
    }

    /// Filters what changes in the folders, until a signal, a full disk or the end of the last folder.
    func filterChanges(
        in watch: FolderWatch, lastJobs: [PhotoJob], _ settings: Batch.Settings, _ report: RunReport,
        _ interruption: Interruption
    ) {
        guard interruption.exitCode == nil, report.tally.notDoneCount == 0 else { return }
        var lastJobs = lastJobs
        var idleSince = ContinuousClock.now
        report.pause("Watching for more photos; Ctrl-C ends the run.")
        defer {
            report.addFound([], failures: [], existing: [], after: idleSince.duration(to: .now))
        }
        while report.tally.notDoneCount == 0 {
            interruption.onSignal { watch.wake() }
            if interruption.exitCode != nil { return }
            watch.wait()
            if interruption.exitCode != nil { return }
            usleep(Self.pauseInMicroseconds)
            let changes = watch.take()
            for failure in changes.failures { report.warn("\(failure)") }
            let (plan, failures) = plan(for: changes, except: lastJobs)
            if !plan.jobs.isEmpty { lastJobs = plan.jobs }
            report.addFound(
                plan.jobs, failures: failures + plan.failures, existing: plan.existing,
                after: idleSince.duration(to: .now))
            if !plan.jobs.isEmpty {
                filter(plan.jobs, settings, report, interruption)
                remakeSuspects(of: plan.jobs, changes, settings, report, interruption)
            }
            idleSince = .now
            if !plan.isEmpty { report.pause(report.tally.counts) }
            if changes.folders.isEmpty { return report.warn("The folders are gone: the run ends.") }
        }
    }

    /// Makes outputs of earlier rounds again, if a device that this one has found wrong has made them. The journal tells which.
    private func remakeSuspects(
        of jobs: [PhotoJob], _ changes: FolderWatch.Changes, _ settings: Batch.Settings,
        _ report: RunReport, _ interruption: Interruption
    ) {
        var jobs = jobs
        // Each turn has found another device wrong.
        while !jobs.isEmpty, interruption.exitCode == nil, report.tally.notDoneCount == 0 {
            let outputs = report.endRound(of: jobs)
            guard keepsJournal, !outputs.isEmpty else { return }
            jobs = plan(for: changes.asSearch, except: []).0.jobs.filter {
                outputs.contains($0.output.path.exact)
            }
            if !jobs.isEmpty { filter(jobs, settings, report, interruption) }
        }
    }

    /// Whether a writer still has the photo open; it is taken once it is closed.
    func isBeingWritten(_ job: PhotoJob) -> Bool {
        (try? OpenFile(reading: job.photo.path).isBeingWritten) ?? false
    }

    /// - Parameter lastJobs: their outputs are no photos.
    private func plan(
        for changes: FolderWatch.Changes, except lastJobs: [PhotoJob]
    ) -> (OutputPlan, [InputFailure]) {
        var paths = changes.paths
        if !paths.isEmpty {
            let outputs = Set(lastJobs.map(\.output.path.exact))
            paths.removeAll { outputs.contains($0.exact) }
        }
        var collector = InputCollector(
            outputFolder: destination.folder, globs: command.files.globs,
            followsLinks: command.files.followsLinks)
        for folder in changes.folders {
            if changes.isIncomplete {
                collector.collect([.path(folder)])
            } else {
                let start = folder.appendingPathComponent("")
                collector.collect(paths.filter { $0.utf8.starts(with: start.utf8) }, below: folder)
            }
        }
        // A search finds all photos again; without a journal, those that have outputs are done.
        let planner = planner(
            skipsExisting: command.outputs.skipExisting || changes.isIncomplete && !command.outputs.overwrite)
        var plan = planner.planEach(collector.photos)
        plan.jobs.removeAll(where: isBeingWritten)
        return (plan, collector.failures)
    }
}

extension OutputPlanner {
    /// Plans the photos together, and if that is refused, each alone: what is refused then is a failure.
    fileprivate func planEach(_ photos: [InputPhoto]) -> OutputPlan {
        if let plan = try? plan(for: photos) { return plan }
        return photos.reduce(into: OutputPlan()) { plan, photo in
            do throws(OutputError) {
                let own = try self.plan(for: [photo])
                plan.jobs += own.jobs
                plan.failures += own.failures
                plan.existing += own.existing
            } catch .exists {
                fail(photo, .outputExists(path: path(for: photo)), &plan)
            } catch .ontoInput {
                fail(photo, .outputIsInput(path: path(for: photo)), &plan)
            } catch {
                fail(photo, PhotoError(error, path: path(for: photo)), &plan)
            }
        }
    }

    private func fail(_ photo: InputPhoto, _ error: PhotoError, _ plan: inout OutputPlan) {
        plan.failures.append(InputFailure(path: photo.path, error: error))
    }
}
