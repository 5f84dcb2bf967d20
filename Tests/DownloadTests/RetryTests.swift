import Foundation
import TestSupport
import Testing

@testable import TintypeDownload

/// Which downloads are retried, how often, and from which byte.
@Suite struct RetryTests {
    private static let photo = noise(5000)
    private static let tag = "ETag: \"one\""

    /// Sends 2000 bytes of the photo; `next` handles later requests.
    private func serverThatBreaks(
        firstHead: [String] = [tag], _ next: @escaping FaultServer.Handler
    ) throws -> FaultServer {
        try FaultServer { request, connection in
            if request.number > 1 { return next(request, connection) }
            connection.send(connection.head(200, firstHead + ["Content-Length: 5000"]))
            connection.send(Array(Self.photo[..<2000]))
            return .close
        }
    }

    private func expectPhoto(
        _ photo: [UInt8] = photo, from server: FaultServer, attempts: Int, retries: Int = 1
    ) async throws {
        let downloader = try makeDownloader(retries: retries)
        let download = try await downloader.download(DownloadRequest(url: server.url()))
        #expect(try download.body.bytes() == photo)
        #expect(download.attempts == attempts)
        #expect(server.requests.count == attempts)
        downloader.shutdown()
        server.stop()
    }

    @Test func aBrokenBodyIsContinued() async throws {
        let server = try serverThatBreaks { _, connection in
            connection.respond(
                206, [Self.tag, "Content-Range: bytes 2000-4999/5000"], body: Array(Self.photo[2000...]))
        }
        try await expectPhoto(from: server, attempts: 2)
        #expect(server.requests[1].headers["range"] == "bytes=2000-")
        #expect(server.requests[1].headers["if-range"] == "\"one\"")
    }

    @Test func aDateContinuesABodyToo() async throws {
        let dates = ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:39 GMT"]
        let server = try serverThatBreaks(firstHead: dates) { _, connection in
            connection.respond(
                206, dates + ["Content-Range: bytes 2000-4999/5000"], body: Array(Self.photo[2000...]))
        }
        try await expectPhoto(from: server, attempts: 2)
        #expect(server.requests[1].headers["if-range"] == "Sun, 06 Nov 1994 08:49:37 GMT")
    }

    @Test(arguments: [
        [], ["ETag: W/\"weak\""], ["ETag: W/\"weak\"", "Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT"],
        // Changed in the second in which it was served: it may change again within it.
        ["Last-Modified: Sun, 06 Nov 1994 08:49:37 GMT", "Date: Sun, 06 Nov 1994 08:49:37 GMT"],
    ])
    func withoutAStrongValidatorABodyIsFetchedAnew(head: [String]) async throws {
        let server = try serverThatBreaks(firstHead: head) { _, connection in
            connection.respond(body: Self.photo)
        }
        try await expectPhoto(from: server, attempts: 2)
        #expect(server.requests[1].headers["range"] == nil)
        #expect(server.requests[1].headers["if-range"] == nil)
    }

    @Test func aServerThatIgnoresRangesSendsItAnew() async throws {
        let server = try serverThatBreaks { _, connection in connection.respond(body: Self.photo) }
        try await expectPhoto(from: server, attempts: 2)
    }

    @Test func aPhotoThatChangedIsFetchedAnew() async throws {
        let changed = noise(3000, seed: 2)
        let server = try serverThatBreaks { _, connection in
            connection.respond(200, ["ETag: \"two\""], body: changed)
        }
        try await expectPhoto(changed, from: server, attempts: 2)
    }

    /// Servers that ignore `If-Range`, or answer with another part than they were asked for.
    @Test(arguments: [
        ["ETag: \"two\"", "Content-Range: bytes 2000-4999/5000"],
        [tag, "Content-Range: bytes 1000-3999/5000"],
        [tag, "Content-Range: bytes 2000-4999/6000"],
        [tag, "Content-Range: bytes 2000-4998/5000"],
        [tag, "Content-Range: lines 2000-4999/5000"],
        [tag],
    ])
    func aPartThatDoesNotFitIsThrownAway(head: [String]) async throws {
        let server = try serverThatBreaks { request, connection in
            if request.headers["range"] == nil { return connection.respond(body: Self.photo) }
            return connection.respond(206, head, body: noise(3000, seed: 3))
        }
        try await expectPhoto(from: server, attempts: 3)
    }

    @Test func aRangeThatCannotBeSatisfiedIsFetchedAnew() async throws {
        let server = try serverThatBreaks { request, connection in
            if request.headers["range"] == nil { return connection.respond(body: Self.photo) }
            return connection.respond(416, ["Content-Range: bytes */1500"])
        }
        try await expectPhoto(from: server, attempts: 3)
    }

