import Foundation
import TestSupport
import Testing

@testable import TintypeDownload

/// The headers and credentials that servers get, and must not get.
@Suite struct RequestTests {
    private func echo() throws -> FaultServer {
        try FaultServer { _, connection in connection.respond(body: [1]) }
    }

    @Test func aRequestNamesTintypeAndAsksForNoEncoding() async throws {
        let server = try echo()
        defer { server.stop() }
        let downloader = try Downloader(
            {
                var configuration = DownloaderConfiguration()
                configuration.userAgent = "tintype/1.2.3"
                configuration.proxy = .direct
                return configuration
            }())
        _ = try await downloader.download(DownloadRequest(url: server.url("/a?b=c#d")))
        let request = try #require(server.requests.first)
        #expect(request.target == "/a?b=c")
        #expect(request.headers["user-agent"] == "tintype/1.2.3")
        #expect(Set(request.headers.keys) == ["host", "user-agent", "accept", "accept-encoding"])
        #expect(request.headers["accept-encoding"] == "identity")
        downloader.shutdown()
    }

    @Test func headersAndCredentialsOfAProgramAreSent() async throws {
        let other = try echo()
        let target = other.url()
        let server = try FaultServer { request, connection in
            request.target == "/moved"
                ? connection.respond(302, ["Location: \(target)"])
                : connection.respond(200, ["X-Served-By: test"], body: [1])
        }
        defer {
            other.stop()
            server.stop()
        }
        let downloader = try makeDownloader {
            $0.headers = ["X-Purpose": "test"]
            $0.credentials = .init(user: "user", password: "secret")
        }
        let download = try await downloader.download(DownloadRequest(url: server.url("/photo")))
        #expect(server.requests[0].headers["x-purpose"] == "test")
        #expect(server.requests[0].headers["authorization"] == "Basic dXNlcjpzZWNyZXQ=")
        #expect(download.response.status == 200 && download.response.headers["x-served-by"] == "test")
        _ = try await downloader.download(DownloadRequest(url: server.url("/moved")))
        #expect(other.requests[0].headers["authorization"] == nil)
        // An address's own login wins.
        let own = try #require(URL(string: "http://other:login@127.0.0.1:\(server.port)/photo"))
        _ = try await downloader.download(DownloadRequest(url: own))
        // "other:login" in base 64, by coreutils.
        #expect(server.requests[2].headers["authorization"] == "Basic b3RoZXI6bG9naW4=")
        let credentials = DownloaderConfiguration.Credentials(user: "u", password: "secret")
        #expect(!"\(credentials)".contains("secret") && Mirror(reflecting: credentials).children.isEmpty)
        downloader.shutdown()
    }

    @Test func credentialsStayWithTheirHost() async throws {
        let other = try echo()
        let target = other.url()
        let server = try FaultServer { _, connection in connection.respond(302, ["Location: \(target)"]) }
        defer {
            other.stop()
            server.stop()
        }
        let downloader = try makeDownloader()
        let url = try #require(URL(string: "http://user:secret@127.0.0.1:\(server.port)/photo.jpg"))
        let download = try await downloader.download(DownloadRequest(url: url))
        // "user:secret" in base 64, by coreutils.
        #expect(server.requests[0].headers["authorization"] == "Basic dXNlcjpzZWNyZXQ=")
        #expect(other.requests[0].headers["authorization"] == nil)
        #expect(download.response.finalURL == target)
        downloader.shutdown()
    }

    @Test func credentialsAreNeverTold() async throws {
        let server = try FaultServer { _, connection in connection.respond(403) }
        defer { server.stop() }
        let downloader = try makeDownloader()
        let start = "127.0.0.1:\(server.port)/photo.jpg"
        let url = try #require(URL(string: "http://user:secret@\(start)?id=5&X-Amz-Signature=secret"))
        let error = try #require(await error(downloader, url))
        let shown = "http://\(start)?id=5&X-Amz-Signature=REDACTED"
        #expect(error == .httpStatus(url: shown, status: 403))
        #expect(!"\(error)".contains("secret") && "\(error)".contains("check that you may read it"))
        downloader.shutdown()
    }

    @Test(arguments: [
        ("http://user:secret@host/p", "http://host/p"),
        ("https://host/p?token=secret#x", "https://host/p?token=REDACTED"),
        ("not a url://user:secret@host/p?key=secret", "REDACTED@host/p?REDACTED"),
        ("not a url://user:secret@\u{301}host/p?\u{301}key=secret", "REDACTED@\u{301}host/p?REDACTED"),
        ("https://host/p?a=1&\u{301}token=secret", "https://host/p?a=1&\u{301}token=REDACTED"),
        ("https://host/p?token=\u{301}secret", "https://host/p?token=REDACTED"),
        ("\u{1b}[2Jhttp", "?[2Jhttp"),
    ])
    func textIsRedacted(text: String, expected: String) {
        #expect(WebAddress.redacting(text) == expected)
    }

