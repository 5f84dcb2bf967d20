import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// Stars that are remembered between galleries.
struct StarFileTests {
    private let logger = Logger(label: "test")
    /// One accent, composed and decomposed: two files.
    private let names = ["/photos/\u{e9}.jpg", "/photos/e\u{301}.jpg", "/photos/\"a b\\.jpg"].map(\.exact)

    @Test func theyAreThereNextTime() throws {
        let folder = try TemporaryFolder(), path = folder.path("new/tintype/stars.json")
        let first = StarFile(path: path, logger), second = StarFile(path: path, logger)
        try first.set(3, of: [names[0], names[2]])
        try first.store()
        // What another gallery has set meanwhile stays.
        try second.set(0, of: ["http://example.com/a.jpg".exact])
        try second.store()
        let next = StarFile(path: path, logger)
        #expect(next[names[0]] == 3 && next[names[1]] == nil && next[names[2]] == 3)
        #expect(next["http://example.com/a.jpg".exact] == 0)
        #expect(second[names[0]] == 3)
        next.remove([names[0]: 3])
        try next.store()
        #expect(StarFile(path: path, logger)[names[0]] == nil)
        #expect(folder.files() == ["stars.json", "stars.json.lock"].map { "new/tintype/\($0)" })
        let permissions = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
        #expect(permissions == 0o600)
    }

    @Test func severalGalleriesStoreThemAtOnce() throws {
        let folder = try TemporaryFolder(), path = folder.path("stars.json")
        let galleries = (0..<4).map { _ in StarFile(path: path, logger) }
        DispatchQueue.concurrentPerform(iterations: 40) { index in
            #expect(throws: Never.self) {
                try galleries[index % 4].set(index % 6, of: ["/\(index).jpg".exact])
                try galleries[index % 4].store()
            }
        }
        let next = StarFile(path: path, logger)
        for index in 0..<40 { #expect(next["/\(index).jpg".exact] == index % 6) }
    }

    @Test(arguments: [
        #"{"/a.jpg":"3","/d.jpg":2}"#, #"{"/a.jpg":6,"/b.jpg":-1,"/d.jpg":2}"#,
        #"{"/a.jpg":null,"/b.jpg":[1],"/d.jpg":2}"#,
    ])
    func entriesThatAreNoStarsAreIgnored(text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(text.utf8), to: "stars.json")
        let file = StarFile(path: path, logger)
        #expect(file["/a.jpg".exact] == nil && file["/b.jpg".exact] == nil && file["/d.jpg".exact] == 2)
        try file.set(5, of: ["/c.jpg".exact])
        try file.store()
        let stored = try String(decoding: folder.read("stars.json"), as: UTF8.self)
        #expect(stored == #"{"/c.jpg":5,"/d.jpg":2}"#)
    }

    @Test(arguments: ["{", "[3]", "", #"{"/a.jpg":3"#])
    func aDamagedFileStays(text: String) throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(Array(text.utf8), to: "stars.json")
        let file = StarFile(path: path, logger)
        try file.set(5, of: ["/c.jpg".exact])
        let error = #expect(throws: GalleryError.self) { try file.store() }
        #expect(error?.description.contains("move it away") == true, "\(String(describing: error))")
        #expect(try folder.read("stars.json") == Array(text.utf8))
        #expect(file["/c.jpg".exact] == 5)
        try FileManager.default.removeItem(atPath: path)
        try file.store()
        #expect(try String(decoding: folder.read("stars.json"), as: UTF8.self) == #"{"/c.jpg":5}"#)
    }

    @Test func othersThanThoseWrittenStay() throws {
        let names = ["/a.jpg", "/b.jpg", "/c.jpg"].map(\.exact)
        let folder = try TemporaryFolder(), path = folder.path("stars.json")
        let first = StarFile(path: path, logger)
        try first.set(3, of: names)
        try first.store()
        let second = StarFile(path: path, logger)
        // Given in this gallery, and in another one.
        try first.set(4, of: [names[0]])
        try first.store()
        try second.set(5, of: [names[1]])
        try second.store()
        first.remove([names[0]: 3, names[1]: 3, names[2]: 3])
        #expect(first[names[0]] == 4 && first[names[1]] == nil && first[names[2]] == nil)
        try first.store()
        #expect(first[names[1]] == 5)
        try second.exchange()
        for file in [first, second, StarFile(path: path, logger)] {
            #expect(file[names[0]] == 4 && file[names[1]] == 5 && file[names[2]] == nil)
        }
    }

    @Test func theyHaveALimit() throws {
        let file = StarFile(path: nil, logger)
        let long = String(repeating: "x", count: StarFile.byteLimit - 5).exact
        try file.set(1, of: [long])
        #expect(throws: GalleryError.self) { try file.set(1, of: ["/a.jpg".exact]) }
        #expect(file["/a.jpg".exact] == nil)
        try file.store()
        file.remove([long: 1])
        try file.set(1, of: ["/a.jpg".exact])
    }

    @Test func thoseThatCannotBeStoredAreKnownUntilTheEnd() throws {
        let folder = try TemporaryFolder()
        try folder.write([], to: "file")
        let file = StarFile(path: folder.path("file/stars.json"), logger)
        try file.set(2, of: ["/a.jpg".exact])
        let error = #expect(throws: GalleryError.self) { try file.store() }
        #expect(error?.description.contains("file/stars.json") == true)
        #expect(file["/a.jpg".exact] == 2)
        // They are written once that is possible.
        try FileManager.default.removeItem(atPath: folder.path("file"))
        try folder.write(Array(#"{"/other.jpg":1}"#.utf8), to: "file/stars.json")
        try file.set(4, of: [names[2]])
        try file.store()
        let next = StarFile(path: folder.path("file/stars.json"), logger)
        #expect(next["/other.jpg".exact] == 1 && next["/a.jpg".exact] == 2 && next[names[2]] == 4)
    }

    @Test func aPhotoIsKnownByItsPlace() async throws {
        let folder = try TemporaryFolder()
        let path = try folder.write(try TestPhoto.jpeg(width: 32, height: 32, seed: 1), to: "in/a.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: folder.path("link"), withDestinationPath: folder.path("in"))
        let file = StarFile(path: nil, logger)
        for other in ["in/../in/a.jpg", "in/./a.jpg", "link/a.jpg"] {
            try await TestGallery([folder.path(other)]).use { gallery in
                #expect(file.key(of: gallery.gallery.allPhotos[0])?.text == path)
            }
        }
        let address = "http://user:secret@127.0.0.1:1/a.jpg?X-Amz-Signature=abc&size=2"
        let downloader = try PhotoDownloader(DownloaderConfiguration())
        defer { downloader.shutdown() }
        try await TestGallery([address], downloader: downloader).use { gallery in
            let key = try #require(file.key(of: gallery.gallery.allPhotos[0])?.text)
            #expect(key.hasPrefix("http://127.0.0.1:1/a.jpg?") && key.contains("size=2"), "\(key)")
            #expect(!key.contains("secret") && !key.contains("abc"), "\(key)")
        }
    }
}
