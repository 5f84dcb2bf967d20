import Foundation
import TestSupport
import Testing

@testable import TintypeDownload

/// Misbehaving servers, and the error for each without retries.
@Suite struct FaultTests {
    struct Fault: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let handler: FaultServer.Handler
        let expected: @Sendable (String) -> DownloadError

        init(
            _ description: String, _ handler: @escaping FaultServer.Handler,
            expected: @escaping @Sendable (String) -> DownloadError
        ) {
            testDescription = description
            self.handler = handler
            self.expected = expected
        }
    }

    /// Faults whose error is compared in full.
    static let faults = [
        Fault("body cut short") { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789")
            return .close
        } expected: {
            .cutShort(url: $0, received: 10, expected: 1000)
        },
        Fault("chunks cut short") { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n01234\r\n")
            return .close
        } expected: {
            .cutShort(url: $0, received: 5, expected: nil)
        },
        Fault("endless chunks") { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.sendForever(Array("1000\r\n".utf8) + noise(0x1000) + [13, 10])
            return .close
        } expected: {
            .tooLarge(url: $0, byteLimit: 100_000)
        },
        Fault("endless body without a length") { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            connection.sendForever(noise(0x1000))
            return .close
        } expected: {
            .tooLarge(url: $0, byteLimit: 100_000)
        },
        Fault("a header line of 10 MB") { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nX-Long: ")
            connection.send(String(repeating: "a", count: 10_000_000))
            connection.send("\r\nContent-Length: 0\r\n\r\n")
            return .close
        } expected: {
            .badResponse(url: $0, reason: "a line of its headers is too long")
        },
        Fault("endless headers") { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n")
            connection.sendForever(Array("X-More: and more\r\n".utf8))
            return .close
        } expected: {
            .badResponse(url: $0, reason: "its headers do not end")
        },
        Fault("endless body of an error") { _, connection in
            connection.send("HTTP/1.1 404 Not Found\r\n\r\n")
            connection.sendForever(noise(0x1000))
            return .close
        } expected: {
            .httpStatus(url: $0, status: 404)
        },
        Fault("error with a huge length") { _, connection in
            connection.send("HTTP/1.1 403 Forbidden\r\nContent-Length: 9000000000\r\n\r\n")
            connection.sendForever(noise(0x1000))
            return .close
        } expected: {
            .httpStatus(url: $0, status: 403)
        },
        Fault("endless body of a redirect") { _, connection in
            connection.send("HTTP/1.1 302 Found\r\nLocation: /next\r\nTransfer-Encoding: chunked\r\n\r\n")
            connection.sendForever(Array("1000\r\n".utf8) + noise(0x1000) + [13, 10])
            return .close
        } expected: {
            .badResponse(url: $0, reason: "its redirect has an endless body")
        },
        Fault("redirect in a loop") { _, connection in
            connection.respond(302, ["Location: /photo.jpg"])
        } expected: {
            .tooManyRedirects(url: $0, limit: 5)
        },
        Fault("redirect to a file") { _, connection in
            connection.respond(302, ["Location: file:///etc/hostname"])
        } expected: {
            .refusedRedirect(url: $0, location: "file:///etc/hostname")
        },
        Fault("redirect to FTP, with a password") { _, connection in
            connection.respond(302, ["Location: ftp://me:secret@127.0.0.1/photo.jpg"])
        } expected: {
            .refusedRedirect(url: $0, location: "ftp://127.0.0.1/photo.jpg")
        },
        Fault("redirect without a target") { _, connection in
            connection.respond(302)
        } expected: {
            .httpStatus(url: $0, status: 302)
        },
        Fault("part that nobody asked for") { _, connection in
            connection.respond(206, ["Content-Range: bytes 0-2/10"], body: [1, 2, 3])
        } expected: {
            .badResponse(url: $0, reason: "it sent a part where the whole was asked for")
        },
        Fault("success without content") { _, connection in
            connection.respond(204)
        } expected: {
            .httpStatus(url: $0, status: 204)
        },
        Fault("login wanted") { _, connection in
            connection.respond(401, ["WWW-Authenticate: Basic realm=\"x\""])
        } expected: {
            .httpStatus(url: $0, status: 401)
        },
    ]

    @Test(arguments: faults)
    func everyFaultHasItsError(_ fault: Fault) async throws {
        let server = try FaultServer(fault.handler)
        defer { server.stop() }
        let downloader = try makeDownloader { $0.byteLimit = 100_000 }
        #expect(await error(downloader, server.url()) == fault.expected("\(server.url())"))
        downloader.shutdown()
    }

    /// Errors whose reason is in libcurl's or the kernel's words.
    enum Kind: Equatable {
        case connectionLost, connectionFailed, badResponse, hostNotFound
    }

    private func kind(_ error: DownloadError?) -> Kind? {
        switch error {
        case .connectionLost: .connectionLost
        case .connectionFailed: .connectionFailed
        case .badResponse: .badResponse
        case .hostNotFound: .hostNotFound
        default: nil
        }
    }

    private func kind(_ handler: @escaping FaultServer.Handler) async throws -> Kind? {
        let server = try FaultServer(handler)
        defer { server.stop() }
        return kind(await error(try makeDownloader(), server.url()))
    }

    @Test func aResetLosesTheConnection() async throws {
        #expect(
            try await kind { _, connection in
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789")
                connection.reset()
                return .close
            } == .connectionLost)
    }

    @Test func silenceLosesTheConnection() async throws {
        #expect(try await kind { _, _ in .close } == .connectionLost)
    }

    @Test func answersThatAreNotHTTPAreBadResponses() async throws {
        #expect(
            try await kind { _, connection in
                connection.send("220 mail.example.com ESMTP\r\n")
                return .close
            } == .badResponse)
    }

    @Test func aNegativeLengthIsABadResponse() async throws {
        #expect(
            try await kind { _, connection in
                connection.send("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n01234")
                return .close
            } == .badResponse)
    }

    @Test func aClosedPortRefusesTheConnection() async throws {
        let server = try FaultServer { _, _ in .close }
        let url = server.url()
        server.stop()
        #expect(kind(await error(try makeDownloader(), url)) == .connectionFailed)
    }

    @Test func aNameThatCannotExistIsNotFound() async throws {
        // A label of more than 63 letters fails in the resolver: no server is asked.
        let url = try #require(URL(string: "http://\(String(repeating: "a", count: 70)).invalid/photo.jpg"))
        #expect(kind(await error(try makeDownloader(), url)) == .hostNotFound)
    }

    @Test func aStallEnds() async throws {
        let server = try FaultServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n0123456789")
            connection.waitForClient()
            return .close
        }
        defer { server.stop() }
        let downloader = try makeDownloader { $0.stallTimeout = .seconds(1) }
        #expect(await error(downloader, server.url()) == .timedOut(url: "\(server.url())", phase: .stall))
    }

    @Test func slowBodiesEndAtTheTotalTimeLimit() async throws {
        let server = try FaultServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\n\r\n")
            while connection.send("drip") { usleep(20_000) }
            return .close
        }
        defer { server.stop() }
        let downloader = try makeDownloader(retries: 5) { $0.timeout = .milliseconds(300) }
        #expect(await error(downloader, server.url()) == .timedOut(url: "\(server.url())", phase: .whole))
        // None, if the time was over before the server was asked.
        #expect(server.requests.count <= 1)
    }

    @Test func aHandshakeThatIsNotAnsweredEnds() async throws {
        let server = try FaultServer { _, _ in .close }
        defer { server.stop() }
        let downloader = try makeDownloader { $0.connectTimeout = .milliseconds(200) }
        let url = try #require(URL(string: "https://127.0.0.1:\(server.port)/photo.jpg"))
        #expect(await error(downloader, url) == .timedOut(url: "\(url)", phase: .connect))
        downloader.shutdown()
    }

    @Test func aLengthThatIsTooSmallCutsTheBodyAndTheConnection() async throws {
        let server = try FaultServer { _, connection in
            connection.send("HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n0123456789") ? .keepAlive : .close
        }
        defer { server.stop() }
        let downloader = try makeDownloader()
        for _ in 1...2 {
            let download = try await downloader.download(DownloadRequest(url: server.url()))
            #expect(try download.body.bytes() == Array("0123".utf8))
        }
        #expect(server.connectionCount == 2, "the rest of the first body must not be taken for a response")
        downloader.shutdown()
    }

    /// Only decoding can detect it, as `Downloaded` documents.
    @Test func aCutWithoutALengthCannotBeSeen() async throws {
        let server = try FaultServer { _, connection in
            connection.send("HTTP/1.0 200 OK\r\n\r\nhalf a ph")
            return .close
        }
        defer { server.stop() }
        let download = try await makeDownloader().download(DownloadRequest(url: server.url()))
        #expect(download.byteCount == 9)
    }

    @Test func aFolderThatIsNotThereIsNamed() async throws {
        let server = try FaultServer { _, connection in connection.respond(body: [1]) }
        defer { server.stop() }
        let downloader = try makeDownloader { $0.spoolDirectory = URL(fileURLWithPath: "/nowhere/at/all") }
        let error = await error(downloader, server.url())
        #expect(error == .storage(path: "/nowhere/at/all", .noSuchFileOrDirectory))
    }
}
