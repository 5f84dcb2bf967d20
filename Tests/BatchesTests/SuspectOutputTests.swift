import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeBatches
@testable import TintypeJournals
@testable import TintypeOperations
@testable import TintypePhotos

/// Outputs of a device that is found to give wrong pixels later.
struct SuspectOutputTests {
    let setting: BatchSetting

    init() throws { setting = try BatchSetting() }

    @Test(arguments: [true, false])
    func aDeviceThatBeginsToGiveWrongPixelsIsRetiredAndItsOutputsAreMadeAgain(hasJournal: Bool) async throws {
        let photos = Counter(Locked(0))
        // A copy is wrong for sepia.
        let wrong = CopyDevice("wrong", beforeEachPhoto: { _ in _ = photos.next() })
        let pool = DevicePool([wrong], fallback: SIMDDevice(), checkedShare: 0.02)
        let (jobs, journal) = (
            try setting.jobs(200), hasJournal ? try Journal(outputFolder: setting.folder.path("out")) : nil
        )
        let outcome = await setting.run(jobs, on: pool, atOnce: 1, journal: journal)
        #expect(outcome.done.count == 200 && outcome.notDone == 0)
        #expect(pool.retired.map(\.info.identifier) == ["wrong"])
        // 16 of 40 rows are a check, so each photo earns a twentieth of one.
        #expect(photos.count <= 21)
        let earlier = outcome.done.filter { $0.device == "wrong" }.map(\.job.output.path)
        let reports = outcome.done.compactMap(\.fallback).filter { $0.contains("computes other pixels") }
        // A photo may be rendered while the file of the one before is written, which then gets no name.
        #expect(earlier.count < photos.count && reports.count >= photos.count - earlier.count)
        #expect(Set(outcome.suspects["wrong"] ?? []) == Set(earlier))
        try expectRemade(outcome, earlier, journal)
    }

    /// Expects that these outputs were made again by the CPU, and that all outputs are right.
    private func expectRemade(_ outcome: BatchSetting.Outcome, _ outputs: [String], _ journal: Journal? = nil)
        throws
    {
        #expect(outcome.remade.allSatisfy { $0.status == .done && $0.device == "cpu" })
        #expect(outcome.remade.map(\.job.output.path).sorted() == outputs.sorted())
        let photo = try EncodedImage(path: setting.folder.path("in/0.png"))
        let right = try PhotoPipeline(setting.recipe).process(photo, on: SIMDDevice()).image.bytes()
        for result in outcome.done {
            let output = result.job.output.path
            #expect(FileManager.default.contents(atPath: output).map { [UInt8]($0) } == right, "\(output)")
            guard let journal else { continue }
            let input = try InputIdentity(result.job.photo, hashedWith: .blake3)
            let decision = try journal.decision(
                for: input, recipe: setting.recipe.canonicalText, output: try journal.outputName(of: output))
            guard case .upToDate = decision else {
                Issue.record("\(output): \(decision)")
                continue
            }
        }
    }

    @Test func whereNoDeviceIsLeftTheNextRunMakesThemAgain() async throws {
        // Its first outputs are right; those since the last check that passed are suspect all the same.
        let turning = TurningDevice { $0 <= 5 }
        let jobs = try setting.jobs(60)
        let journal = try Journal(outputFolder: setting.folder.path("out"))
        let first = await setting.run(
            jobs, on: DevicePool([turning], fallback: nil, checkedShare: 0.02), atOnce: 1, journal: journal)
        let made = first.done.map(\.job.output.path)
        #expect(first.remade.isEmpty && !made.isEmpty && made.count < 60)
        let suspects = Set(first.suspects["turning"] ?? [])
        #expect(!suspects.isEmpty && suspects.isSubset(of: made))
        // By the journal they have failed: the next run does them, and what failed, and no other.
        let trusted = made.count - suspects.count
        let summary = try JournalSummary(outputFolder: setting.folder.path("out"))
        #expect(summary.failedCount == 60 - trusted && summary.doneCount == trusted)
        let right = DevicePool([SIMDDevice()], fallback: nil)
        let second = await setting.run(jobs, on: right, journal: journal)
        #expect(second.done.count == 60 - trusted && second.done.allSatisfy { $0.device == "cpu" })
        #expect(second.count(.skipped(.upToDate)) == trusted)
        try expectRemade(second, [], journal)
    }

