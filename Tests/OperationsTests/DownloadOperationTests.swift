import Foundation
import Logging
import TestSupport
import Testing
import Tintype
import TintypeDownload

@testable import TintypeOperations
@testable import TintypePhotos

struct DownloadOperationTests {
    @Test func aStringThatIsNoURLMakesNoOperation() throws {
        let downloader = try PhotoDownloader.forTests()
        #expect(DownloadOperation(string: "", through: downloader) == nil)
        #expect(DownloadOperation(string: "photo.jpg", through: downloader) == nil)
        let operation = DownloadOperation(string: "http://127.0.0.1/a%20b.jpg", through: downloader)
        #expect(operation?.name == "a b.jpg")
    }

    @Test func theImageIsTheServersBytesAndTheCompletionComesFirst() async throws {
        let photo = try TestPhoto.png(width: 200, height: 300, seed: 1)
        let server = try FaultServer { _, connection in connection.respond(body: photo) }
        defer { server.stop() }
        let order = Shared<[String]>([])
        let download = DownloadOperation(server.url(), through: try .forTests()) { result in
            order.change { $0.append("completion \((try? result.get().format) == .png)") }
        }
        let after = BlockOperation { order.change { $0.append("dependent") } }
        after.addDependency(download)
        #expect(await run([download, after]))
        #expect(try download.imageResult?.get().bytes() == photo)
        #expect(order.value == ["completion true", "dependent"])
    }

    @Test func halfTheSizeIsWhatTheHalvingRecipeGives() async throws {
        let photo = try TestPhoto.png(width: 31, height: 20, seed: 2)
        let server = try FaultServer { _, connection in connection.respond(body: photo) }
        defer { server.stop() }
        let download = DownloadOperation(server.url(), through: try .forTests(), scale: .half)
        #expect(await run([download]))
        let bytes = try #require(try download.imageResult?.get().bytes())
        // Width and height in the PNG's header: rounded up.
        #expect(bytes[16..<24] == [0, 0, 0, 16, 0, 0, 0, 10])
    }

    @Test func aFailureIsTheOperationsResult() async throws {
        let server = try FaultServer { _, connection in connection.respond(404) }
        defer { server.stop() }
        let download = DownloadOperation(server.url(), through: try .forTests())
        #expect(await run([download]))
        guard case .failure(.download(.httpStatus(_, let status))) = download.imageResult else {
            Issue.record("\(String(describing: download.imageResult))")
            return
        }
        #expect(status == 404)
    }

    @Test func nothingIsDownloadedOnceNoDeviceIsLeft() async throws {
        let server = try FaultServer { _, connection in connection.respond(404) }
        defer { server.stop() }
        let devices = DevicePool.cpu()
        #expect(throws: DeviceError.self) {
            try devices.withDevices { _, _ in
                throw DeviceError.stoppedAnswering(device: "cpu", after: .seconds(1))
            }
        }
        let download = DownloadOperation(
            server.url(), through: try .forTests(), name: nil, devices: devices, entries: [],
            logger: Logger(label: "test"))
        #expect(await run([download]))
        guard case .failure(.noDeviceLeft) = download.imageResult else {
            Issue.record("\(String(describing: download.imageResult))")
            return
        }
        #expect(server.requests.isEmpty)
    }

    /// An output that cannot be decided now, such as in an outage, may need the photo later.
    @Test(
        arguments: [
            ([.upToDate, nil], true), ([.upToDate, .claimedElsewhere], false),
            ([.outputExists, .work(replaces: false)], true),
        ] as [([OutputVerdict?], Bool)])
    func aPhotoIsDownloadedUnlessAllOutputsAreDecided(verdicts: [OutputVerdict?], isNeeded: Bool) throws {
        let entries = verdicts.map { DecidedEntry($0) as any OutputEntry }
        #expect(try entries.needPhoto(isCancelled: { false }) == isNeeded)
    }

    private final class DecidedEntry: OutputEntry {
        let verdict: OutputVerdict?
        var output: PhotoJob.Output { .standardOutput }
        func move(to output: PhotoJob.Output) {}
        var partialsFolder: URL? { nil }
        var stagedPath: String? { nil }

        init(_ verdict: OutputVerdict?) { self.verdict = verdict }

        func admit(isCancelled: @escaping () -> Bool) throws -> OutputVerdict {
            guard let verdict else { throw PhotoError.cannotRead(.ioError) }
            return verdict
        }

        func note(_ download: Downloaded) {}
        func announce(_ publication: PhotoPipeline.Publication, device: String?) {}
        func deliver(isCancelled: @escaping () -> Bool) {}
        func finish(_ report: FilterReport) {}
        func fail(_ error: PhotoError) {}
        func release() {}
    }

    @Test func cancellingClosesTheSocketBeforeTheOperationIsFinished() async throws {
        let isClosed = Shared(false)
        let hasBegun = Shared(false)
        let server = try FaultServer { _, connection in
            connection.send(connection.head(200, ["Content-Length: 1000"]))
            hasBegun.change { $0 = true }
            let closed = connection.waitForClient()
            isClosed.change { $0 = closed }
            return .close
        }
        defer { server.stop() }
        let log = LogRecorder()
        let downloader = try PhotoDownloader.forTests()
        let download = DownloadOperation(server.url(), through: downloader, logger: log.logger) { _ in
            Issue.record("the completion of a cancelled download was called")
        }
        OperationQueue().addOperation(download)
        #expect(await eventually { hasBegun.value })
        download.cancel()
        #expect(await eventually { download.isFinished })
        #expect(await eventually { downloader.downloader.activeCount == 0 })
        #expect(await eventually { isClosed.value })
        #expect(download.imageResult == nil)
        #expect(log.lines.last == "<DownloadOperation photo.jpg> Cancelled")
    }

    @Test func manyDownloadsWaitWithoutHoldingThreads() async throws {
        let gate = Gate()
        let server = try FaultServer { _, connection in
            gate.wait(Operation())
            return connection.respond(body: FirstBytes.png)
        }
        defer { server.stop() }
        let downloader = try PhotoDownloader.forTests()
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 64
        let downloads = (0..<64).map { DownloadOperation(server.url("/\($0)"), through: downloader) }
        for download in downloads { queue.addOperation(download) }
        // With one thread for each download they could not all execute: the pool has far fewer threads.
        #expect(await eventually { downloads.allSatisfy(\.isExecuting) })
        gate.open()
        #expect(await eventually { downloads.allSatisfy { $0.image != nil } })
    }
}
