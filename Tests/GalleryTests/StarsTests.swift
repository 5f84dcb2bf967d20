import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// Photos' stars, as the page shows, gives and finds them.
struct StarsTests {
    private func waits(
        for stars: [Int], in gallery: TestGallery, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var shown: [Int] = []
        let isReached = try await eventually {
            shown = try await gallery.photos().map(\.stars)
            return shown == stars
        }
        #expect(isReached, "\(shown)", sourceLocation: sourceLocation)
    }

    @Test func thoseOfXMPAreShown() async throws {
        let folder = try TemporaryFolder()
        try folder.write(try RatedPhoto.jpeg(3), to: "a.jpg")
        try folder.write(try RatedPhoto.jpeg(3), to: "b.jpg")
        try folder.write(XMPRating.packet(with: 5), to: "b.jpg.xmp")
        try folder.write(try RatedPhoto.jpeg(-1), to: "c.jpg")
        let png = try folder.write(try TestPhoto.png(width: 32, height: 32, seed: 1), to: "d.png")
        try RatedPhoto.exiftool("-q", "-overwrite_original", "-XMP:Rating=2", png)
        try folder.write(try RatedPhoto.jpeg(4), to: "e.jpg")
        try folder.write(Array("no XMP".utf8), to: "e.jpg.xmp")
        try folder.write(try TestPhoto.jpeg(width: 32, height: 32, seed: 1), to: "f.jpg")
        try await TestGallery([folder.path]).use { gallery in
            let events = try await Events(gallery)
            try await waits(for: [3, 5, 0, 2, 4, 0], in: gallery)
            // The page hears of them.
            var heard: [Int: Int] = [:]
            while heard[4] != 4, let event = try await events.next() {
                if event.name == "photos" { heard.merge(try Self.stars(in: event.data)) { $1 } }
            }
            // Those in other files count after a reset.
            try folder.write(XMPRating.packet(with: 1), to: "f.jpg.xmp")
            _ = try await gallery.post("/api/session", #"{"action":"reset"}"#)
            try await waits(for: [3, 5, 0, 2, 4, 1], in: gallery)
        }
    }

    /// Stars by photo, as an event has them.
    private static func stars(in data: String) throws -> [Int: Int] {
        let message = try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any]
        let changes = message?["changes"] as? [[Any]] ?? []
        return Dictionary(changes.map { ($0[0] as? Int ?? -1, $0[4] as? Int ?? -1) }) { $1 }
    }