    @Test func aStoppedRunLeavesThemToTheNext() async throws {
        let cancellations = Counter(Locked(0))
        let pool = turning(Self.rightDevice { cancellations.count > 0 })
        let (jobs, journal) = (try setting.jobs(60), try Journal(outputFolder: setting.folder.path("out")))
        let outcome = await setting.run(jobs, on: pool, atOnce: 1, journal: journal) { result, batch in
            guard result.fallback != nil else { return }
            batch.cancel()
            _ = cancellations.next()
        }
        let suspects = try #require(outcome.suspects["turning"])
        #expect(outcome.remade.isEmpty && outcome.notDone > 0)
        let failed = try journal.receipts(in: .failed).filter(\.isSuspect).map { journal.path(of: $0.output) }
        #expect(Set(failed) == Set(suspects))
    }

    @Test func whatASecondDeviceMakesAgainWronglyIsMadeOnceMore() async throws {
        let jobs = try setting.jobs(40)
        let photo = try EncodedImage(path: setting.folder.path("in/0.png"))
        let right = try PhotoPipeline(setting.recipe).process(photo, on: SIMDDevice()).image.bytes()
        var wasMadeTwice = false
        // The check that finds the second device wrong comes while it makes outputs again about every second time.
        for _ in 0..<30 where !wasMadeTwice {
            let photos = Counter(Locked(0))
            let wrong = CopyDevice("wrong", beforeEachPhoto: { _ in _ = photos.next() })
            let turning = TurningDevice { _ in photos.next() <= 40 }
            let pool = DevicePool([wrong, turning], fallback: SIMDDevice(), checkedShare: 0.02)
            let outcome = await setting.run(jobs, on: pool)
            #expect(outcome.done.count == 40 && outcome.notDone == 0)
            let suspects = outcome.suspects["turning"] ?? []
            wasMadeTwice = outcome.remade.contains {
                suspects.contains($0.job.output.path) && $0.device == "turning"
            }
            // A device that was not found wrong, within so few photos, may leave wrong ones.
            if pool.retired.count == 2 {
                for job in jobs {
                    let bytes = FileManager.default.contents(atPath: job.output.path).map { [UInt8]($0) }
                    #expect(bytes == right, "\(job.output.path)")
                }
            }
            try FileManager.default.removeItem(atPath: setting.folder.path("out"))
        }
        #expect(wasMadeTwice)
    }

    @Test func whatADeviceFoundWrongWasStillMakingGetsNoName() async throws {
        let pool = Locked<DevicePool?>(nil)
        let photos = Counter(Locked(0))
        // A copy is wrong for sepia. The first photo is at work until another one's check has failed.
        let wrong = CopyDevice(
            "wrong",
            beforeEachPhoto: { _ in
                guard photos.next() == 1 else { return }
                _ = eventually { pool.withLock { $0?.retired.isEmpty == false } }
            })
        let devices = DevicePool([wrong], fallback: SIMDDevice(), checkedShare: 0.02)
        pool.withLock { $0 = devices }
        let outcome = await setting.run(try setting.jobs(200), on: devices, atOnce: 2)
        #expect(outcome.done.count == 200 && devices.retired.count == 1)
        let earlier = outcome.done.filter { $0.device == "wrong" }.map(\.job.output.path)
        let reports = outcome.done.compactMap(\.fallback).filter { $0.contains("computes other pixels") }
        #expect(reports.count >= 2)
        #expect(Set(outcome.suspects["wrong"] ?? []) == Set(earlier))
        #expect(earlier.count < wrong.photoCount - 1)
        try expectRemade(outcome, earlier)
    }

    /// A device that is wrong from its sixth photo on. One photo in twenty is checked.
    private func turning(_ fallback: (any Device)? = SIMDDevice()) -> DevicePool {
        DevicePool([TurningDevice { $0 <= 5 }], fallback: fallback, checkedShare: 0.02)
    }

    /// A device that takes its second photo when a result's reaction has happened, however late results are told.
    private static func rightDevice(after hasReacted: @escaping @Sendable () -> Bool) -> TurningDevice {
        TurningDevice("right") { number in
            #expect(number == 1 || eventually(hasReacted))
            return true
        }
    }

    /// What is held until the end of a run, as by another process.
    private final class Held<Value: Sendable>: Sendable {
        let all = Locked<[Value]>([])
    }

