import Foundation
import Tintype

/// `--dry-run`: what a run would do with each photo, judged by the journal and the output folder.
extension ApplyRun {
    /// Nil where the run would keep no journal.
    func makePreview() throws -> JournalPreview? {
        guard keepsJournal, case .folder(let folder) = destination else { return nil }
        let preview = try JournalPreview(outputFolder: folder)
        if !command.outputs.overwrite { try preview.check(recipe: settings.recipes.canonicalText) }
        return preview
    }

    /// Prints a line for each photo: what would be done, skipped or refused, and why.
    ///
    /// - Returns: the exit code that the run would have if nothing else failed.
    func dryRun(_ plan: OutputPlan, _ passedOver: PassedOver, _ report: RunReport) throws -> Int32 {
        var counts = DryRunLine(failed: report.tally.failedCount, passedOver, noun: report.tally.noun)
        let preview = try makePreview()
        for job in plan.existing { show(job, .exists, &counts, report) }
        for job in plan.jobs {
            let output = try outputName(of: job)
            if command.outputs.retryFailed, preview?.failedLast(output) != true { continue }
            show(job, try fate(of: job, output, preview), &counts, report)
        }
        var kinds = report.tally.failureKinds
        if counts.refused > 0 { kinds.insert(.photo) }
        let status = ExitStatus(failures: kinds)
        counts.exitCode = status == .done ? report.exitCode : status.rawValue
        report.write(counts)
        report.notePassedOver()
        report.note(counts.text, nil)
        return counts.exitCode
    }

    /// What a run would do with a photo.
    enum Fate {
        case planned(JournalDecision.Reason?)
        case upToDate
        case exists
        case refused(PhotoError)
    }

    private func outputName(of job: PhotoJob) throws -> String {
        guard case .folder(let folder) = destination else { return job.output.path }
        return try Journal.outputName(of: job.output.path, in: folder)
    }

    private func fate(
        of job: PhotoJob, _ output: String, _ preview: JournalPreview?
    ) throws -> Fate {
        guard let preview else { return .planned(nil) }
        let input: InputIdentity
        do {
            input = try InputIdentity(job.photo, hashedWith: preview.hashAlgorithm(of: output))
        } catch {
            return .refused(PhotoError(error, path: job.output.path))
        }
        let decision = try preview.decision(
            for: input, recipe: settings.recipes.canonicalText, own: job.own, output: output)
        switch decision {
        case .upToDate(let receipt) where command.outputs.overwrite && job.own.replaces(receipt):
            return .planned(nil)
        case .upToDate: return .upToDate
        case .redo where try isUpToDateInOtherFormat(job, input, preview): return .upToDate
        case .redo(let reason): return .planned(reason)
        case .refused where command.outputs.overwrite: return .planned(nil)
        case .refused
        where command.outputs.skipExisting && FileManager.default.fileExists(atPath: job.output.path):
            return .exists
        case .refused(let obstacle): return .refused(.outputRefused(path: job.output.path, obstacle))
        case .claimedByOther: return .planned(nil)
        }
    }

    /// Whether an earlier run has found that a download has another format than its address says, and has made its output.
    private func isUpToDateInOtherFormat(
        _ job: PhotoJob, _ input: InputIdentity, _ preview: JournalPreview
    ) throws -> Bool {
        guard case .folder(let folder) = destination, let planner = formatPlanner,
            FormatNames.concerns(job, settings.recipes[job.variant].recipe)
        else { return false }
        return try FormatNames.alternatives(to: job, planner).contains { output in
            let name = try Journal.outputName(of: output.path, in: folder)
            let decision = try preview.decision(
                for: input, recipe: settings.recipes.canonicalText, own: job.own, output: name)
            return if case .upToDate = decision { true } else { false }
        }
    }

    private func show(_ job: PhotoJob, _ fate: Fate, _ counts: inout DryRunLine, _ report: RunReport) {
        counts.count(fate)
        if command.messages.json { return report.write(PhotoLine(job, fate, name: report.name(of: job))) }
        let (input, output) = (job.photo.path.printableName, job.output.path.printableName)
        let line =
            switch fate {
            case .planned(nil), .planned(.new): "\(input) -> \(output)"
            case .planned(let reason?): "\(input) -> \(output) (\("\(reason)".printableName))"
            case .upToDate: "\(report.title(of: job)): up to date"
            case .exists: "\(input): the output '\(output)' exists"
            case .refused(let error): "\(report.title(of: job)): \(error)"
            }
        report.printResult(line)
    }
}

/// The last line of `--dry-run --json`.
struct DryRunLine: Encodable {
    let type = "summary"
    let dryRun = true
    private(set) var planned = 0
    private(set) var upToDate = 0
    private(set) var exists = 0
    private(set) var refused = 0
    /// Photos that cannot be read, or whose output another photo has too.
    let failed: Int
    let skippedFiles: [String: Int]
    let ownOutputs: Int
    let skippedLinks: Int
    var exitCode: Int32 = 0
    private let noun: RunTally.Noun

    private enum CodingKeys: CodingKey {
        case type, dryRun, planned, upToDate, exists, refused, failed, skippedFiles, ownOutputs, skippedLinks,
            exitCode
    }

    init(failed: Int, _ passedOver: PassedOver, noun: RunTally.Noun) {
        self.noun = noun
        self.failed = failed
        skippedFiles = passedOver.files
        ownOutputs = passedOver.ownOutputCount
        skippedLinks = passedOver.linkedFolderCount
    }

    mutating func count(_ fate: ApplyRun.Fate) {
        switch fate {
        case .planned: planned += 1
        case .upToDate: upToDate += 1
        case .exists: exists += 1
        case .refused: refused += 1
        }
    }

    /// `Would do 3 photos; 5 up to date; 1 refused.`
    var text: String {
        var text = "Would do \(noun.text(planned))"
        let others = [
            (upToDate, "up to date"), (exists, "whose outputs exist"), (refused, "refused"),
            (failed, "failed"),
        ]
        for (count, what) in others where count > 0 { text += "; \(count) \(what)" }
        return text + "."
    }
}
