import Foundation
import TestSupport
import Testing
import Tintype
import TintypeLocking

@testable import TintypeBatches
@testable import TintypeOperations
@testable import TintypePhotos

struct BatchTests {
    let setting: BatchSetting

    init() throws { setting = try BatchSetting() }

    @Test func resultsComeAsASequence() async throws {
        let settings = Batch.Settings(
            through: PhotoPipeline(setting.recipe),
            on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            concurrentPhotoCount: 2)
        var done: Set<String> = []
        for await result in Batch.results(of: try setting.jobs(5), settings) where result.status == .done {
            done.insert(result.job.output.path.lastPathComponent)
        }
        #expect(done == ["0.png", "1.png", "2.png", "3.png", "4.png"])
    }

    /// A signal may come while the photos are still looked for.
    @Test func aRunThatIsCancelledBeforeItBeginsDoesNothing() async throws {
        let jobs = try setting.jobs(3)
        let device = CopyDevice()
        let settings = Batch.Settings(
            through: PhotoPipeline(setting.recipe),
            on: DevicePool([device], fallback: nil, checkedShare: 0), concurrentPhotoCount: 1)
        let notDone = await withCheckedContinuation { continuation in
            let events = Batch.Events(
                result: { Issue.record("\($0.status)") }, finished: { continuation.resume(returning: $0) })
            let batch = Batch(jobs, settings, on: .makePrivate(), events: events)
            batch.cancel()
            batch.start()
        }
        #expect(notDone == 3 && device.photoCount == 0)
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
            through: PhotoPipeline(setting.recipe), on: DevicePool([device], fallback: nil, checkedShare: 0),
            concurrentPhotoCount: 1)
        for await _ in Batch.results(of: try setting.jobs(20), settings) { break }
        #expect(await eventually { photos.count <= cancelled.count + 1 })
        #expect(setting.folder.files().count { $0.hasPrefix("out/") } == 1)
    }

    @Test func everyPhotoIsReportedOnceAndNoMoreWorkAtOnceThanAsked() async throws {
        let device = CopyDevice(beforeEachPhoto: { _ in usleep(500) })
        let jobs = try setting.jobs(300)
        let outcome = await setting.run(jobs, on: DevicePool([device], fallback: nil, checkedShare: 0))
        #expect(outcome.done.count == 300 && outcome.notDone == 0)
        #expect(Set(outcome.results.map(\.job.photo.path)).count == 300)
        #expect(device.mostAtOnce <= 2)
        #expect(setting.folder.files().filter { $0.hasPrefix("out/") }.count == 300)
        #expect(setting.folder.files().allSatisfy { !$0.contains(".tmp") })
    }

    /// Such as a disk that is unmounted.
    @Test func aRunEndsWithoutItsOutputFolder() async throws {
        let path = setting.folder.path("out"), done = Counter(Locked(0))
        let outcome = await setting.run(
            try setting.jobs(60), on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            journal: try Journal(outputFolder: path)
        ) { result, _ in
            if result.status == .done, done.next() == 1 { rename(path, path + ".gone") }
        }
        #expect(outcome.notDone > 30)
    }

    @Test func theWindowIsBounded() {
        #expect(Batch.window(concurrentPhotoCount: 1, downloads: false) == 16)
        #expect(Batch.window(concurrentPhotoCount: 1, downloads: true) == 64)
        #expect(Batch.window(concurrentPhotoCount: 16, downloads: false) == 64)
        #expect(Batch.window(concurrentPhotoCount: 1000, downloads: true) == 256)
    }

    @Test func aBatchWithoutJobsFinishes() async {
        let outcome = await setting.run([], on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0))
        #expect(outcome.results.isEmpty && outcome.notDone == 0)
    }

    @Test func photosTooLargeForADeviceAreDoneOnTheCPU() async throws {
        let large = CopyDevice("large", memory: RenderMemory(stripRows: 16, byteCount: 1 << 40))
        let cpu = CopyDevice("cpu", kind: .simd)
        let outcome = await setting.run(
            try setting.jobs(7), on: DevicePool([large], fallback: cpu, checkedShare: 0),
            memory: MemoryBudget(byteCount: 64 << 20))
        #expect(outcome.done.count == 7 && cpu.photoCount == 7 && large.photoCount == 0)
        #expect(outcome.done.allSatisfy { $0.device == "cpu" && $0.fallback?.contains("memory") == true })
    }

    @Test func photosOfAnotherRunThatDiesAreDoneHere() async throws {
        let jobs = try setting.jobs(4)
        let other = try Journal(outputFolder: setting.folder.path("out"))
        let held = HeldClaim(try other.claim("2.png"))
        let outcome = await setting.run(
            jobs, on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            journal: try Journal(outputFolder: setting.folder.path("out"))
        ) { _, _ in held.claim.withLock { $0 = nil } }
        #expect(outcome.done.count == 4 && outcome.results.count == 4 && outcome.notDone == 0)
        #expect(setting.folder.files().contains("out/2.png"))
    }

    @Test func aPhotoThatIsTriedAgainIsReloadedInItsOwnPlace() async throws {
        let jobs = try setting.jobs(4)
        let other = try Journal(outputFolder: setting.folder.path("out"))
        let held = HeldClaim(try other.claim("2.png"))
        let view = RecordingView { item in
            if item == 2 { held.claim.withLock { $0 = nil } }
        }
        let outcome = await setting.run(
            jobs, on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            journal: try Journal(outputFolder: setting.folder.path("out")), view: view)
        #expect(outcome.done.count == 4)
        #expect(view.items.sorted() == [0, 1, 2, 2, 3])
    }

    private final class HeldClaim: Sendable {
        let claim: Locked<OutputClaim?>

        init(_ claim: OutputClaim?) { self.claim = Locked(claim) }
    }

    @Test func photosThatAnotherRunHoldsAreReportedAtTheEnd() async throws {
        let jobs = try setting.jobs(3)
        let other = try Journal(outputFolder: setting.folder.path("out"))
        let claim = try #require(try other.claim("1.png"))
        let outcome = await setting.run(
            jobs, on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0),
            journal: try Journal(outputFolder: setting.folder.path("out")), claimPatience: .zero)
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
        let jobs = try setting.jobs(200)
        let outcome = await setting.run(jobs, on: DevicePool([device], fallback: nil, checkedShare: 0)) {
            _, batch in
            if counter.reports() == 3 { batch.cancel() }
        }
        #expect(outcome.done.count == 3)
        #expect(outcome.results.count + outcome.notDone == 200)
        #expect(outcome.notDone > 100)
        #expect(setting.folder.files().filter { !$0.hasPrefix("in/") }.count == 3)
    }

    @Test func aBadPhotoStopsNoOther() async throws {
        let jobs = try setting.jobs(20)
        try setting.folder.write(FirstBytes.png, to: "in/7.png")
        let outcome = await setting.run(jobs, on: DevicePool([CopyDevice()], fallback: nil, checkedShare: 0))
        #expect(outcome.done.count == 19)
        let failed = outcome.results.filter { $0.status != .done }
        #expect(failed.map(\.job.photo.path) == [setting.folder.path("in/7.png")])
    }

    @Test func aFullDiskStopsTheRun() async throws {
        let device = CopyDevice(beforeEachPhoto: { _ in
            throw PhotoError.cannotWrite(path: "out", .noSpace)
        })
        let outcome = await setting.run(
            try setting.jobs(200), on: DevicePool([device], fallback: nil, checkedShare: 0), atOnce: 1)
        #expect(outcome.done.isEmpty && outcome.notDone > 100)
        // Photos in flight when the first one failed may have begun.
        #expect(device.photoCount <= Batch.window(concurrentPhotoCount: 1, downloads: false))
    }

    @Test func theFallbackRedoesWhatADeviceCouldNot() async throws {
        let failure = DeviceError.callFailed(call: "clFinish", code: -5, device: "Test")
        let broken = CopyDevice("broken", beforeEachPhoto: { _ in throw failure })
        let cpu = CopyDevice("cpu", kind: .simd)
        let pool = DevicePool([broken], fallback: cpu, checkedShare: 0)
        let outcome = await setting.run(try setting.jobs(20), on: pool, atOnce: 1)
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
        let outcome = await setting.run(try setting.jobs(20), on: pool, atOnce: 1)
        #expect(outcome.done.count == 20 && outcome.done.allSatisfy { $0.device == "other" })
        #expect(hanging.photoCount == 1 && pool.retired.map(\.info.identifier) == ["hanging"])
        #expect(outcome.results.filter { $0.fallback == failure.description }.count == 1)
    }

    @Test func anOutputThatALinkLeadsElsewhereIsNotMade() async throws {
        var jobs = try setting.jobs(2)
        let root = setting.folder.path("out")
        for name in ["out", "precious"] {
            try FileManager.default.createDirectory(
                atPath: setting.folder.path(name), withIntermediateDirectories: true)
        }
        // Planted after the plan, which refuses it.
        try FileManager.default.createSymbolicLink(
            atPath: "\(root)/sub", withDestinationPath: setting.folder.path("precious"))
        jobs[0] = PhotoJob(photo: jobs[0].photo, output: .file(path: "\(root)/sub/a.png"))
        var pipeline = PhotoPipeline(setting.recipe)
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
        #expect(setting.folder.files().filter { !$0.hasPrefix("in/") } == ["out/1.png"])
    }

    @Test func withoutAFallbackADeviceErrorIsThePhotosFailure() async throws {
        let failure = DeviceError.callFailed(call: "clFinish", code: -5, device: "Test")
        let broken = CopyDevice(beforeEachPhoto: { _ in throw failure })
        let outcome = await setting.run(
            try setting.jobs(5), on: DevicePool([broken], fallback: nil, checkedShare: 0), atOnce: 1)
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
        let outcome = await setting.run(
            try setting.jobs(40), on: DevicePool([first, second], fallback: nil, checkedShare: 0), atOnce: 2)
        #expect(outcome.done.count == 40)
        #expect(first.photoCount + second.photoCount == 40)
        #expect(first.photoCount > 0 && second.photoCount > 0)
    }
}