    @Test(arguments: [
        ("https://me:pw@host/p?a=1&b=2#x", "https://host/p?a=1&b=2"), ("http://host", "http://host/"),
        ("s3://bucket/a%20b.jpg", "s3://bucket/a b.jpg"),
        ("https://host/p?v=1&X-Amz-Date=2&X-Amz-Signature=secret", "https://host/p?v=1&REDACTED"),
        ("https://host/p?X-Goog-Date=2&v=1&x-goog-signature=secret", "https://host/p?v=1&REDACTED"),
        ("https://host/p?Expires=2&Signature=secret&Key-Pair-Id=K&v=1", "https://host/p?v=1&REDACTED"),
        ("https://host/p?sv=2&se=2&sr=b&sp=r&sig=secret&v=1", "https://host/p?v=1&REDACTED"),
        ("https://host/p?AWSAccessKeyId=A&Expires=2&Signature=secret", "https://host/p?REDACTED"),
        ("https://host/p?v=1&access_token=secret", "https://host/p?v=1&REDACTED"),
        ("https://host/p?api-key=secret&v=1&Token=secret", "https://host/p?v=1&REDACTED"),
        // Without a signature these may choose the photo.
        ("https://host/p?se=1&sv=3&expires=4&policy=5", "https://host/p?se=1&sv=3&expires=4&policy=5"),
    ])
    func anIdentityLeavesOutWhatSignsAnAddress(text: String, expected: String) {
        #expect(WebAddress.identity(of: text) == expected)
    }

    /// In a list, a token may be all that tells photos apart.
    @Test func tokensTellPhotosOfOneListApart() {
        let texts = ["https://host/p?token=secret1", "https://host/p?token=secret2"]
        let identities = texts.map { WebAddress.identity(of: $0, keepsTokens: true) }
        #expect(Set(identities).count == 2 && identities.allSatisfy { !$0.contains("secret") })
        #expect(Set(texts.map { WebAddress.identity(of: $0) }).count == 1)
        #expect(
            WebAddress.identity(of: "https://host/p?X-Amz-Signature=secret", keepsTokens: true)
                == "https://host/p?REDACTED")
    }

    @Test func anIdentityTellsSecretsApartAndHasNone() {
        let texts = [
            "https://host/p?key=secret1", "https://host/p?key=secret2", "https://host/q?key=secret1",
            "https://host/p?author=secret1",
        ]
        let identities = texts.map { WebAddress.identity(of: $0) }
        #expect(Set(identities).count == texts.count)
        #expect(identities.allSatisfy { $0.contains("=REDACTED-") && !$0.contains("secret") })
        #expect(texts.map { WebAddress.identity(of: $0) } == identities)
    }

    @Test func aConfiguredProxyIsAsked() async throws {
        let proxy = try echo()
        defer { proxy.stop() }
        let downloader = try makeDownloader { $0.proxy = .server("http://127.0.0.1:\(proxy.port)") }
        let url = try #require(URL(string: "http://photos.invalid/a.jpg"))
        #expect(try await downloader.download(DownloadRequest(url: url)).byteCount == 1)
        #expect(proxy.requests.map(\.target) == ["http://photos.invalid/a.jpg"])
        downloader.shutdown()
    }

    /// A `#` in a password ends libcurl's reading of the host.
    @Test(arguments: ["http://user:pa#secret@proxy:3128", "ftp://user:secret@proxy:3128"])
    func aProxysPasswordIsNeverTold(proxy: String) async throws {
        let downloader = try makeDownloader { $0.proxy = .server(proxy) }
        let url = try #require(URL(string: "http://photos.invalid/a.jpg"))
        let failure = try #require(await error(downloader, url))
        let text = "\(failure)"
        #expect(text.contains("the proxy's URL") && !text.contains("user") && !text.contains("secret"))
        downloader.shutdown()
    }

    /// In a process of its own, because its environment changes.
    @Test func theEnvironmentsProxyIsAskedButNotForItsExceptions() async {
        await #expect(processExitsWith: .success) {
            let proxy = try FaultServer { _, connection in connection.respond(body: [1]) }
            let server = try FaultServer { _, connection in connection.respond(body: [1, 2]) }
            for name in ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY"] {
                unsetenv(name)
            }
            setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
            setenv("NO_PROXY", "other.invalid,127.0.0.1", 1)
            let downloader = try makeDownloader { $0.proxy = .environment }
            let far = try #require(URL(string: "http://photos.invalid/a.jpg"))
            #expect(try await downloader.download(DownloadRequest(url: far)).byteCount == 1)
            #expect(try await downloader.download(DownloadRequest(url: server.url())).byteCount == 2)
            #expect(proxy.requests.map(\.target) == ["http://photos.invalid/a.jpg"])
        }
    }

    @Test(arguments: ["ftp://host/p", "gopher://host/p", "data:,x", "mailto:me"])
    func otherSchemesAreRefused(text: String) async throws {
        let url = try #require(URL(string: text))
        let error = await error(try makeDownloader(), url)
        switch error {
        case .unsupportedScheme, .badURL: break
        default: throw Unexpected(error)
        }
    }

    @Test(arguments: ["photo.jpg", "http://host:99999/p", "//host/p"])
    func invalidURLsAreRefused(text: String) async throws {
        let url = try #require(URL(string: text))
        let error = await error(try makeDownloader(), url)
        guard case .badURL(text, _) = error else { throw Unexpected(error) }
    }
}
