import Foundation
import Locking
import TestSupport
import Testing
import Tintype

@testable import Batches
@testable import Operations
@testable import Photos

struct BatchTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private struct Outcome {
        var results: [PhotoResult] = []
        var notDone = 0
        var reportsAtOnce = 0
        var suspects: [String: [String]] = [:]

        var done: [PhotoResult] { results.filter { $0.status == .done && !$0.isRemade } }
        var remade: [PhotoResult] { results.filter(\.isRemade) }
        func count(_ status: PhotoResult.Status) -> Int { results.filter { $0.status == status }.count }
    }

    private func jobs(_ count: Int) throws -> [PhotoJob] {
        let bytes = try TestPhoto.png(width: 5, height: 40, seed: 9)
        for index in 0..<count { try folder.write(bytes, to: "in/\(index).png") }
        var collector = InputCollector(outputFolder: nil)
        collector.collect([.path(folder.path("in"))])
        return try OutputPlanner(.folder(folder.path("out")), recipe: recipe, overwrites: false)
            .plan(for: collector.photos).jobs
    }

    private let recipe = Recipe(FilterChain([Sepia()]))

    @Test func resultsComeAsASequence() async throws {
        let settings = Batch.Settings(
            through: PhotoPipeline(recipe), on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            concurrentPhotoCount: 2)
        var done: Set<String> = []
        for await result in Batch.results(of: try jobs(5), settings) where result.status == .done {
            done.insert(result.job.output.path.lastPathComponent)
        }
        #expect(done == ["0.png", "1.png", "2.png", "3.png", "4.png"])
    }

    @Test func leavingTheSequenceCancelsTheRun() async throws {
        let (photos, cancelled) = (Counter(Locked(0)), Counter(Locked(0)))
        // The first photo is done; the others wait until they are cancelled.
        let device = CopyDevice(beforeEachPhoto: { isCancelled in
            guard photos.next() > 1 else { return }
            while !isCancelled() { usleep(500) }
            _ = cancelled.next()
            throw CancellationError()
        })
        let settings = Batch.Settings(
            through: PhotoPipeline(recipe), on: DevicePool([device], fallback: nil, checkedShare: 0),
            concurrentPhotoCount: 1)
        for await _ in Batch.results(of: try jobs(20), settings) { break }
        for _ in 0..<60_000 where photos.count > cancelled.count + 1 {
            try await Task.sleep(for: .milliseconds(2))
        }
        #expect(photos.count <= cancelled.count + 1)
        #expect(folder.files().count { $0.hasPrefix("out/") } == 1)
    }

    /// Runs the jobs to their end; `react` may cancel.
    private func run(
        _ jobs: [PhotoJob], on pool: DevicePool, atOnce: Int = 2, journal: Journal? = nil,
        claimPatience: Duration = .seconds(60), memory: MemoryBudget? = nil,
        react: @escaping @Sendable (PhotoResult, Batch) -> Void = { _, _ in }
    ) async -> Outcome {
        let outcome = Locked(Outcome())
        let shared = Shared(outcome)
        await withCheckedContinuation { continuation in
            var events = Batch.Events(
                result: { result in
                    shared.value.withLock { $0.results.append(result) }
                    if let batch = shared.batch { react(result, batch) }
                },
                finished: { notDone in
                    shared.value.withLock { $0.notDone = notDone }
                    continuation.resume()
                })
            events.suspects = { device, paths in
                shared.value.withLock { $0.suspects[device, default: []] += paths }
            }
            var settings = Batch.Settings(
                through: PhotoPipeline(recipe, memory: memory), on: pool, journal: journal,
                concurrentPhotoCount: atOnce)
            settings.claimPatience = claimPatience
            let batch = Batch(jobs, settings, on: .makePrivate(), events: events)
            shared.batch = batch
            batch.start()
        }
        shared.batch = nil
        return shared.value.withLock { $0 }
    }

    // @unchecked: `batch` is set before the batch starts and cleared after it has ended.
    private final class Shared: @unchecked Sendable {
        let value: Locked<Outcome>
        var batch: Batch?

        init(_ value: consuming Locked<Outcome>) { self.value = value }
    }

    @Test func everyPhotoIsReportedOnceAndNoMoreWorkAtOnceThanAsked() async throws {
        let device = CopyDevice(beforeEachPhoto: { _ in usleep(500) })
        let jobs = try jobs(300)
        let outcome = await run(jobs, on: DevicePool([device], fallback: nil, checkedShare: 0))
        #expect(outcome.done.count == 300 && outcome.notDone == 0)
        #expect(Set(outcome.results.map(\.job.photo.path)).count == 300)
        #expect(device.mostAtOnce <= 2)
        #expect(folder.files().filter { $0.hasPrefix("out/") }.count == 300)
        #expect(folder.files().allSatisfy { !$0.contains(".tmp") })
    }

    @Test func theWindowIsBounded() {
        #expect(Batch.window(concurrentPhotoCount: 1, downloads: false) == 16)
        #expect(Batch.window(concurrentPhotoCount: 1, downloads: true) == 64)
        #expect(Batch.window(concurrentPhotoCount: 16, downloads: false) == 64)
        #expect(Batch.window(concurrentPhotoCount: 1000, downloads: true) == 256)
    }

    @Test func aBatchWithoutJobsFinishes() async {
        let outcome = await run([], on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0))
        #expect(outcome.results.isEmpty && outcome.notDone == 0)
    }

    @Test func photosTooLargeForADeviceAreDoneOnTheCPU() async throws {
        let large = CopyDevice("large", memory: RenderMemory(stripRows: 16, byteCount: 1 << 40))
        let cpu = CopyDevice("cpu", kind: .simd)
        let outcome = await run(
            try jobs(7), on: DevicePool([large], fallback: cpu, checkedShare: 0),
            memory: MemoryBudget(byteCount: 64 << 20))
        #expect(outcome.done.count == 7 && cpu.photoCount == 7 && large.photoCount == 0)
        #expect(outcome.done.allSatisfy { $0.device == "cpu" && $0.fallback?.contains("memory") == true })
    }

    @Test func photosOfAnotherRunThatDiesAreDoneHere() async throws {
        let jobs = try jobs(4)
        let other = try Journal(outputFolder: folder.path("out"))
        let held = HeldClaim(try other.claim("2.png"))
        let outcome = await run(
            jobs, on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            journal: try Journal(outputFolder: folder.path("out"))
        ) { _, _ in held.claim.withLock { $0 = nil } }
        #expect(outcome.done.count == 4 && outcome.results.count == 4 && outcome.notDone == 0)
        #expect(folder.files().contains("out/2.png"))
    }

    private final class HeldClaim: Sendable {
        let claim: Locked<OutputClaim?>

        init(_ claim: OutputClaim?) { self.claim = Locked(claim) }
    }

    @Test func photosThatAnotherRunHoldsAreReportedAtTheEnd() async throws {
        let jobs = try jobs(3)
        let other = try Journal(outputFolder: folder.path("out"))
        let claim = try #require(try other.claim("1.png"))
        let outcome = await run(
            jobs, on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            journal: try Journal(outputFolder: folder.path("out")), claimPatience: .zero)
        #expect(outcome.done.count == 2 && outcome.count(.skipped(.claimedElsewhere)) == 1)
        #expect(outcome.results.count == 3)
        _ = consume claim
    }

    @Test func cancellingEndsPhotosAtWorkAndTakesNoMore() async throws {
        // The fourth photo does not end by itself, only when it is cancelled.
        let count = Locked(0)
        let counter = Counter(count)
        let device = CopyDevice(beforeEachPhoto: { isCancelled in
            guard counter.next() > 3 else { return }
            while !isCancelled() { usleep(200) }
        })
        let jobs = try jobs(200)
        let outcome = await run(jobs, on: DevicePool([device], fallback: nil, checkedShare: 0)) { _, batch in
            if counter.reports() == 3 { batch.cancel() }
        }
        #expect(outcome.done.count == 3)
        #expect(outcome.results.count + outcome.notDone == 200)
        #expect(outcome.notDone > 100)
        #expect(folder.files().filter { !$0.hasPrefix("in/") }.count == 3)
    }

    private final class Counter: Sendable {
        private let value: Locked<Int>
        private let reported = Locked(0)

        init(_ value: consuming Locked<Int>) { self.value = value }

        var count: Int { value.withLock { $0 } }

        func next() -> Int {
            value.withLock {
                $0 += 1
                return $0
            }
        }

        func reports() -> Int {
            reported.withLock {
                $0 += 1
                return $0
            }
        }
    }

    @Test func aBadPhotoStopsNoOther() async throws {
        let jobs = try jobs(20)
        try folder.write(FirstBytes.png, to: "in/7.png")
        let outcome = await run(jobs, on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0))
        #expect(outcome.done.count == 19)
        let failed = outcome.results.filter { $0.status != .done }
        #expect(failed.map(\.job.photo.path) == [folder.path("in/7.png")])
    }

    @Test func aFullDiskStopsTheRun() async throws {
        let device = CopyDevice(beforeEachPhoto: { _ in
            throw PhotoError.cannotWrite(path: "out", .noSpace)
        })
        let outcome = await run(
            try jobs(200), on: DevicePool([device], fallback: nil, checkedShare: 0), atOnce: 1)
        #expect(outcome.done.isEmpty && outcome.notDone > 100)
        // Photos in flight when the first one failed may have begun.
        #expect(device.photoCount <= Batch.window(concurrentPhotoCount: 1, downloads: false))
    }

    @Test func theFallbackRedoesWhatADeviceCouldNot() async throws {
        let failure = DeviceError.callFailed(call: "clFinish", code: -5, device: "Test")
        let broken = CopyDevice("broken", beforeEachPhoto: { _ in throw failure })
        let cpu = CopyDevice("cpu", kind: .simd)
        let pool = DevicePool([broken], fallback: cpu, checkedShare: 0)
        let outcome = await run(try jobs(20), on: pool, atOnce: 1)
        #expect(outcome.done.count == 20 && outcome.done.allSatisfy { $0.device == "cpu" })
        #expect(outcome.results.allSatisfy { $0.fallback != nil })
        #expect(outcome.results.first?.fallback == failure.description)
        // After five errors, the device gets no more photos.
        #expect(broken.photoCount == 5 && pool.retired.map(\.info.identifier) == ["broken"])
    }

    @Test func aDeviceThatHangsIsNotAskedAgain() async throws {
        let failure = DeviceError.stoppedAnswering(device: "Test", after: .seconds(30))
        let hanging = CopyDevice("hanging", beforeEachPhoto: { _ in throw failure })
        let other = CopyDevice("other")
        let pool = DevicePool([hanging, other], fallback: nil, checkedShare: 0)
        let outcome = await run(try jobs(20), on: pool, atOnce: 1)
        #expect(outcome.done.count == 20 && outcome.done.allSatisfy { $0.device == "other" })
        #expect(hanging.photoCount == 1 && pool.retired.map(\.info.identifier) == ["hanging"])
        #expect(outcome.results.filter { $0.fallback == failure.description }.count == 1)
    }

    @Test(arguments: [true, false])
    func aDeviceThatBeginsToGiveWrongPixelsIsRetiredAndItsOutputsAreMadeAgain(hasJournal: Bool) async throws {
        let photos = Counter(Locked(0))
        // A copy is wrong for sepia.
        let wrong = CopyDevice("wrong", beforeEachPhoto: { _ in _ = photos.next() })
        let pool = DevicePool([wrong], fallback: SIMDDevice(), checkedShare: 0.02)
        let (jobs, journal) = (
            try jobs(200), hasJournal ? try Journal(outputFolder: folder.path("out")) : nil
        )
        let outcome = await run(jobs, on: pool, atOnce: 1, journal: journal)
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
    private func expectRemade(_ outcome: Outcome, _ outputs: [String], _ journal: Journal? = nil) throws {
        #expect(outcome.remade.allSatisfy { $0.status == .done && $0.device == "cpu" })
        #expect(outcome.remade.map(\.job.output.path).sorted() == outputs.sorted())
        let photo = try EncodedImage(path: folder.path("in/0.png"))
        let right = try PhotoPipeline(recipe).process(photo, on: SIMDDevice()).image.bytes()
        for result in outcome.done {
            let output = result.job.output.path
            #expect(FileManager.default.contents(atPath: output).map { [UInt8]($0) } == right, "\(output)")
            guard let journal else { continue }
            let input = try InputIdentity(result.job.photo)
            let decision = try journal.decision(
                for: input, recipe: recipe.canonicalText, output: try journal.outputName(of: output))
            guard case .upToDate = decision else {
                Issue.record("\(output): \(decision)")
                continue
            }
        }
    }

    @Test func whereNoDeviceIsLeftTheNextRunMakesThemAgain() async throws {
        // Its first outputs are right; those since the last check that passed are suspect all the same.
        let turning = TurningDevice { $0 <= 5 }
        let jobs = try jobs(60)
        let journal = try Journal(outputFolder: folder.path("out"))
        let first = await run(
            jobs, on: DevicePool([turning], fallback: nil, checkedShare: 0.02), atOnce: 1, journal: journal)
        let made = first.done.map(\.job.output.path)
        #expect(first.remade.isEmpty && !made.isEmpty && made.count < 60)
        let suspects = Set(first.suspects["turning"] ?? [])
        #expect(!suspects.isEmpty && suspects.isSubset(of: made))
        // By the journal they have failed: the next run does them, and what failed, and no other.
        let trusted = made.count - suspects.count
        let summary = try JournalSummary(outputFolder: folder.path("out"))
        #expect(summary.failedCount == 60 - trusted && summary.doneCount == trusted)
        let right = DevicePool([SIMDDevice()], fallback: nil)
        let second = await run(jobs, on: right, journal: journal)
        #expect(second.done.count == 60 - trusted && second.done.allSatisfy { $0.device == "cpu" })
        #expect(second.count(.skipped(.upToDate)) == trusted)
        try expectRemade(second, [], journal)
    }

    @Test func aStoppedRunLeavesThemToTheNext() async throws {
        let pool = DevicePool([TurningDevice { $0 <= 5 }], fallback: SIMDDevice(), checkedShare: 0.02)
        let (jobs, journal) = (try jobs(60), try Journal(outputFolder: folder.path("out")))
        let outcome = await run(jobs, on: pool, atOnce: 1, journal: journal) { result, batch in
            if result.fallback != nil { batch.cancel() }
        }
        let suspects = try #require(outcome.suspects["turning"])
        #expect(outcome.remade.isEmpty && outcome.notDone > 0)
        let failed = try journal.receipts(in: .failed).filter(\.isSuspect).map { journal.path(of: $0.output) }
        #expect(Set(failed) == Set(suspects))
    }

    @Test func whatASecondDeviceMakesAgainWronglyIsMadeOnceMore() async throws {
        let jobs = try jobs(40)
        let photo = try EncodedImage(path: folder.path("in/0.png"))
        let right = try PhotoPipeline(recipe).process(photo, on: SIMDDevice()).image.bytes()
        var wasMadeTwice = false
        // The check that finds the second device wrong comes while it makes outputs again about every second time.
        for _ in 0..<30 where !wasMadeTwice {
            let photos = Counter(Locked(0))
            let wrong = CopyDevice("wrong", beforeEachPhoto: { _ in _ = photos.next() })
            let turning = TurningDevice { _ in photos.next() <= 40 }
            let pool = DevicePool([wrong, turning], fallback: SIMDDevice(), checkedShare: 0.02)
            let outcome = await run(jobs, on: pool)
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
            try FileManager.default.removeItem(atPath: folder.path("out"))
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
                let end = ContinuousClock.now + .seconds(20)
                while pool.withLock({ $0?.retired.isEmpty != false }), ContinuousClock.now < end {
                    Thread.sleep(forTimeInterval: 0.001)
                }
            })
        let devices = DevicePool([wrong], fallback: SIMDDevice(), checkedShare: 0.02)
        pool.withLock { $0 = devices }
        let outcome = await run(try jobs(200), on: devices, atOnce: 2)
        #expect(outcome.done.count == 200 && devices.retired.count == 1)
        let earlier = outcome.done.filter { $0.device == "wrong" }.map(\.job.output.path)
        let reports = outcome.done.compactMap(\.fallback).filter { $0.contains("computes other pixels") }
        #expect(reports.count >= 2)
        #expect(Set(outcome.suspects["wrong"] ?? []) == Set(earlier))
        #expect(earlier.count < wrong.photoCount - 1)
        try expectRemade(outcome, earlier)
    }

    @Test func anOutputThatALinkLeadsElsewhereIsNotMade() async throws {
        var jobs = try jobs(2)
        let root = folder.path("out")
        for name in ["out", "precious"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(name), withIntermediateDirectories: true)
        }
        // Planted after the plan, which refuses it.
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/sub", withDestinationPath: folder.path("precious"))
        jobs[0] = PhotoJob(photo: jobs[0].photo, output: .file(path: "\(root)/sub/a.png"))
        var pipeline = PhotoPipeline(recipe)
        pipeline.outputFolder = root
        let settings = Batch.Settings(
            through: pipeline, on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            concurrentPhotoCount: 1)
        var statuses: [String: PhotoResult.Status] = [:]
        for await result in Batch.results(of: jobs, settings) {
            statuses[result.job.output.path] = result.status
        }
        let refused = PhotoError.outputOutside(path: "\(root)/sub/a.png")
        #expect(statuses == ["\(root)/sub/a.png": .failed(refused), "\(root)/1.png": .done])
        #expect(folder.files().filter { !$0.hasPrefix("in/") } == ["out/1.png"])
    }

    @Test func withoutAFallbackADeviceErrorIsThePhotosFailure() async throws {
        let failure = DeviceError.callFailed(call: "clFinish", code: -5, device: "Test")
        let broken = CopyDevice(beforeEachPhoto: { _ in throw failure })
        let outcome = await run(
            try jobs(5), on: DevicePool([broken], fallback: nil, checkedShare: 0), atOnce: 1)
        #expect(outcome.results.count == 5)
        for result in outcome.results {
            guard case .failed(let error) = result.status else {
                Issue.record("\(result.job.photo.path) did not fail")
                continue
            }
            #expect(error.kind == .device)
        }
    }

    @Test func devicesShareThePhotos() async throws {
        let first = CopyDevice("first", beforeEachPhoto: { _ in usleep(2000) })
        let second = CopyDevice("second", beforeEachPhoto: { _ in usleep(2000) })
        let outcome = await run(
            try jobs(40), on: DevicePool([first, second], fallback: nil, checkedShare: 0), atOnce: 2)
        #expect(outcome.done.count == 40)
        #expect(first.photoCount + second.photoCount == 40)
        #expect(first.photoCount > 0 && second.photoCount > 0)
    }
}
