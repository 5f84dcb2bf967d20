import Foundation
import TestSupport
import Testing

@testable import TintypeDownload

/// Bodies that a server sends packed, because they are stored so.
@Suite struct ContentEncodingTests {
    /// 3,000 bytes of `a`, packed by Python's gzip with mtime 0.
    static let packed: [UInt8] = [
        0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xED, 0xC1, 0x31, 0x01, 0x00, 0x00, 0x00,
        0xC2,
        0xA0, 0xAC, 0xEB, 0x5F, 0xC2, 0x1A, 0x1E, 0x40, 0x01, 0x00, 0x00, 0xEF, 0x06, 0xC8, 0x3C, 0xDC, 0x5E,
        0xB8,
        0x0B, 0x00, 0x00,
    ]

    private func server(_ encoding: String, _ body: [UInt8], headers: [String] = []) throws -> FaultServer {
        try FaultServer { _, connection in
            connection.respond(200, ["Content-Encoding: \(encoding)"] + headers, body: body)
        }
    }

    @Test(arguments: ["gzip", "x-gzip", "GZIP"])
    func aPackedBodyIsUnpacked(encoding: String) async throws {
        let server = try server(encoding, Self.packed)
        defer { server.stop() }
        let download = try await makeDownloader().download(DownloadRequest(url: server.url()))
        #expect(try download.body.bytes() == [UInt8](repeating: UInt8(ascii: "a"), count: 3000))
        #expect(server.requests.first?.headers["accept-encoding"] == "identity")
    }

    @Test func theLimitIsThatOfTheUnpackedBody() async throws {
        let server = try server("gzip", Self.packed)
        defer { server.stop() }
        await #expect(throws: DownloadError.tooLarge(url: server.url().absoluteString, byteLimit: 2999)) {
            try await makeDownloader().download(DownloadRequest(url: server.url(), byteLimit: 2999))
        }
    }

    @Test(arguments: ["compress", "photo-zip"])
    func anUnknownPackingIsNamed(encoding: String) async throws {
        let server = try server(encoding, Self.packed)
        defer { server.stop() }
        let error = await #expect(throws: DownloadError.self) {
            try await makeDownloader().download(DownloadRequest(url: server.url()))
        }
        #expect("\(error as Any)".contains("'\(encoding)'"), "\(error as Any)")
    }

    @Test func damagedPackingFails() async throws {
        var bytes = Self.packed
        bytes[12] ^= 0xFF
        let server = try server("gzip", bytes)
        defer { server.stop() }
        await #expect(throws: DownloadError.self) {
            try await makeDownloader().download(DownloadRequest(url: server.url()))
        }
    }

    /// A range would count packed bytes, so the body is fetched anew.
    @Test func aPackedBodyIsNeverResumed() async throws {
        let packed = Self.packed
        let server = try FaultServer { request, connection in
            let head = ["ETag: \"one\"", "Content-Encoding: gzip", "Content-Length: \(packed.count)"]
            guard request.number == 1 else { return connection.respond(200, head.dropLast(), body: packed) }
            connection.send(connection.head(200, head))
            connection.send(Array(packed.prefix(24)))
            return .close
        }
        defer { server.stop() }
        let download = try await makeDownloader(retries: 1).download(DownloadRequest(url: server.url()))
        #expect(download.byteCount == 3000 && download.attempts == 2)
        #expect(server.requests.allSatisfy { $0.headers["range"] == nil })
    }
}
