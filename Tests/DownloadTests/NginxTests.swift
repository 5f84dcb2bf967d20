import Foundation
import Testing

@testable import TintypeDownload

/// Against a real web server.
@Suite struct NginxTests {
    private static let photo = noise(300_000)

    private let nginx: NginxServer

    init() throws {
        nginx = try NginxServer(files: ["photo": Self.photo])
    }

    private func makeSecureDownloader() throws -> Downloader {
        try makeDownloader { $0.certificateFile = nginx.certificateAuthority }
    }

    @Test func bytesAndFactsArrive() async throws {
        let url = nginx.url("/photo")
        let progress = Shared<[DownloadProgress]>([])
        let download = try await makeDownloader().download(DownloadRequest(url: url)) { step in
            progress.change { $0.append(step) }
        }
        #expect(try download.body.bytes() == Self.photo)
        #expect(download.byteCount == 300_000)
        #expect(download.response.finalURL == url)
        #expect(download.response.status == 200)
        #expect(download.attempts == 1)
        // nginx: the modification time and the size, in hexadecimal digits. 300,000 is 493e0.
        #expect(download.response.headers["etag"]?.hasSuffix("-493e0\"") == true)
        #expect(download.response.headers["last-modified"]?.hasSuffix("GMT") == true)
        let last = DownloadProgress(receivedByteCount: 300_000, expectedByteCount: 300_000)
        #expect(progress.value.last == last)
        #expect(progress.value.allSatisfy { $0.expectedByteCount == 300_000 })
    }

    @Test func partsOfABodyCanBeRead() async throws {
        let body = try await makeDownloader().download(DownloadRequest(url: nginx.url("/photo"))).body
        var bytes = [UInt8](repeating: 0, count: 100)
        #expect(try bytes.withUnsafeMutableBytes { try body.read(into: $0, at: 299_950) } == 50)
        #expect(Array(bytes[..<50]) == Array(Self.photo[299_950...]))
    }

    @Test func oneConnectionServesDownloadAfterDownload() async throws {
        let downloader = try makeDownloader()
        var answers: Set<String> = []
        for index in 1...5 {
            let url = nginx.url("/connection?\(index)")
            let bytes = try await downloader.download(DownloadRequest(url: url)).body.bytes()
            answers.insert(String(decoding: bytes, as: UTF8.self))
        }
        #expect(answers.count == 1 && answers.first?.hasPrefix("HTTP/1.1 ") == true)
    }

    @Test func aMissingPhotoLeavesTheConnectionUsable() async throws {
        let downloader = try makeDownloader()
        let request = DownloadRequest(url: nginx.url("/connection"))
        let before = try await downloader.download(request).body.bytes()
        #expect(await error(downloader, nginx.url("/none")) != nil)
        #expect(try await downloader.download(request).body.bytes() == before)
    }

    @Test func manyDownloadsShareOneEncryptedConnection() async throws {
        let downloader = try makeSecureDownloader()
        let answers = try await withThrowingTaskGroup(of: String.self) { group in
            for index in 1...12 {
                let url = nginx.secureURL("/connection?\(index)")
                group.addTask {
                    let bytes = try await downloader.download(DownloadRequest(url: url)).body.bytes()
                    return String(decoding: bytes, as: UTF8.self)
                }
            }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(answers.count == 1 && answers.first?.hasPrefix("HTTP/2.0 ") == true, "\(answers)")
    }

    @Test func anUnknownAuthorityIsNotTrusted() async throws {
        let error = await error(try makeDownloader(retries: 2), nginx.secureURL("/photo"))
        guard case .untrustedServer = error else { throw Unexpected(error) }
    }

    @Test func aCertificateForAnotherNameIsNotTrusted() async throws {
        // The certificate names 127.0.0.1; "localhost" is the same server under another name.
        let url = try #require(URL(string: "https://localhost:\(nginx.securePort)/photo"))
        let error = await error(try makeSecureDownloader(), url)
        guard case .untrustedServer = error else { throw Unexpected(error) }
    }

    @Test func aMissingPhotoIsNotAskedForAgain() async throws {
        let url = nginx.url("/none")
        #expect(await error(try makeDownloader(retries: 3), url) == .httpStatus(url: "\(url)", status: 404))
        #expect(try nginx.log(count: 1) == ["404 - /none"])
    }

    @Test func aFailingServerIsAskedAgain() async throws {
        let url = nginx.url("/failing")
        #expect(await error(try makeDownloader(retries: 2), url) == .httpStatus(url: "\(url)", status: 500))
        #expect(try nginx.log(count: 3).count == 3)
    }

    @Test func anAnnouncedBodyAboveTheLimitIsRefused() async throws {
        let downloader = try makeDownloader(retries: 2)
        let url = nginx.url("/photo")
        let tooSmall = DownloadRequest(url: url, byteLimit: 299_999)
        #expect(await result(downloader, tooSmall).error == .tooLarge(url: "\(url)", byteLimit: 299_999))
        let justEnough = DownloadRequest(url: url, byteLimit: 300_000)
        #expect(try await downloader.download(justEnough).byteCount == 300_000)
    }

    @Test func fiveRedirectsAreFollowedButNotSix() async throws {
        let downloader = try makeDownloader(retries: 2)
        let download = try await downloader.download(DownloadRequest(url: nginx.url("/redirect/5")))
        #expect(download.response.finalURL == nginx.url("/photo"))
        #expect(try download.body.bytes() == Self.photo)
        let tooFar = nginx.url("/redirect/6")
        #expect(await error(downloader, tooFar) == .tooManyRedirects(url: "\(tooFar)", limit: 5))
    }

    @Test func aCancelledDownloadGoesOnInALaterRun() async throws {
        let partials = try TemporaryFolder()
        let request = DownloadRequest(url: nginx.url("/slow/photo"), partialsDirectory: partials.url)
        try await cancelAfterFirstBytes(request)
        #expect(try partials.names.count == 2, "the bytes, and the record of what they are")

        let download = try await makeDownloader().download(request)
        #expect(try download.body.bytes() == Self.photo)
        #expect(download.response.status == 206)
        #expect(try partials.names == [])
        let log = try nginx.log(count: 2)
        let received = try #require(Int(log[1].trimmingPrefix("206 bytes=").prefix { $0.isNumber }))
        #expect(received > 0 && log[1] == "206 bytes=\(received)- /slow/photo", "\(log)")
    }

    private func cancelAfterFirstBytes(_ request: DownloadRequest) async throws {
        let downloader = try makeDownloader()
        let (hasBytes, isDone) = (Signal(), Signal())
        let task = downloader.start(request, onProgress: { _ in hasBytes.fire() }) { result in
            if case .failure(.cancelled) = result { isDone.fire() }
        }
        #expect(await hasBytes.fired())
        task.cancel()
        #expect(await isDone.fired())
    }
}

/// Another error than the expected one, or none.
struct Unexpected: Error {
    let error: DownloadError?

    init(_ error: DownloadError?) { self.error = error }
}

extension Result where Failure == DownloadError {
    var error: DownloadError? {
        if case .failure(let error) = self { error } else { nil }
    }
}
