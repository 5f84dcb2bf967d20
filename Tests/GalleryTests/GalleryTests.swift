import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// What the page is told, and the pictures that it gets.
struct GalleryTests {
    @Test func photosInViewAreFilteredAndTold() async throws {
        try await withGallery(12) { gallery, _ in
            let events = try await Events(gallery)
            #expect(try await events.next()?.name == "all")
            #expect(try await gallery.post("/api/visible", #"{"first":4,"count":3}"#)?.status == 204)
            let states = try await events.states { states in
                (4...6).allSatisfy { states[$0]?.last == "filtered" }
            }
            #expect(states.filter { $0.value.last == "filtered" }.keys.sorted() == [4, 5, 6])
            let photos = try #require(try await gallery.get("/api/photos?first=0&count=100")).json(
                Photos.self)
            #expect(photos.photos.map(\.name) == (1000..<1012).map { "\($0).jpg" })
            #expect(photos.photos.count { $0.state == "filtered" } == 3)
        }
    }

    @Test func aPhotoOpenedOutOfViewIsFilteredAndTold() async throws {
        try await withGallery(12) { gallery, _ in
            let events = try await Events(gallery)
            try await gallery.show(0..<2)
            _ = try await events.states { $0[0]?.last == "filtered" && $0[1]?.last == "filtered" }
            #expect(try await gallery.post("/api/photos/9/open", "{}")?.status == 204)
            _ = try await events.states { $0[9]?.last == "filtered" }
            // The view moves while the photo is open, and all photos begin anew.
            _ = try await gallery.post("/api/session", #"{"action":"reset"}"#)
            _ = try await events.states { $0[9]?.last == "downloaded" }
            try await gallery.show(2..<4)
            _ = try await events.states { $0[9]?.last == "filtered" }
        }
    }

    @Test func aFailedPhotoOutOfViewIsToldWhenItIsTriedAgain() async throws {
        let whole = try TestPhoto.jpeg(width: 64, height: 48, seed: 1)
        try await withGallery(4) {
            try $0.write(Array(whole.prefix(40)), to: "in/1003.jpg")
        } _: { gallery, folder in
            let events = try await Events(gallery)
            try await gallery.show(0..<1)
            _ = try await gallery.post("/api/photos/3/open", "{}")
            _ = try await events.states { $0[3]?.last == "failed" }
            try folder.write(whole, to: "in/1003.jpg")
            _ = try await gallery.post("/api/photos/3/retry", "{}")
            _ = try await events.states { $0[3]?.last == "filtered" }
        }
    }

    @Test func thePicturesAreThoseOfTheCommandLine() async throws {
        try await withGallery(1, chain: "sepia+tilt-shift") { gallery, folder in
            let events = try await Events(gallery)
            _ = try await gallery.post("/api/visible", #"{"first":0,"count":1}"#)
            _ = try await events.states { $0[0]?.last == "filtered" }
            let photo = try #require(try await gallery.get("/api/photos?first=0&count=1")).json(Photos.self)
                .photos[0]
            func picture(_ kind: String) async throws -> Client.Response {
                try #require(try await gallery.picture(kind, of: 0, version: photo.version))
            }
            let expected = try await EncodedImage(path: folder.path("in/1000.jpg"))
                .filtered(by: [Sepia(), TiltShift()], on: .cpu)
            #expect(try await picture("after").body == expected.bytes())
            #expect(try await picture("before").body == folder.read("in/1000.jpg"))
            let thumbnail = try await picture("thumbnail")
            #expect(thumbnail.headers["content-type"] == "image/jpeg")
            #expect(thumbnail.headers["cache-control"]?.contains("immutable") == true)
            let size = try PhotoReader(bytes: thumbnail.body, limits: DecodeLimits()).geometry
            #expect((320..<640).contains(size.width))
            let tag = try #require(thumbnail.headers["etag"])
            let again = try await gallery.picture(
                "thumbnail", of: 0, version: photo.version, headers: ["If-None-Match": tag])
            #expect(again?.status == 304)
            #expect(try await gallery.picture("after", of: 0, version: photo.version + 1)?.status == 404)
        }
    }

    @Test func aPictureOfAnotherRunIsNotShown() async throws {
        try await withGallery(1) { gallery, _ in
            let events = try await Events(gallery)
            try await gallery.show(0..<1)
            _ = try await events.states { $0[0]?.last == "filtered" }
            let version = try #require(try await gallery.photos().first).version
            let thumbnail = try await gallery.picture("thumbnail", of: 0, version: version)
            #expect(thumbnail?.headers["etag"]?.contains(gallery.gallery.run) == true)
            for run in ["", "1"] {
                let other = try await gallery.picture("thumbnail", of: 0, version: version, run: run)
                #expect(other?.status == 404)
            }
            #expect(try await gallery.get("/api/photos/0/thumbnail?version=\(version)")?.status == 404)
            // The page learns of its run from the status.
            #expect(try await gallery.get("/api/gallery")?.text.contains(gallery.gallery.run) == true)
        }
    }

    @Test func anotherChainFiltersAnew() async throws {
        try await withGallery(2) { gallery, folder in
            let events = try await Events(gallery)
            _ = try await gallery.post("/api/visible", #"{"first":0,"count":2}"#)
            _ = try await events.states { $0[0]?.last == "filtered" && $0[1]?.last == "filtered" }
            let before = try await gallery.photos().map(\.version)
            let answer = try #require(
                try await gallery.post("/api/recipe", #"{"chain":"sepia:intensity=0.5","device":"cpu"}"#))
            #expect(answer.status == 200)
            #expect(answer.text.contains("sepia:intensity=0.5"))
            // An event that was under way may still tell of the old filter's results.
            var after: [Photo] = []
            #expect(
                try await eventually {
                    after = try await gallery.photos()
                    return zip(after, before).allSatisfy { $0.state == "filtered" && $0.version > $1 }
                })
            #expect(after.map(\.state) == ["filtered", "filtered"])
            let expected = try await EncodedImage(path: folder.path("in/1001.jpg"))
                .filtered(by: [Sepia(intensity: 0.5)], on: .cpu)
            let picture = try await gallery.picture("after", of: 1, version: after[1].version)
            #expect(try picture?.body == expected.bytes())
            for chain in ["sepia:intensity=7", "bogus", "sepia:x=1"] {
                let refused = try await gallery.post("/api/recipe", #"{"chain":"\#(chain)","device":"cpu"}"#)
                #expect(refused?.status == 422 && refused?.text.contains("error") == true, "\(chain)")
            }
        }
    }

    @Test func aPageThatReconnectsLearnsWhatItHasMissed() async throws {
        try await withGallery(3) { gallery, _ in
            let events = try await Events(gallery)
            #expect(try await events.next()?.name == "all")
            let id = events.lastID
            _ = try await gallery.post("/api/visible", #"{"first":0,"count":3}"#)
            _ = try await events.states { states in (0..<3).allSatisfy { states[$0]?.last == "filtered" } }
            let later = try await Events(gallery, after: id)
            let states = try await later.states { $0.count == 3 }
            #expect(states.values.allSatisfy { $0.last == "filtered" })
        }
    }

    @Test func anEventHasAllChangesUpToItsNumber() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 32, height: 32, seed: 1), to: "a.jpg")
        let test = try await TestGallery(Array(repeating: path, count: 700))
        #expect(test.gallery.photoCount == 700)
        // The photos' arrival is a change as well.
        #expect(await eventually { test.gallery.changes.news(after: 0).items == nil })
        let cursor = test.gallery.changes.cursor
        for item in 0..<700 { test.gallery.changes.add(item: item) }
        // A page that reconnects goes on behind the number of the last event that it got.
        let later = EventFeed(test.gallery, after: cursor)
        let text = String(decoding: try #require(try await later.next()), as: UTF8.self)
        let id = try #require(text.firstMatch(of: /id: ([0-9]+)/)?.1)
        #expect(try #require(Int(id)) >= cursor + 700)
        #expect(text.contains("[0,\"") && text.contains("[699,\""))
        await test.end()
    }

    @Test func slowClientsHoldNobodyUp() async throws {
        try await withGallery(1) { gallery, _ in
            let half = try (0..<100).map { _ in
                let client = try Client(port: gallery.server.port)
                client.send("GET / HTTP/1.1\r\nHost: ")
                return client
            }
            let deaf = try (0..<100).map { _ in
                let client = try Client(port: gallery.server.port)
                client.send(gallery.head("GET", "/api/events"))
                return client
            }
            let events = try await Events(gallery)
            _ = try await gallery.post("/api/visible", #"{"first":0,"count":1}"#)
            _ = try await events.states { $0[0]?.last == "filtered" }
            withExtendedLifetime((half, deaf)) {}
        }
    }

    @Test func beyondTheLimitConnectionsAreClosedUntilOthersEnd() async throws {
        try await withGallery(1) { gallery, _ in
            var clients = try (0..<300).map { _ in try Client(port: gallery.server.port) }
            let last = try #require(clients.last)
            last.send(gallery.head("GET", "/"))
            #expect(try await last.response() == nil)
            clients.removeAll()
            #expect(try await eventually { try await gallery.get("/")?.status == 200 })
        }
    }

    @Test func changesOfTheRecipeAreCounted() async throws {
        try await withGallery(1) { gallery, _ in
            struct Recipe: Decodable {
                let version: Int
                let chain: String
            }
            let first = try #require(try await gallery.get("/api/recipe")).json(Recipe.self)
            #expect(first.version == 0 && first.chain.hasPrefix("noir"))
            let answer = try await gallery.post("/api/recipe", #"{"chain":"sepia","device":"cpu"}"#)
            #expect(try answer?.json(Recipe.self).version == 1)
            await gallery.status { $0.recipeVersion == 1 }
            _ = try await gallery.post("/api/recipe", #"{"chain":"nothing","device":"cpu"}"#)
            let last = try #require(try await gallery.get("/api/recipe")).json(Recipe.self)
            #expect(last.version == 1 && last.chain.hasPrefix("sepia"))
        }
    }
}
