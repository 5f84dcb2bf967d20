import Foundation
import Glibc
import TestSupport
import Testing

@testable import TintypeDownload

/// `file` URLs, and the files that downloads leave behind.
@Suite struct FileTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private func reason(_ url: URL) async throws -> String? {
        let error = await error(try makeDownloader(), url)
        guard case .unreadableFile("\(url)", let reason) = error else { return nil }
        return reason
    }

    @Test func aLocalFileIsOpened() async throws {
        try folder.write("a photo.jpg", noise(1000))
        let url = folder.url.appendingPathComponent("a photo.jpg")
        let download = try await makeDownloader().download(DownloadRequest(url: url))
        #expect(try download.body.bytes() == noise(1000))
        #expect(download.response.finalURL == url)
        #expect(download.response.status == nil)
        let error = await result(try makeDownloader(), DownloadRequest(url: url, byteLimit: 999)).error
        #expect(error == .tooLarge(url: "\(url)", byteLimit: 999))
    }

    @Test func onlyFilesAreAccepted() async throws {
        mkfifo(folder.path("pipe"), 0o600)
        let pipe = folder.url.appendingPathComponent("pipe", isDirectory: false)
        let missing = folder.url.appendingPathComponent("missing", isDirectory: false)
        #expect(try await reason(pipe) == "it is not a regular file")
        #expect(try await reason(folder.url) == "it is not a regular file")
        #expect(try await reason(missing) == "No such file or directory")
    }

    @Test func aFileOnAnotherMachineIsRefused() async throws {
        let url = try #require(URL(string: "file://other/photo.jpg"))
        let error = try #require(await error(try makeDownloader(), url))
        switch error {
        case .badURL, .unreadableFile: break
        default: throw Unexpected(error)
        }
    }

    /// Starts a download, sees it break after 2000 of 5000 bytes, and leaves the rest to a later run.
    private func leavePartial(_ server: FaultServer, _ target: String = "/photo.jpg") async throws {
        let request = DownloadRequest(url: server.url(target), partialsDirectory: folder.url)
        let error = await result(try makeDownloader(), request).error
        #expect(error == .cutShort(url: "\(server.url(target))", received: 2000, expected: 5000))
    }

    private func serverThatBreaksOnce(_ next: @escaping FaultServer.Handler) throws -> FaultServer {
        try FaultServer { request, connection in
            if request.number > 1 { return next(request, connection) }
            connection.send("HTTP/1.1 200 OK\r\nETag: \"one\"\r\nContent-Length: 5000\r\n\r\n")
            connection.send(Array(noise(5000)[..<2000]))
            return .close
        }
    }

    private func sendRest(_ connection: FaultConnection) -> FaultServer.Next {
        connection.respond(
            206, ["ETag: \"one\"", "Content-Range: bytes 2000-4999/5000"], body: Array(noise(5000)[2000...]))
    }

    @Test func aLaterRunFetchesTheRest() async throws {
        let server = try serverThatBreaksOnce { _, connection in sendRest(connection) }
        defer { server.stop() }
        try await leavePartial(server)
        let names = try folder.names
        #expect(names.count == 2 && names[1] == names[0] + ".json")
        let request = DownloadRequest(url: server.url(), partialsDirectory: folder.url)
        let download = try await makeDownloader().download(request)
        #expect(try download.body.bytes() == noise(5000))
        #expect(server.requests[1].headers["range"] == "bytes=2000-")
        #expect(try folder.names == [])
    }

    @Test func aURLCannotLeaveTheFolder() async throws {
        let server = try serverThatBreaksOnce { _, connection in connection.respond() }
        defer { server.stop() }
        try await leavePartial(server, "/..%2F..%2Fetc%2Fpasswd/%00/a.part?/../../x")
        let names = try folder.names
        #expect(names.count == 2)
        #expect(names[0].prefix(16).allSatisfy(\.isHexDigit) && names[0].dropFirst(16) == ".part")
    }

    @Test(arguments: ["", "{", #"{"url":"http://other/","validator":{"text":"\"one\""},"bootID":"x"}"#])
    func aRecordOfSomethingElseIsNotBelieved(record: String) async throws {
        let server = try serverThatBreaksOnce { _, connection in connection.respond(body: noise(5000)) }
        defer { server.stop() }
        try await leavePartial(server)
        let name = try #require(folder.names.last)
        try folder.write(name, record)
        let request = DownloadRequest(url: server.url(), partialsDirectory: folder.url)
        #expect(try await makeDownloader().download(request).body.bytes() == noise(5000))
        #expect(server.requests[1].headers["range"] == nil)
        #expect(try folder.names == [])
    }

    @Test func aPermanentFailureLeavesNothing() async throws {
        let server = try serverThatBreaksOnce { _, connection in connection.respond(410) }
        defer { server.stop() }
        try await leavePartial(server)
        let request = DownloadRequest(url: server.url(), partialsDirectory: folder.url)
        #expect(await result(try makeDownloader(), request).error != nil)
        #expect(try folder.names == [])
    }

    @Test func twoDownloadersDoNotWriteIntoOneFile() async throws {
        let (arrived, release) = (Signal(), Signal())
        // Each gets other bytes, as if the photo had changed in between.
        let server = try FaultServer { request, connection in
            let (start, end) = request.number == 1 ? ("ab", "cd") : ("wx", "yz")
            connection.send("HTTP/1.1 200 OK\r\nETag: \"\(start)\"\r\nContent-Length: 4\r\n\r\n\(start)")
            arrived.fire()
            _ = release.wait()
            return connection.send(end) ? .keepAlive : .close
        }
        defer { server.stop() }
        let request = DownloadRequest(url: server.url(), partialsDirectory: folder.url)
        let downloaders = [try makeDownloader(), try makeDownloader()]
        async let first = downloaders[0].download(request)
        #expect(await arrived.fired())
        async let second = downloaders[1].download(request)
        #expect(await arrived.fired())
        release.fire()
        release.fire()
        #expect(try await first.body.bytes() == Array("abcd".utf8))
        #expect(try await second.body.bytes() == Array("wxyz".utf8))
        #expect(try folder.names == [])
        downloaders.forEach { $0.shutdown() }
    }

    @Test func aBodyHasNoName() async throws {
        let server = try FaultServer { _, connection in connection.respond(body: noise(1000)) }
        defer { server.stop() }
        let downloader = try makeDownloader { $0.spoolDirectory = folder.url }
        let body = try await downloader.download(DownloadRequest(url: server.url())).body
        #expect(try folder.names == [])
        downloader.shutdown()
        #expect(try body.bytes() == noise(1000), "it outlives the downloader")
    }

    private static let now = Date(timeIntervalSince1970: 2_000_000_000)

    /// A body of this many bytes and its record, `days` old.
    private func leaveBody(_ name: String, days: Double, byteCount: Int) throws {
        for (file, count) in [(name + ".part", byteCount), (name + ".part.json", 10)] {
            try folder.write(file, noise(count))
            let modified = Self.now.addingTimeInterval(-days * 86_400)
            try FileManager.default.setAttributes(
                [.modificationDate: modified], ofItemAtPath: folder.path(file))
        }
    }

    @Test func bodiesThatNobodyAsksForAnyMoreAreRemoved() throws {
        try leaveBody("old", days: 8, byteCount: 100)
        try leaveBody("young", days: 6, byteCount: 100)
        PartialDownloads.clean(folder.url, now: Self.now)
        #expect(try folder.names == ["young.part", "young.part.json"])
    }

    @Test func filesOfOtherNamesStay() throws {
        for name in ["old.jpg", "old.json", "old.part.jpg"] {
            try folder.write(name, noise(10))
            try FileManager.default.setAttributes(
                [.modificationDate: Self.now.addingTimeInterval(-30 * 86_400)],
                ofItemAtPath: folder.path(name))
        }
        PartialDownloads.clean(folder.url, byteLimit: 0, now: Self.now)
        #expect(try folder.names == ["old.jpg", "old.json", "old.part.jpg"])
    }

    @Test func theOldestBodiesGoWhereThereAreTooManyBytes() throws {
        for day in 1...5 { try leaveBody("\(day)", days: Double(day), byteCount: 1000) }
        PartialDownloads.clean(folder.url, byteLimit: 2500, now: Self.now)
        #expect(try folder.names == ["1.part", "1.part.json", "2.part", "2.part.json"])
        PartialDownloads.clean(folder.url, byteLimit: 0, now: Self.now)
        #expect(!FileManager.default.fileExists(atPath: folder.url.path), "an empty folder goes too")
    }

    @Test func aBodyThatADownloadIsAtWorkOnStays() async throws {
        let (arrived, release) = (Signal(), Signal())
        let server = try FaultServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nETag: \"one\"\r\nContent-Length: 4\r\n\r\nab")
            arrived.fire()
            _ = release.wait()
            return connection.send("cd") ? .keepAlive : .close
        }
        defer { server.stop() }
        let downloader = try makeDownloader()
        let request = DownloadRequest(url: server.url(), partialsDirectory: folder.url)
        async let download = downloader.download(request)
        #expect(await arrived.fired())
        PartialDownloads.clean(folder.url, maximumAge: -1, byteLimit: 0)
        #expect(try folder.names.contains { $0.hasSuffix(".part") })
        release.fire()
        #expect(try await download.body.bytes() == Array("abcd".utf8))
        downloader.shutdown()
    }
}