    @Test func aRunEndsThoughAnotherOneHoldsThem() async throws {
        let journal = try Journal(outputFolder: setting.folder.path("out"))
        let other = try Journal(outputFolder: setting.folder.path("out"))
        let held = Held<OutputClaim>()
        let pool = turning(Self.rightDevice { held.all.withLock { !$0.isEmpty } })
        let outcome = await setting.run(
            try setting.jobs(60), on: pool, atOnce: 1, journal: journal, claimPatience: .zero
        ) { result, _ in
            // The journal knows them by now, but one that was just finished.
            guard result.fallback != nil, !result.isRemade else { return }
            let suspects = (try? journal.receipts(in: .failed).filter(\.isSuspect)) ?? []
            held.all.withLock { $0 += suspects.compactMap { try? other.claim($0.output) } }
        }
        let suspects = try #require(outcome.suspects["turning"])
        #expect(outcome.remade.count == suspects.count && outcome.unknownSuspects.isEmpty)
        #expect(outcome.remade.allSatisfy { $0.status == .skipped(.claimedElsewhere) })
        #expect(try Set(journal.receipts(in: .failed).map { journal.path(of: $0.output) }) == Set(suspects))
    }

    @Test func whatTheJournalNeverLearntIsNamed() async throws {
        let journal = try Journal(outputFolder: setting.folder.path("out"))
        let other = try Journal(outputFolder: setting.folder.path("out"))
        let held = Held<OutputClaim>()
        let outcome = await setting.run(
            try setting.jobs(60), on: turning(), atOnce: 1, journal: journal,
            onSuspects: { paths in
                let claim = try? other.claim(journal.outputName(of: paths[0]))
                held.all.withLock { $0 = claim.map { [$0] } ?? [] }
            })
        let suspects = try #require(outcome.suspects["turning"])
        #expect(outcome.unknownSuspects == [suspects[0]])
        #expect(
            Set(outcome.remade.map(\.job.output.path)) == Set(suspects).subtracting(outcome.unknownSuspects))
    }

    @Test func aJournalThatFailsForAWhileLearnsOfThemLater() async throws {
        let folder = setting.folder
        let journal = try Journal(outputFolder: folder.path("out"))
        let (path, aside) = (Journal.filePath(in: folder.path("out")), folder.path("aside"))
        // There is a link in its place, which the journal refuses, until the next photo has a result. The journal is never
        // missing, as another photo's writer would make a new one.
        let manager = FileManager.default
        let obstacle = folder.path("obstacle")
        try manager.createSymbolicLink(atPath: obstacle, withDestinationPath: "nowhere")
        let outcome = await setting.run(try setting.jobs(60), on: turning(nil), atOnce: 1, journal: journal) {
            _, _ in
            if manager.fileExists(atPath: aside) { #expect(rename(aside, path) == 0) }
        } onSuspects: { _ in
            #expect(link(path, aside) == 0 && rename(obstacle, path) == 0)
        }
        #expect(!manager.fileExists(atPath: aside))
        let suspects = try #require(outcome.suspects["turning"])
        #expect(outcome.unknownSuspects.isEmpty)
        let known = try journal.receipts(in: .failed).filter(\.isSuspect).map { journal.path(of: $0.output) }
        // A photo that was about to be published meanwhile has no output, because the journal refused it.
        let made = outcome.done.map(\.job.output.path)
        #expect(Set(known) == Set(suspects).intersection(made) && !known.isEmpty)
        #expect(suspects.allSatisfy { made.contains($0) || !manager.fileExists(atPath: $0) })
    }

    @Test func anAttemptThatFailsForAnotherReasonLeavesThemSuspect() async throws {
        let journal = try Journal(outputFolder: setting.folder.path("out"))
        let jobs = try setting.jobs(1)
        _ = await setting.run(jobs, on: DevicePool([SIMDDevice()], fallback: nil), journal: journal)
        #expect(try journal.markSuspect("0.png"))
        let photo = try setting.folder.read("in/0.png")
        try setting.folder.write(Array(photo.prefix(50)), to: "in/0.png")
        let broken = await setting.run(jobs, on: DevicePool([SIMDDevice()], fallback: nil), journal: journal)
        #expect(broken.done.isEmpty)
        #expect(try journal.isSuspect("0.png"))
        try setting.folder.write(photo, to: "in/0.png")
        let again = await setting.run(jobs, on: DevicePool([SIMDDevice()], fallback: nil), journal: journal)
        #expect(again.done.count == 1)
        #expect(try !journal.isSuspect("0.png"))
    }
}
