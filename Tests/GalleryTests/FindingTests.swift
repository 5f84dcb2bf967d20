import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// Photos that the page looks for.
struct FindingTests {
    @Test func byNameStateAndOrder() async throws {
        let folder = try TemporaryFolder()
        let photo = try TestPhoto.jpeg(width: 64, height: 48, seed: 1)
        let names = ["Beach.jpg", "alps.jpg", "beach-2.jpg", "cut.jpg"]
        for (index, name) in names.enumerated() {
            let bytes =
                name == "cut.jpg" ? Array(photo.prefix(200)) : photo + Array(repeating: 0, count: 10 - index)
            let path = try folder.write(bytes, to: name)
            let date = Date(timeIntervalSince1970: 1_000_000 + Double((index * 7) % 4))
            try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: path)
        }
        try await TestGallery(names.map { folder.path($0) }, chain: "sepia").use { gallery in
            #expect(try await gallery.find("{}") == [0, 1, 2, 3])
            #expect(try await gallery.find(#"{"name":"BEACH"}"#) == [0, 2])
            #expect(try await gallery.find(#"{"order":"name"}"#) == [1, 2, 0, 3])
            #expect(try await gallery.find(#"{"order":"name","isDescending":true}"#) == [3, 0, 2, 1])
            #expect(try await gallery.find(#"{"order":"size"}"#) == [3, 2, 1, 0])
            #expect(try await gallery.find(#"{"order":"time"}"#) == [0, 3, 2, 1])
            #expect(try await gallery.find(#"{"isDescending":true,"among":[[1,2]]}"#) == [2, 1])
            #expect(try await gallery.find(#"{"among":[[-1,3],[9,1]]}"#) == [])
            try await gallery.show(0..<4)
            await gallery.status { $0.filtered == 3 && $0.failed == 1 }
            #expect(try await gallery.find(#"{"state":"failed"}"#) == [3])
            #expect(try await gallery.find(#"{"state":"fine","name":"a"}"#) == [0, 1, 2])
            for body in [#"{"order":"colour"}"#, #"{"state":1}"#, "[]"] {
                #expect(try await gallery.post("/api/find", body)?.status == 400)
            }
        }
    }

    @Test func photosOutOfOrderAreToldAndShown() async throws {
        try await withGallery(6) { gallery, _ in
            let answer = try #require(try await gallery.post("/api/photos", #"{"items":[4,1,77,-1]}"#))
            #expect(try answer.json(Photos.self).photos.map(\.name) == ["1004.jpg", "1001.jpg"])
            _ = try await gallery.post("/api/visible", #"{"page":"p","items":[5,0,99]}"#)
            await gallery.status { $0.filtered == 2 && $0.state == "idle" }
            let photos = try await gallery.photos()
            #expect(
                photos[5].state == "filtered" && photos[0].state == "filtered"
                    && photos[1].state != "filtered")
        }
    }
}
