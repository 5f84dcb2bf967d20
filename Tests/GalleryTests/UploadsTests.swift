import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// Files for filters that a page sends.
struct UploadsTests {
    /// A table that exchanges red and blue.
    private static let table: [UInt8] = {
        var text = "LUT_3D_SIZE 2\n"
        for blue in 0...1 {
            for green in 0...1 {
                for red in 0...1 { text += "\(blue) \(green) \(red)\n" }
            }
        }
        return Array(text.utf8)
    }()

    private struct File: Decodable {
        let path: String
        let isTable: Bool
    }

    /// Sends a file as the page does.
    private func send(
        _ bytes: [UInt8], _ name: String, to gallery: TestGallery, headers: [String: String] = [:]
    ) async throws -> Client.Response? {
        let client = try Client(port: gallery.server.port)
        let own = [
            "Origin": "http://\(gallery.host)", "Content-Type": "application/octet-stream",
            "Content-Length": "\(bytes.count)",
        ]
        client.send(
            gallery.head("POST", "/api/files?name=\(name)", own.merging(headers) { $1 }))
        client.send(bytes)
        return try await client.response()
    }

    @Test func aTableIsUsedAndLiesNowhere() async throws {
        try await withGallery(1, chain: "", output: true) { gallery, folder in
            let before = folder.files()
            let answer = try #require(try await send(Self.table, "my%20film.cube", to: gallery))
            let file = try answer.json(File.self)
            #expect(file.path == "uploaded/my_film.cube" && file.isTable)
            let chain = "lut:file=\(file.path)"
            let changed = try await gallery.post(
                "/api/recipe", #"{"chain":"\#(chain)","device":"cpu"}"#)
            #expect(changed?.status == 200)
            try await gallery.show(0..<1)
            await gallery.status { $0.filtered == 1 && $0.state == "idle" }
            let photo = try await gallery.photos()[0]
            let picture = try await gallery.picture("after", of: 0, version: photo.version)
            let path = try folder.write(Self.table, to: "film.cube")
            let expected = try apply(Recipe([LookUp(contentsOf: path)]), to: "1000.jpg", in: folder)
            #expect(picture?.body == expected)
            // It is saved with it, and a new page has it.
            #expect(try await gallery.saveAll(chain: chain).saved == 1)
            #expect(try folder.read("out/1000.jpg") == expected)
            #expect(try await gallery.get("/api/gallery")?.text.contains(file.path) == true)
            let files = folder.files().filter { !$0.hasPrefix("out/") && $0 != "film.cube" }
            #expect(files == before)
        }
    }

    @Test func equalNamesAreToldApart() async throws {
        try await withGallery(0, prepare: { try $0.write(FirstBytes.text, to: "in/x.txt") }) { gallery, _ in
            func path(_ bytes: [UInt8]) async throws -> String {
                try #require(try await send(bytes, "a.cube", to: gallery)).json(File.self).path
            }
            let other = Self.table + Array("# another\n".utf8)
            let paths = [try await path(Self.table), try await path(other), try await path(Self.table)]
            #expect(paths == ["uploaded/a.cube", "uploaded/a-2.cube", "uploaded/a.cube"])
            #expect(gallery.gallery.uploads.contents.count == 2)
        }
    }

    @Test(arguments: [
        ("a.cube", "no table"), ("a.png", "no picture"), ("a.exe", "MZ"), (".cube", "x"), ("", "x"),
        ("..%2F..%2Fetc%2Fpasswd", "x"), ("%FF.cube", "x"),
    ])
    func whatFiltersCannotReadIsRefused(name: String, text: String) async throws {
        try await withGallery(0, prepare: { try $0.write(FirstBytes.text, to: "in/x.txt") }) { gallery, _ in
            let answer = try await send(Array(text.utf8), name, to: gallery)
            #expect([404, 422].contains(answer?.status ?? 0), "\(answer?.text ?? "")")
            #expect(gallery.gallery.uploads.contents.isEmpty)
        }
    }

    @Test func namesBecomeNoPaths() throws {
        let uploads = Uploads()
        for name in ["../../a.cube", "C:\\b\\a.cube", "/etc/a.cube"] {
            #expect(try uploads.path(for: name, [1], taken: []) == "uploaded/a.cube")
        }
        #expect(try uploads.path(for: "ä+b,c%:d#1.CUBE", [1], taken: []) == "uploaded/__b_c__d_1.cube")
        let long = String(repeating: "a", count: 5000) + ".png"
        #expect(try uploads.path(for: long, [1], taken: []).utf8.count < 200)
    }

    @Test func theyAreLimited() async throws {
        let uploads = Uploads()
        try uploads.add([UInt8](repeating: 1, count: Uploads.byteLimit), at: "uploaded/a.cube")
        #expect(throws: GalleryError.self) { try uploads.add([1], at: "uploaded/b.cube") }
        try uploads.add([1], at: "uploaded/a.cube")
        for number in 1..<Uploads.countLimit { try uploads.add([1], at: "uploaded/\(number).cube") }
        #expect(throws: GalleryError.self) { try uploads.add([1], at: "uploaded/b.cube") }
    }

    /// Who has not opened the printed address cannot make the server keep more than a small request.
    @Test func onlyThePageMaySendMuch() async throws {
        try await withGallery(0, prepare: { try $0.write(FirstBytes.text, to: "in/x.txt") }) { gallery, _ in
            let much =
                Self.table + [UInt8](repeating: UInt8(ascii: "\n"), count: 2 * HTTPConnection.bodyLimit)
            #expect(try await send(much, "a.cube", to: gallery)?.status == 200)
            for headers in [["Cookie": "x=y"], ["Origin": "http://elsewhere"]] {
                let answer = try await send(much, "b.cube", to: gallery, headers: headers)
                #expect(answer?.status == 413, "\(answer?.text ?? "")")
            }
            let type = ["Content-Type": "text/plain"]
            #expect(try await send(Self.table, "b.cube", to: gallery, headers: type)?.status == 415)
            let tooMuch = [UInt8](repeating: UInt8(ascii: "\n"), count: Uploads.fileLimit + 1)
            #expect(try await send(tooMuch, "c.cube", to: gallery)?.status == 413)
            #expect(gallery.gallery.uploads.contents.count == 1)
        }
    }
}
