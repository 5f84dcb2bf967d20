import Foundation
import TestSupport
import Testing
import Tintype

/// Reloads, and views that take them.
struct ViewTests {
    private final class CountingTarget: ReloadTarget {
        let reloads = Shared<[Int?]>([])

        func reloadAll() { reloads.change { $0.append(nil) } }
        func reload(item: Int) { reloads.change { $0.append(item) } }
    }

    @Test func aCancelledReloadDoesNotReachTheView() async {
        let main = SerialMainQueue.makePrivate()
        let view = CountingTarget()
        let (first, second) = (
            ReloadOperation(.item(1), of: view, on: main), ReloadOperation(.item(2), of: view, on: main)
        )
        main.queue.isSuspended = true
        main.queue.addOperation(first)
        main.queue.addOperation(second)
        first.cancel()
        main.queue.isSuspended = false
        #expect(await eventually { first.isFinished && second.isFinished })
        #expect(view.reloads.value == [2])
    }

    @MainActor private final class List: PhotoView {
        var shown: [String] = []

        func reloadAll() { shown.append("all") }
        func reload(item: Int) { shown.append("\(item)") }
    }

    @Test @MainActor func aViewOnTheMainActorNeedsNoTricks() async throws {
        let photo = try TestPhoto.png(width: 8, height: 8, seed: 1)
        let list = List()
        let steps = PhotoSteps(
            download: { record in FilterOperation([], on: .cpu(), name: record.name, image: record.image) },
            filter: { record in
                FilterOperation(
                    [Sepia()], on: .cpu(), name: record.name, image: try? EncodedImage(bytes: photo))
            })
        let session = PhotoSession(steps: steps, view: list)
        let folder = try TemporaryFolder()
        session.append([try PhotoRecord(path: try folder.write(photo, to: "a.png"))])
        let summary = try await session.run()
        #expect(summary.filtered == 1 && list.shown == ["all", "0"])
    }

    @Test func waitUntilFinishedReturnsWhenTheImageIsThere() throws {
        let image = try EncodedImage(bytes: try TestPhoto.png(width: 8, height: 8, seed: 2))
        let filter = FilterOperation([Noir()], on: .cpu(), name: "a.png", image: image)
        let queue = OperationQueue()
        queue.addOperation(filter)
        filter.waitUntilFinished()
        #expect(filter.image != nil)
        queue.waitUntilAllOperationsAreFinished()
        #expect(queue.operationCount == 0)
    }
}