    @Test func theyAreGivenAndTold() async throws {
        try await withGallery(4) { gallery, folder in
            let before = folder.files()
            let events = try await Events(gallery)
            let answer = try await gallery.post("/api/stars", #"{"items":[[1,2]],"stars":4}"#)
            #expect(answer?.status == 204, "\(answer?.text ?? "")")
            var heard: [Int: Int] = [:]
            while heard[1] != 4 || heard[2] != 4, let event = try await events.next() {
                if event.name == "photos" { heard.merge(try Self.stars(in: event.data)) { $1 } }
            }
            #expect(try await gallery.photos().map(\.stars) == [0, 4, 4, 0])
            _ = try await gallery.post("/api/stars", #"{"items":[[2,1]],"stars":0}"#)
            #expect(try await gallery.photos().map(\.stars) == [0, 4, 0, 0])
            for stars in [6, -1] {
                let refused = try await gallery.post("/api/stars", #"{"items":[[0,1]],"stars":\#(stars)}"#)
                #expect(refused?.status == 422 && refused?.text.contains("from 0 to 5 stars") == true)
            }
            for body in ["{}", #"{"items":[0],"stars":1}"#, #"{"items":[["../x",1]],"stars":1}"#] {
                #expect(try await gallery.post("/api/stars", body)?.status == 400)
            }
            // Photos that there are not.
            for items in ["[[-1,2]]", "[[4,1]]", "[[0]]", "[[0,0]]", "[]"] {
                let answer = try await gallery.post("/api/stars", #"{"items":\#(items),"stars":1}"#)
                #expect(answer?.status == 204)
            }
            for path in ["", "/write", "/unwritten"] {
                let foreign = try await gallery.post(
                    "/api/stars\(path)", #"{"items":[[0,1]],"stars":1}"#,
                    headers: ["Origin": "http://example.com"])
                #expect(foreign?.status == 403)
            }
            #expect(try await gallery.photos().map(\.stars) == [0, 4, 0, 0])
            // Nothing is written.
            #expect(folder.files() == before)
        }
    }

    @Test func manyAreOneEvent() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 32, height: 32, seed: 1), to: "a.jpg")
        try await TestGallery(Array(repeating: path, count: 1200)).use { gallery in
            let cursor = gallery.gallery.changes.cursor
            _ = try await gallery.post("/api/stars", #"{"items":[[0,1200]],"stars":2}"#)
            #expect(gallery.gallery.changes.news(after: cursor).items == nil)
            #expect(try await gallery.photos().allSatisfy { $0.stars == 2 })
        }
    }

    @Test func theyAreThereInTheNextGallery() async throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg", "c.jpg"] { try folder.write(try RatedPhoto.jpeg(3), to: "in/\(name)") }
        let state = folder.path("state/stars.json")
        try await TestGallery([folder.path("in")], starsPath: state).use { gallery in
            // Before anybody has asked for those of its XMP.
            _ = try await gallery.post("/api/stars", #"{"items":[[0,1]],"stars":5}"#)
            try await waits(for: [5, 3, 3], in: gallery)
            _ = try await gallery.post("/api/stars", #"{"items":[[1,1]],"stars":0}"#)
            // They outlive a reset.
            _ = try await gallery.post("/api/session", #"{"action":"reset"}"#)
            try await waits(for: [5, 0, 3], in: gallery)
        }
        try await TestGallery([folder.path("in")], starsPath: state).use {
            try await waits(for: [5, 0, 3], in: $0)
        }
        #expect(
            folder.files()
                == ["in/a.jpg", "in/b.jpg", "in/c.jpg", "state/stars.json", "state/stars.json.lock"])
    }

    @Test func stateThatCannotBeWrittenIsSaid() async throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(try RatedPhoto.jpeg(3), to: "a.jpg")
        try await TestGallery([photo], starsPath: "\(photo)/stars.json").use { gallery in
            let answer = try await gallery.post("/api/stars", #"{"items":[[0,1]],"stars":1}"#)
            #expect(answer?.status == 422 && answer?.text.contains("until the gallery ends") == true)
            try await waits(for: [1], in: gallery)
        }
    }

    @Test func thoseOfAddressesComeWithTheirPhotos() async throws {
        let photo = try RatedPhoto.jpeg(4)
        let server = try FaultServer { _, connection in connection.respond(body: photo) }
        defer { server.stop() }
        let downloader = try PhotoDownloader(DownloaderConfiguration())
        defer { downloader.shutdown() }
        let folder = try TemporaryFolder()
        let addresses = (0..<3).map { server.url("/\($0).jpg").absoluteString }
        let state = folder.path("stars.json")
        try await TestGallery(addresses, downloader: downloader, starsPath: state).use { gallery in
            #expect(try await gallery.photos().map(\.stars) == [0, 0, 0])
            // Unknown is not none.
            #expect(try await gallery.find(#"{"stars":0}"#) == [])
            try await gallery.show(0..<1)
            try await waits(for: [4, 0, 0], in: gallery)
            _ = try await gallery.post("/api/stars", #"{"items":[[2,1]],"stars":1}"#)
            // There is no file beside them.
            let unwritten = try await gallery.post("/api/stars/unwritten", "{}")
            #expect(unwritten?.text.contains(#""count":0"#) == true, "\(unwritten?.text ?? "")")
        }
        try await TestGallery(addresses, downloader: downloader, starsPath: state).use {
            try await waits(for: [0, 0, 1], in: $0)
        }
    }

    @Test func photosAreFoundByStars() async throws {
        let folder = try TemporaryFolder()
        for (name, rating) in [("a.jpg", 3), ("b.jpg", -1), ("c.jpg", 5), ("d.jpg", 0), ("e.jpg", 3)] {
            try folder.write(try RatedPhoto.jpeg(rating), to: name)
        }
        try await TestGallery([folder.path]).use { gallery in
            #expect(try await gallery.find(#"{"stars":3}"#) == [0, 2, 4])
            #expect(try await gallery.find(#"{"stars":5}"#) == [2])
            #expect(try await gallery.find(#"{"stars":0}"#) == [1, 3])
            #expect(try await gallery.find(#"{"order":"stars"}"#) == [1, 3, 0, 4, 2])
            #expect(try await gallery.find(#"{"order":"stars","isDescending":true}"#) == [2, 0, 4, 1, 3])
            #expect(try await gallery.find(#"{"stars":1,"name":"E","among":[[3,2]]}"#) == [4])
            _ = try await gallery.post("/api/stars", #"{"items":[[3,1]],"stars":4}"#)
            #expect(try await gallery.find(#"{"stars":4}"#) == [2, 3])
            #expect(try await gallery.post("/api/find", #"{"stars":6}"#)?.status == 422)
            #expect(try await gallery.post("/api/find", #"{"stars":"1"}"#)?.status == 400)
        }
    }
}
