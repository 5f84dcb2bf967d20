import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// Stars that are written to XMP files beside the photos.
struct StarSidecarTests {
    private struct ToWrite: Decodable, Equatable {
        var count: Int
        var folderCount: Int
        var folder: String?
    }

    private struct Written: Decodable {
        struct Problem: Decodable {
            let name: String
            let error: String
        }

        let written: Int
        let failed: Int
        let problems: [Problem]
    }

    private func toWrite(_ gallery: TestGallery) async throws -> ToWrite {
        try #require(try await gallery.post("/api/stars/unwritten", "{}")).json(ToWrite.self)
    }

    private func write(_ gallery: TestGallery) async throws -> Written {
        try #require(try await gallery.post("/api/stars/write", "{}")).json(Written.self)
    }

    @Test func newOnesAreWrittenWhereStarsDiffer() async throws {
        let folder = try TemporaryFolder()
        let names = ["a.jpg", "b/c & 'd' <é>\".jpg", "b/e.jpg", "f.jpg"]
        for name in names { try folder.write(try RatedPhoto.jpeg(3), to: "in/\(name)") }
        let photos = try names.map { try folder.read("in/\($0)") }
        let state = folder.path("stars.json")
        try await TestGallery([folder.path("in")], starsPath: state).use { gallery in
            let order = try await gallery.photos().map(\.name)
            #expect(try await toWrite(gallery) == ToWrite(count: 0, folderCount: 0))
            _ = try await gallery.post("/api/stars", #"{"items":[[0,4]],"stars":5}"#)
            // One is as its XMP has it again.
            let last = try #require(order.firstIndex(of: "f.jpg"))
            _ = try await gallery.post("/api/stars", #"{"items":[[\#(last),1]],"stars":3}"#)
            let expected = try await toWrite(gallery)
            #expect(expected.count == 3 && expected.folderCount == 2)
            let kept = try JSONDecoder().decode([String: Int].self, from: Data(folder.read("stars.json")))
            #expect(kept.values.sorted() == [5, 5, 5])
            let result = try await write(gallery)
            #expect(result.written == 3 && result.failed == 0)
            #expect(try await toWrite(gallery).count == 0)
            #expect(try await gallery.photos().map(\.stars).sorted() == [3, 5, 5, 5])
        }
        #expect(
            folder.files()
                == (names.map { "in/\($0)" } + names.prefix(3).map { "in/\($0).xmp" }
                + ["stars.json", "stars.json.lock"])
                .sorted())
        #expect(try names.map { try folder.read("in/\($0)") } == photos)
        for name in names.prefix(3) {
            let path = folder.path("in/\(name).xmp")
            #expect(try RatedPhoto.exiftool("-s3", "-XMP-xmp:Rating", path) == "5")
            #expect(try RatedPhoto.exiftool("-s3", "-Warning", "-Error", path) == "")
        }
        // The XMP has them now.
        #expect(try String(decoding: folder.read("stars.json"), as: UTF8.self) == "{}")
    }

    /// A sidecar as editors write it, without `xmp:Rating`.
    private static func sidecar(_ attributes: String, _ elements: String) -> String {
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
         <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
          <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"
            xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:darktable="http://darktable.sf.net/"\(attributes)
            darktable:history_end="3">
           <dc:title><rdf:Alt><rdf:li xml:lang="x-default">Bäche &amp; Wälder</rdf:li></rdf:Alt></dc:title>\(elements)
          </rdf:Description>
         </rdf:RDF>
        </x:xmpmeta>
        """
    }

    @Test(arguments: [
        (sidecar(" xmp:Rating=\"1\"", ""), sidecar(" xmp:Rating=\"4\"", "")),
        (sidecar("", "<xmp:Rating>-1</xmp:Rating>"), sidecar("", "<xmp:Rating>4</xmp:Rating>")),
        (
            sidecar("", ""),
            sidecar("", "").replacing("Description rdf", with: #"Description xmp:Rating="4" rdf"#)
        ),
    ])
    func allElseStaysInOnesThatThereAre(before: String, after: String) async throws {
        let folder = try TemporaryFolder()
        try folder.write(try RatedPhoto.jpeg(3), to: "a.jpg")
        let path = try folder.write(Array(before.utf8), to: "a.jpg.xmp")
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let title = try RatedPhoto.exiftool("-s3", "-Title", path)
        try await TestGallery([folder.path]).use { gallery in
            _ = try await gallery.post("/api/stars", #"{"items":[[0,1]],"stars":4}"#)
            #expect(try await write(gallery).written == 1)
        }
        #expect(String(decoding: try folder.read("a.jpg.xmp"), as: UTF8.self) == after)
        #expect(try RatedPhoto.exiftool("-s3", "-Rating", path) == "4")
        #expect(try RatedPhoto.exiftool("-s3", "-Title", path) == title && title == "Bäche & Wälder")
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o640)
        #expect(folder.files() == ["a.jpg", "a.jpg.xmp"])
    }

    @Test func whatAnotherProgramWritesMeanwhileStays() throws {
        let folder = try TemporaryFolder()
        let path = folder.path("a.jpg.xmp")
        let temporaries = TemporaryFiles()
        var others = [Self.sidecar(" xmp:Rating=\"1\"", ""), Self.sidecar("", "<dc:x>1</dc:x>")]
        // Once it is created meanwhile, and once it is changed.
        try StarSidecar(of: folder.path("a.jpg")).write(4, temporaries) {
            if let other = others.popLast() { try folder.write(Array(other.utf8), to: "a.jpg.xmp") }
        }
        #expect(try String(decoding: folder.read("a.jpg.xmp"), as: UTF8.self).contains("xmp:Rating=\"4\""))
        #expect(others.isEmpty)
        let error = #expect(throws: GalleryError.self) {
            try StarSidecar(of: folder.path("a.jpg")).write(2, temporaries) {
                try FileManager.default.setAttributes(
                    [.modificationDate: Date(timeIntervalSinceNow: .random(in: -9e6...0))],
                    ofItemAtPath: path)
            }
        }
        #expect(error?.description.contains("Try again") == true)
        #expect(StarSidecar(of: folder.path("a.jpg")).rating == 4)
        #expect(folder.files() == ["a.jpg.xmp"])
    }

    @Test func thoseThatAnotherGalleryHasChangedAreNotOutdated() async throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg"] { try folder.write(try RatedPhoto.jpeg(3), to: "in/\(name)") }
        let photos = ["a.jpg", "b.jpg"].map { folder.path("in/\($0)") }
        let state = folder.path("stars.json")
        try await TestGallery(photos, starsPath: state).use { gallery in
            _ = try await gallery.post("/api/stars", #"{"items":[[0,2]],"stars":5}"#)
            let other = StarFile(path: state, Logger(label: "test"))
            try other.set(1, of: [photos[0].exact])
            try other.store()
            other.remove([photos[1].exact: 5])
            try other.store()
            #expect(try await toWrite(gallery).count == 1)
            #expect(try await write(gallery).written == 1)
        }
        #expect(XMPRating.value(of: try folder.read("in/a.jpg.xmp")) == 1)
        #expect(!folder.files().contains("in/b.jpg.xmp"))
    }

    @Test func aBrokenFileOfStarsIsAProblemBesides() async throws {
        let folder = try TemporaryFolder()
        let photo = try folder.write(try RatedPhoto.jpeg(3), to: "a.jpg")
        let state = folder.path("stars.json")
        try await TestGallery([photo], starsPath: state).use { gallery in
            _ = try await gallery.post("/api/stars", #"{"items":[[0,1]],"stars":5}"#)
            try folder.write(Array("{".utf8), to: "stars.json")
            let result = try await write(gallery)
            #expect(result.written == 1 && result.failed == 1)
            #expect(result.problems.map(\.name) == ["stars.json"])
        }
        #expect(try folder.read("stars.json") == Array("{".utf8))
    }

    @Test func whatIsNoXMPIsLeftAndReported() async throws {
        let folder = try TemporaryFolder()
        for name in ["a.jpg", "b.jpg", "c.jpg", "d.jpg"] {
            try folder.write(try RatedPhoto.jpeg(3), to: name)
        }
        let broken = Array(Self.sidecar("", "<xmp:Rating>1").utf8)
        try folder.write(broken, to: "a.jpg.xmp")
        try folder.write([1], to: "b.jpg.xmp/file")
        // A link stays one.
        try folder.write(XMPRating.packet(with: 1), to: "elsewhere/x")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("c.jpg.xmp"), withDestinationPath: folder.path("elsewhere/x"))
        let photos = ["a.jpg", "b.jpg", "c.jpg", "d.jpg"].map { folder.path($0) }
        let state = folder.path("stars.json")
        try await TestGallery(photos, starsPath: state).use { gallery in
            _ = try await gallery.post("/api/stars", #"{"items":[[0,4]],"stars":2}"#)
            let result = try await write(gallery)
            #expect(result.written == 2 && result.failed == 2)
            #expect(result.problems.map(\.name) == ["a.jpg", "b.jpg"])
            #expect(result.problems.allSatisfy { $0.error.contains(".jpg.xmp is no XMP") }, "\(result)")
            // They are tried again.
            #expect(try await toWrite(gallery).count == 2)
        }
        #expect(try folder.read("a.jpg.xmp") == broken)
        #expect(XMPRating.value(of: try folder.read("elsewhere/x")) == 2)
        #expect(XMPRating.value(of: try folder.read("d.jpg.xmp")) == 2)
        let link = try FileManager.default.destinationOfSymbolicLink(atPath: folder.path("c.jpg.xmp"))
        #expect(link == folder.path("elsewhere/x"))
        // Those that are in no XMP are kept.
        let kept = try String(decoding: folder.read("stars.json"), as: UTF8.self)
        #expect(kept == #"{"\#(photos[0])":2,"\#(photos[1])":2}"#)
    }
}
