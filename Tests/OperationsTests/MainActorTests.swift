import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// Sessions, handlers and operations on the main actor of a program without a run loop.
struct MainActorTests {
    @MainActor private final class Spinners: PhotoView {
        var session: PhotoSession?
        /// Whether the photo was busy when it was reloaded.
        var isBusy: [Bool] = []

        func reloadAll() {}
        func reload(item: Int) { isBusy.append(session?.isBusy(item) ?? false) }
    }

    private var steps: PhotoSteps {
        let make: @Sendable (PhotoRecord) -> any ImageDataProvider = {
            ImageOperation(name: $0.name, image: .placeholder)
        }
        return PhotoSteps(download: make, filter: make)
    }

    @Test @MainActor func aSpinnerStopsInTheLastReload() async throws {
        let view = Spinners()
        let session = PhotoSession(TestSession.records(1), steps: steps, view: view)
        view.session = session
        _ = try await session.run()
        #expect(view.isBusy == [true, false], "downloaded, then filtered")
        #expect(!session.isBusy(0))
    }

    @Test @MainActor func aSpinnerStopsForAPhotoThatFails() async throws {
        var steps = steps
        steps.download = { FailedOperation(.noImage, name: $0.name, logger: Logger(label: "test")) }
        let view = Spinners()
        let session = PhotoSession(TestSession.records(1), steps: steps, view: view)
        view.session = session
        _ = try await session.run()
        session.retry(0)
        await session.waitForRest()
        #expect(view.isBusy == [false, true, false], "failed, to be tried again, failed")
    }

    @Test func anyThreadMayAskWhetherAPhotoIsBusy() async throws {
        let gate = Gate()
        let test = TestSession(TestSession.records(2), filter: { _, step in gate.wait(step) })
        #expect(!test.session.isBusy(0))
        test.session.startOperations(for: 0)
        #expect(await eventually { gate.waiting == 1 })
        #expect(test.session.isBusy(0) && !test.session.isBusy(1))
        gate.open()
        #expect(await test.rested() != nil)
        #expect(!test.session.isBusy(0))
    }

    @Test @MainActor func handlersOfAViewRunOnTheMainActor() async throws {
        let log = Log()
        var events = ViewEvents()
        events.filtered = { record, _ in log.lines.append("filtered \(record.name)") }
        events.networkActivity = { log.lines.append("\($0)") }
        events.rested = { log.lines.append("rested \($0.filtered)") }
        let session = PhotoSession(
            TestSession.records(1), steps: steps, view: Spinners(), events: events)
        _ = try await session.run()
        #expect(log.lines == ["1", "0", "filtered 0", "rested 1"])
    }

    @Test @MainActor func anImageIsHandledOnTheMainActor() async throws {
        let log = Log()
        let operation = ImageOperation(name: "a", image: .placeholder)
        operation.onImageProcessed { log.lines.append("\((try? $0.get()) != nil)") }
        await operation.run()
        #expect(await eventually { !log.lines.isEmpty })
        #expect(log.lines == ["true"])
    }

    @MainActor private final class Log {
        var lines: [String] = []
    }

    @Test @MainActor func theMainActorIsOnTheMainQueue() async throws {
        #expect(SerialMainQueue.main.isCurrent)
        await Task.yield()
        #expect(SerialMainQueue.main.isCurrent && !SerialMainQueue.makePrivate().isCurrent)
        let isElsewhere = await Task.detached { !SerialMainQueue.main.isCurrent }.value
        #expect(isElsewhere)
    }

    @Test @MainActor func devicesAreMadeWithoutBlocking() async throws {
        let pool = try await DevicePool.make(.cpu, for: [Sepia()])
        #expect(pool.devices.map(\.info.identifier) == ["cpu"])
        await #expect(throws: DeviceError.self) { try await DevicePool.make(.named("warp drive")) }
    }
}