    @Test func aPartThatIsLongerThanTheWholeIsFetchedAnew() async throws {
        let server = try serverThatBreaks { request, connection in
            if request.headers["range"] == nil { return connection.respond(body: Self.photo) }
            let head = [Self.tag, "Content-Range: bytes 2000-4999/5000"]
            return connection.respond(206, head, body: noise(3500, seed: 3))
        }
        try await expectPhoto(from: server, attempts: 3)
    }

    @Test(arguments: [408, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529])
    func aStatusThatMayPassIsTriedAgain(status: Int) async throws {
        let server = try FaultServer { request, connection in
            request.number < 3 ? connection.respond(status) : connection.respond(body: Self.photo)
        }
        try await expectPhoto(from: server, attempts: 3, retries: 2)
    }

    @Test(arguments: [400, 401, 403, 404, 410, 451, 501, 505, 525])
    func aStatusThatStaysIsNotTriedAgain(status: Int) async throws {
        let server = try FaultServer { _, connection in connection.respond(status) }
        let error = await error(try makeDownloader(retries: 3), server.url())
        #expect(error == .httpStatus(url: "\(server.url())", status: status))
        #expect(server.requests.count == 1)
        #expect(error.map { "\($0)".contains("more retries") } == false)
        server.stop()
    }

    @Test func resetsAreTriedAgain() async throws {
        let server = try FaultServer { request, connection in
            if request.number == 3 { return connection.respond(body: Self.photo) }
            connection.reset()
            return .close
        }
        try await expectPhoto(from: server, attempts: 3, retries: 2)
    }

    @Test func retriesRunOut() async throws {
        let server = try FaultServer { _, connection in connection.respond(503) }
        let error = await error(try makeDownloader(retries: 2), server.url())
        #expect(error == .httpStatus(url: "\(server.url())", status: 503))
        #expect(server.requests.count == 3)
        server.stop()
    }

    private func gapAfterRefusal(
        _ status: Int, retryAfter: @escaping @Sendable () -> String,
        _ change: (inout DownloaderConfiguration) -> Void = { _ in }
    ) async throws -> Duration {
        let times = Shared<[ContinuousClock.Instant]>([])
        let server = try FaultServer { request, connection in
            times.change { $0.append(.now) }
            return request.number == 1
                ? connection.respond(status, ["Retry-After: \(retryAfter())"]) : connection.respond(body: [1])
        }
        defer { server.stop() }
        let downloader = try makeDownloader(retries: 1, change)
        #expect(try await downloader.download(DownloadRequest(url: server.url())).attempts == 2)
        downloader.shutdown()
        return times.value[1] - times.value[0]
    }

    @Test func aServerIsLeftAloneForTheSecondsItAsksFor() async throws {
        #expect(try await gapAfterRefusal(429) { "1" } >= .milliseconds(900))
    }

    @Test func aServerIsLeftAloneUntilTheDateItNames() async throws {
        let gap = try await gapAfterRefusal(503) {
            let format = DateFormatter()
            format.locale = Locale(identifier: "en_US_POSIX")
            format.timeZone = TimeZone(identifier: "GMT")
            format.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
            return format.string(from: Date(timeIntervalSinceNow: 3))
        }
        // Dates have whole seconds, and so has libcurl's difference of them.
        #expect(gap >= .milliseconds(900))
    }

    @Test func aServerThatAsksForTooLongIsAskedEarlier() async throws {
        _ = try await gapAfterRefusal(503) {
            "86400"
        } _: {
            $0.retry.maximumRetryAfter = .milliseconds(10)
        }
    }

    @Test func aWaitBeyondTheWholeTimeIsNotBegun() async throws {
        let server = try FaultServer { _, connection in connection.respond(503, ["Retry-After: 100"]) }
        defer { server.stop() }
        let error = await error(try makeDownloader(retries: 3) { $0.timeout = .seconds(60) }, server.url())
        #expect(error == .httpStatus(url: "\(server.url())", status: 503))
    }

    @Test func tooManyRequestsPauseTheWholeHost() async throws {
        let times = Shared<[ContinuousClock.Instant]>([])
        let server = try FaultServer { request, connection in
            times.change { $0.append(.now) }
            return request.number == 1
                ? connection.respond(429, ["Retry-After: 1"]) : connection.respond(body: [1])
        }
        defer { server.stop() }
        let downloader = try makeDownloader(retries: 1) { $0.maximumTransfersPerHost = 1 }
        async let first = downloader.download(DownloadRequest(url: server.url("/1")))
        async let second = downloader.download(DownloadRequest(url: server.url("/2")))
        #expect(try await first.attempts + second.attempts == 3)
        #expect(times.value[1] - times.value[0] >= .milliseconds(900), "no request of any photo in between")
        downloader.shutdown()
    }
}
