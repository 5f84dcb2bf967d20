import Foundation
import TestSupport
import Testing

@testable import TintypeDownload

/// Shared transfers: cancellation, limits, order.
@Suite struct SharingTests {
    /// A server that holds its answers until it is released, and records events at its end.
    private final class Gate: Sendable {
        let arrived = Signal()
        let release = Signal()
        let clientLeft = Signal()
    }

    private func gatedServer(_ gate: Gate) throws -> FaultServer {
        try FaultServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
            gate.arrived.fire()
            _ = gate.release.wait()
            return connection.send("cd") ? .keepAlive : .close
        }
    }

    private func serverThatNeverEnds(_ gate: Gate) throws -> FaultServer {
        try FaultServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab")
            gate.arrived.fire()
            if connection.waitForClient() { gate.clientLeft.fire() }
            return .close
        }
    }

    @Test func addressesThatOnlyLookAlikeAreFetchedEach() throws {
        let keys = ["caf\u{E9}.jpg", "cafe\u{301}.jpg"]
        let locations = try keys.map { try S3Location(bucket: "b", key: $0) }
        #expect(Set(locations).count == 2)
        let addresses = try locations.map { try WebAddress($0.url.absoluteString) }
        #expect(Set(addresses).count == 2)
    }

    @Test func theSameURLIsFetchedOnce() async throws {
        let gate = Gate()
        let server = try gatedServer(gate)
        defer { server.stop() }
        let downloader = try makeDownloader()
        // A fragment never reaches a server.
        let urls = [server.url(), server.url(), server.url("/photo.jpg#part")]
        let (bodies, done) = (Shared<[[UInt8]]>([]), Signal())
        for url in urls {
            downloader.start(DownloadRequest(url: url)) { result in
                let bytes = try? result.get().body.bytes()
                bodies.change { $0.append(bytes ?? []) }
                done.fire()
            }
        }
        #expect(await gate.arrived.fired())
        gate.release.fire()
        for _ in urls { #expect(await done.fired()) }
        #expect(bodies.value == Array(repeating: Array("abcd".utf8), count: 3))
        #expect(server.requests.count == 1)
        downloader.shutdown()
    }

    @Test func otherLimitsAreAnotherDownload() async throws {
        let server = try FaultServer { _, connection in connection.respond(body: [1, 2, 3]) }
        defer { server.stop() }
        let downloader = try makeDownloader()
        async let small = result(downloader, DownloadRequest(url: server.url(), byteLimit: 2))
        async let large = result(downloader, DownloadRequest(url: server.url(), byteLimit: 3))
        #expect(await small.error == .tooLarge(url: "\(server.url())", byteLimit: 2))
        #expect(try await large.get().byteCount == 3)
        downloader.shutdown()
    }

    @Test func cancellingOneDownloadKeepsTheOthers() async throws {
        let gate = Gate()
        let server = try gatedServer(gate)
        defer { server.stop() }
        let downloader = try makeDownloader()
        let (left, stayed) = (Shared<DownloadError?>(nil), Shared<Int?>(nil))
        let (hasLeft, hasStayed) = (Signal(), Signal())
        let leaver = downloader.start(DownloadRequest(url: server.url())) { result in
            left.change { $0 = result.error }
            hasLeft.fire()
        }
        downloader.start(DownloadRequest(url: server.url())) { result in
            stayed.change { $0 = try? result.get().byteCount }
            hasStayed.fire()
        }
        #expect(await gate.arrived.fired())
        leaver.cancel()
        #expect(await hasLeft.fired())
        #expect(left.value == .cancelled(url: "\(server.url())"))
        gate.release.fire()
        #expect(await hasStayed.fired())
        #expect(stayed.value == 4)
        downloader.shutdown()
    }

    @Test func cancellingTheLastDownloadClosesTheConnection() async throws {
        let gate = Gate()
        let server = try serverThatNeverEnds(gate)
        defer { server.stop() }
        let downloader = try makeDownloader()
        let tasks = (1...3).map { _ in downloader.start(DownloadRequest(url: server.url())) { _ in } }
        #expect(await gate.arrived.fired())
        tasks.forEach { $0.cancel() }
        #expect(await gate.clientLeft.fired())
        #expect(server.requests.count == 1)
    }

    @Test func cancellingASwiftTaskCancelsTheDownload() async throws {
        let gate = Gate()
        let server = try serverThatNeverEnds(gate)
        defer { server.stop() }
        let downloader = try makeDownloader()
        let task = Task { await result(downloader, DownloadRequest(url: server.url())) }
        #expect(await gate.arrived.fired())
        task.cancel()
        #expect(await task.value.error == .cancelled(url: "\(server.url())"))
        #expect(await gate.clientLeft.fired())
    }

    @Test func cancellingTwiceOrTooLateChangesNothing() async throws {
        let server = try FaultServer { _, connection in connection.respond(body: [1]) }
        defer { server.stop() }
        let downloader = try makeDownloader()
        let (results, done) = (Shared<[Int?]>([]), Signal())
        let task = downloader.start(DownloadRequest(url: server.url())) { result in
            results.change { $0.append(try? result.get().byteCount) }
            done.fire()
        }
        #expect(await done.fired())
        task.cancel()
        task.cancel()
        _ = try await downloader.download(DownloadRequest(url: server.url("/next")))
        #expect(results.value == [1])
        downloader.shutdown()
    }

    @Test func aCancelledRetryIsNotMade() async throws {
        let refused = Signal()
        let server = try FaultServer { _, connection in
            defer { refused.fire() }
            return connection.respond(503, ["Retry-After: 15"])
        }
        defer { server.stop() }
        let downloader = try makeDownloader(retries: 1)
        let task = Task { await result(downloader, DownloadRequest(url: server.url())) }
        #expect(await refused.fired())
        task.cancel()
        #expect(await task.value.error == .cancelled(url: "\(server.url())"))
        #expect(server.requests.count == 1)
        downloader.shutdown()
    }

    @Test(arguments: [(total: 16, perHost: 6, expected: 6), (total: 4, perHost: 6, expected: 4)])
    func limitsHold(total: Int, perHost: Int, expected: Int) async throws {
        let busy = Shared((now: 0, most: 0))
        let (arrived, release) = (Signal(), Signal())
        let server = try FaultServer { _, connection in
            busy.change { $0 = ($0.now + 1, max($0.most, $0.now + 1)) }
            arrived.fire()
            _ = release.wait()
            busy.change { $0.now -= 1 }
            return connection.respond(body: [1])
        }
        defer { server.stop() }
        let downloader = try makeDownloader {
            $0.maximumTransfers = total
            $0.maximumTransfersPerHost = perHost
        }
        let done = Signal()
        for index in 1...20 {
            downloader.start(DownloadRequest(url: server.url("/\(index)"))) { _ in done.fire() }
        }
        for _ in 1...expected { #expect(await arrived.fired()) }
        #expect(downloader.activeCount == expected)
        for _ in 1...20 { release.fire() }
        for _ in 1...20 { #expect(await done.fired()) }
        #expect(busy.value.most == expected)
        #expect(server.connectionCount == expected, "connections are reused")
        downloader.shutdown()
    }

    @Test func aBusyHostDoesNotHoldUpAnother() async throws {
        let gate = Gate()
        let busy = try gatedServer(gate)
        let free = try FaultServer { _, connection in connection.respond(body: [1]) }
        let downloader = try makeDownloader { $0.maximumTransfersPerHost = 1 }
        for index in 1...3 { downloader.start(DownloadRequest(url: busy.url("/\(index)"))) { _ in } }
        #expect(try await downloader.download(DownloadRequest(url: free.url())).byteCount == 1)
        downloader.shutdown()
        gate.release.fire()
        busy.stop()
        free.stop()
    }

    @Test func urgentDownloadsGoFirstAndTheRestInOrder() async throws {
        let gate = Gate()
        let server = try FaultServer { request, connection in
            if request.number == 1 {
                gate.arrived.fire()
                _ = gate.release.wait()
            }
            return connection.respond(body: [1])
        }
        defer { server.stop() }
        let downloader = try makeDownloader { $0.maximumTransfers = 1 }
        let done = Signal()
        func start(_ name: String, _ priority: DownloadRequest.Priority) -> DownloadTask {
            downloader.start(DownloadRequest(url: server.url(name), priority: priority)) { _ in done.fire() }
        }
        _ = start("/first", .low)
        #expect(await gate.arrived.fired())
        _ = start("/low", .low)
        _ = start("/b", .normal)
        _ = start("/c", .normal)
        let unwanted = start("/unwanted", .high)
        _ = start("/high", .high)
        _ = start("/a", .normal)
        // A second request has a higher priority.
        _ = start("/a", .high)
        unwanted.cancel()
        gate.release.fire()
        for _ in 1...8 { #expect(await done.fired()) }
        #expect(server.requests.map(\.target) == ["/first", "/high", "/a", "/b", "/c", "/low"])
        downloader.shutdown()
    }

    @Test func anUrgentRequestDoesNotHastenARetry() async throws {
        let server = try FaultServer { request, connection in
            request.number == 1 ? connection.respond(503) : connection.respond(body: [1])
        }
        defer { server.stop() }
        var configuration = testConfiguration()
        configuration.maximumTransfers = 1
        // The wait is random: less than a second in one of 100,000 runs.
        configuration.retry = RetryPolicy(
            retries: 1, baseDelay: .seconds(100_000), maximumDelay: .seconds(100_000))
        configuration.timeout = .seconds(200_000)
        let changed = Signal()
        let downloader = try Downloader(configuration) { _ in changed.fire() }
        downloader.start(DownloadRequest(url: server.url("/a"), priority: .low)) { _ in }
        // It begins, and ends with the refusal.
        for _ in 1...2 { #expect(await changed.fired()) }
        downloader.start(DownloadRequest(url: server.url("/a"), priority: .high)) { _ in }
        _ = try await downloader.download(DownloadRequest(url: server.url("/b"), priority: .low))
        #expect(server.requests.map(\.target) == ["/a", "/b"])
        downloader.shutdown()
    }

    @Test func activityIsReported() async throws {
        let gate = Gate()
        let server = try gatedServer(gate)
        defer { server.stop() }
        let (counts, changed) = (Shared<[Int]>([]), Signal())
        let downloader = try Downloader(testConfiguration()) { count in
            counts.change { $0.append(count) }
            changed.fire()
        }
        async let download = downloader.download(DownloadRequest(url: server.url()))
        #expect(await gate.arrived.fired())
        #expect(await changed.fired())
        #expect(downloader.activeCount == 1)
        gate.release.fire()
        #expect(try await download.byteCount == 4)
        #expect(await changed.fired())
        #expect(counts.value == [1, 0])
        #expect(downloader.activeCount == 0)
    }

    @Test func shutdownEndsEverything() async throws {
        let gate = Gate()
        let server = try serverThatNeverEnds(gate)
        defer { server.stop() }
        let downloader = try makeDownloader { $0.maximumTransfers = 1 }
        async let running = result(downloader, DownloadRequest(url: server.url("/running")))
        #expect(await gate.arrived.fired())
        async let queued = result(downloader, DownloadRequest(url: server.url("/queued")))
        downloader.shutdown()
        #expect(await gate.clientLeft.fired())
        downloader.shutdown()
        #expect(await running.error == .shutDown(url: "\(server.url("/running"))"))
        #expect(await queued.error == .shutDown(url: "\(server.url("/queued"))"))
        let late = await result(downloader, DownloadRequest(url: server.url("/late")))
        #expect(late.error == .shutDown(url: "\(server.url("/late"))"))
        #expect(server.requests.map(\.target) == ["/running"])
    }

    @Test func aDownloadThatIsStartedDuringTheShutdownEnds() throws {
        try Libcurl.initialize()
        let multi = try MultiHandle(maximumTransfers: 1)
        let link = EngineLink(wakeUp: { multi.wakeUp() })
        let errors = Shared<[DownloadError?]>([])
        let request = DownloadRequest(url: try #require(URL(string: "http://127.0.0.1/late")))
        let waiter = Waiter(
            id: link.makeID(), onProgress: nil,
            completion: { result in errors.change { $0.append(result.error) } })
        // The thread takes both at once.
        link.send(.stop)
        link.send(.start(waiter, request, try WebAddress(request.url.absoluteString)))
        let handlers = DispatchQueue(label: "test")
        Engine(testConfiguration(), multi: multi, link: link, handlers: handlers, onActiveCountChange: nil)
            .run()
        handlers.sync {}
        #expect(errors.value == [.shutDown(url: "http://127.0.0.1/late")])
    }
}
