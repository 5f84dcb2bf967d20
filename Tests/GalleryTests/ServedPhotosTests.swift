import Foundation
import TestSupport
import Testing
import Tintype
import TintypeCryptography

@testable import TintypeGallery

/// Photos that are downloaded first.
struct ServedPhotosTests {
    /// Some photos, and a gallery of as many addresses as asked for.
    private func withAddresses(
        _ count: Int, key: DecryptionKey? = nil, body: @escaping @Sendable (Int) throws -> [UInt8],
        _ test: (TestGallery, FaultServer) async throws -> Void
    ) async throws {
        let server = try FaultServer { request, connection in
            let number = request.target.dropFirst().split(separator: ".").first.flatMap { Int($0) }
            guard let number, let photo = try? body(number) else { return connection.respond(404) }
            usleep(2000)
            return connection.respond(body: photo)
        }
        defer { server.stop() }
        let downloader = try PhotoDownloader(DownloaderConfiguration())
        defer { downloader.shutdown() }
        let gallery = try await TestGallery(
            (0..<count).map { server.url("/\($0).jpg").absoluteString }, chain: "sepia",
            downloader: downloader, key: key)
        try await gallery.use { try await test($0, server) }
    }

    @Test func encryptedPhotosAreDecryptedBeforeTheyAreFiltered() async throws {
        let folder = try TemporaryFolder()
        let key = try DecryptionKey(file: folder.write([UInt8](0..<32), to: "key"))
        let photo = try TestPhoto.jpeg(width: 200, height: 120, seed: 1)
        try await withAddresses(3, key: key) { number in
            // The last one was sealed with another key.
            let bytes = [UInt8](repeating: 9, count: 32)
            return AES256GCM(key: number == 2 ? bytes : [UInt8](0..<32)).seal(photo)
        } _: { gallery, _ in
            try await gallery.show(0..<3)
            let status = await gallery.status { $0.filtered == 2 && $0.failed == 1 }
            #expect(status.filtered == 2 && status.failed == 1)
            let photos = try await gallery.photos()
            let before = try await gallery.picture("before", of: 0, version: photos[0].version)
            #expect(before?.body == photo)
            let after = try await gallery.picture("after", of: 0, version: photos[0].version)
            let expected = try await EncodedImage(bytes: photo).filtered(by: [Sepia()], on: .cpu)
            #expect(try after?.body == expected.bytes())
            #expect(photos[2].error?.contains("another key") == true, "\(photos[2])")
        }
    }

    /// What a page does that is scrolled up and down: reports of the view, pauses, pictures.
    @Test func aScriptedScrollEndsWithTheLastView() async throws {
        let photos = try (0..<4).map { try TestPhoto.jpeg(width: 160, height: 120, seed: UInt64($0)) }
        try await withAddresses(600) {
            photos[$0 % 4]
        } _: { gallery, server in
            let events = try await Events(gallery)
            for first in [0, 150, 300, 560, 410, 200, 20, 580] {
                _ = try await gallery.post("/api/session", #"{"action":"suspend"}"#)
                for step in 0..<4 { try await gallery.show(first + step..<first + step + 16) }
                _ = try await gallery.post("/api/session", #"{"action":"resume"}"#)
                let message = try await gallery.get("/api/photos?first=\(first)&count=16")
                for (item, photo) in (try message?.json(Photos.self).photos ?? []).enumerated()
                where photo.version > 0 {
                    let picture = try await gallery.picture(
                        "thumbnail", of: first + item, version: photo.version)
                    let status = picture?.status
                    // The photo may have another version by now.
                    #expect(status == 200 || status == 404)
                }
            }
            let last = 583..<599
            _ = try await events.states { states in last.allSatisfy { states[$0]?.last == "filtered" } }
            await gallery.status { $0.state == "idle" }
            // Views that were left early did not finish.
            let shownCount = 8 * 19
            #expect(gallery.gallery.status.filtered < shownCount)
            let targets = Set(server.requests.map(\.target))
            #expect(targets.count < shownCount + 1)
        }
    }
}
