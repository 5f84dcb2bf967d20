import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// What pages remember for later galleries.
struct PreferencesTests {
    private let logger = Logger(label: "test")

    @Test func theyAreThereNextTime() throws {
        let folder = try TemporaryFolder(), path = folder.path("new/tintype/gallery.json")
        let first = Preferences(path: path, logger), second = Preferences(path: path, logger)
        #expect(first.all == [:])
        try first.set("looks", #"[{"name":"Ölbild + 1","chain":"sepia"}]"#)
        // What another gallery has set meanwhile stays.
        try second.set("size", "208")
        #expect(Preferences(path: path, logger).all.keys.sorted() == ["looks", "size"])
        #expect(second.all["looks"]?.contains("Ölbild + 1") == true)
        #expect(folder.files() == ["gallery.json", "gallery.json.lock"].map { "new/tintype/\($0)" })
    }

    @Test func severalGalleriesSetThemAtOnce() throws {
        let folder = try TemporaryFolder(), path = folder.path("gallery.json")
        let galleries = (0..<4).map { _ in Preferences(path: path, logger) }
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            #expect(throws: Never.self) { try galleries[index % 4].set("name \(index)", "\(index)") }
        }
        #expect(Preferences(path: path, logger).all.count == 40)
    }

    @Test func aDamagedFileCountsAsEmpty() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array("{".utf8), to: "gallery.json")
        let preferences = Preferences(path: path, logger)
        #expect(preferences.all == [:])
        try preferences.set("size", "96")
        #expect(Preferences(path: path, logger).all == ["size": "96"])
    }

    @Test func theyHaveALimit() throws {
        let preferences = Preferences(path: nil, logger)
        try preferences.set("looks", String(repeating: "x", count: Preferences.byteLimit - 5))
        #expect(throws: GalleryError.self) { try preferences.set("size", "1") }
        #expect(preferences.all["size"] == nil)
        try preferences.set("looks", "[]")
        try preferences.set("size", "1")
    }

    @Test func thePageSetsAndGetsThem() async throws {
        try await withGallery(1) { gallery, _ in
            let body = #"{"name":"size","text":"\"96\""}"#
            #expect(try await gallery.post("/api/preferences", body)?.status == 204)
            let foreign = try await gallery.post(
                "/api/preferences", body, headers: ["Origin": "http://example.com"])
            #expect(foreign?.status == 403)
            struct Message: Decodable { let preferences: [String: String] }
            let message = try #require(try await gallery.get("/api/gallery")).json(Message.self)
            #expect(message.preferences == ["size": #""96""#])
        }
    }
}
