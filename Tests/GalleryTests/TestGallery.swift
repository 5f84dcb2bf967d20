import Foundation
import TestSupport
import Testing
import Tintype

@testable import TintypeGallery

/// A gallery with a server, and a client that has its cookie.
final class TestGallery: Sendable {
    let gallery: Gallery
    let server: GalleryServer
    let cookie: String

    /// - Parameters:
    ///   - photos: files or addresses.
    ///   - fileFolder: as in `Gallery.Settings`.
    init(
        _ inputs: [String], chain: String = "noir", fileFolder: String = "", output: String? = nil,
        overwrites: Bool = false,
        downloader: PhotoDownloader? = nil, key: DecryptionKey? = nil,
        starsPath: String? = nil,
        makeDevices: (@Sendable (_ device: String, FilterChain) throws -> DevicePool)? = nil
    ) async throws {
        var settings = Gallery.Settings(
            title: "test",
            chain: try FilterChain(
                parsing: chain.isEmpty ? [] : [chain], reading: FilterFiles(in: [fileFolder])))
        settings.fileFolder = fileFolder
        settings.device = "cpu"
        settings.saveFolders = [output ?? "filtered"]
        settings.overwrites = overwrites
        settings.downloader = downloader
        settings.key = key
        settings.starsPath = starsPath
        if let makeDevices { settings.makeDevices = makeDevices }
        gallery = try Gallery(settings, on: .makePrivate())
        server = try await GalleryServer(gallery, port: 0)
        var collector = InputCollector(outputFolder: output)
        collector.collect(try inputs.map { try Input($0) })
        collector.nameEntries()
        gallery.append(collector.photos)
        let client = try Client(port: server.port)
        let token = server.address.split(separator: "=")[1]
        client.send("GET /?token=\(token) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n")
        let answer = try await client.response()
        cookie = String(answer?.headers["set-cookie"]?.split(separator: ";").first ?? "")
    }

    func end() async {
        await server.stop()
        await gallery.end()
    }

    /// The first photos, as the page learns of them.
    func photos() async throws -> [Photo] {
        let count = gallery.photoCount
        let answer = try await get("/api/photos?first=0&count=\(min(count, 1000))")
        return try answer?.json(Photos.self).photos ?? []
    }

    /// The gallery's status once it satisfies a condition; the test fails if it does not.
    @discardableResult
    func status(
        sourceLocation: SourceLocation = #_sourceLocation, until isDone: (StatusMessage) -> Bool
    ) async -> StatusMessage {
        var status = gallery.status
        let isReached = await eventually {
            status = gallery.status
            return isDone(status)
        }
        #expect(isReached, "\(status)", sourceLocation: sourceLocation)
        return status
    }

    /// Saves all photos in the first folder.
    func saveAll(chain: String) async throws -> SaveMessage {
        let answer = try await post("/api/save", #"{"recipe":{"chain":"\#(chain)"},"folder":0}"#)
        try #require(answer?.status == 204, "\(answer?.text ?? "")")
        return try #require(await status { $0.save?.state == .ended }.save)
    }

    /// The photos that an order of the page finds.
    func find(_ order: String) async throws -> [Int] {
        let answer = try #require(try await post("/api/find", order))
        #expect(answer.status == 200, "\(answer.text)")
        return stride(from: 0, to: answer.body.count, by: 4).map { start in
            answer.body[start..<start + 4].reduce(0) { $0 << 8 | Int($1) }
        }
    }

    /// - Parameter page: the name of the page that shows them.
    func show(_ items: Range<Int>, on page: String = "page") async throws {
        _ = try await post(
            "/api/visible", #"{"page":"\#(page)","first":\#(items.lowerBound),"count":\#(items.count)}"#)
    }

    /// Runs a test, and ends the gallery afterwards.
    func use(_ body: (TestGallery) async throws -> Void) async throws {
        do {
            try await body(self)
        } catch {
            await end()
            throw error
        }
        await end()
    }

    var host: String { "127.0.0.1:\(server.port)" }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Client.Response? {
        let client = try Client(port: server.port)
        client.send(head("GET", path, headers))
        return try await client.response()
    }

    /// A photo's thumbnail, or what it was before or is after its filters.
    func picture(
        _ kind: String, of item: Int, version: Int, run: String? = nil, headers: [String: String] = [:]
    ) async throws -> Client.Response? {
        try await get(
            "/api/photos/\(item)/\(kind)?run=\(run ?? gallery.run)&version=\(version)", headers: headers)
    }

    func post(_ path: String, _ body: String, headers: [String: String] = [:]) async throws -> Client
        .Response?
    {
        let client = try Client(port: server.port)
        let own = ["Origin": "http://\(host)", "Content-Type": "application/json"]
        client.send(
            head(
                "POST", path,
                own.merging(["Content-Length": "\(body.utf8.count)"]) { $1 }.merging(headers) { $1 }) + body)
        return try await client.response()
    }

    /// A request's head. A header that is empty is left out.
    func head(_ method: String, _ path: String, _ headers: [String: String] = [:]) -> String {
        let all = ["Host": host, "Cookie": cookie].merging(headers) { $1 }
        let lines = all.filter { !$0.value.isEmpty }.map { "\($0.key): \($0.value)\r\n" }.joined()
        return "\(method) \(path) HTTP/1.1\r\n\(lines)\r\n"
    }
}

/// Photos of a folder `in` in a gallery, which is ended afterwards.
func withGallery(
    _ photoCount: Int, chain: String = "noir", output: Bool = false, overwrites: Bool = false,
    prepare: (TemporaryFolder) throws -> Void = { _ in },
    _ body: (TestGallery, TemporaryFolder) async throws -> Void
) async throws {
    let folder = try TemporaryFolder()
    for index in 0..<photoCount {
        try folder.write(
            try TestPhoto.jpeg(width: 640, height: 480, seed: UInt64(index)), to: "in/\(1000 + index).jpg"
        )
    }
    try prepare(folder)
    let gallery = try await TestGallery(
        [folder.path("in")], chain: chain, output: output ? folder.path("out") : nil, overwrites: overwrites)
    try await gallery.use { try await body($0, folder) }
}

/// What a recipe makes of a photo of the folder `in`.
func apply(_ recipe: Recipe, to name: String, in folder: TemporaryFolder) throws -> [UInt8] {
    let photo = try EncodedImage(path: folder.path("in/\(name)"))
    return try PhotoPipeline(recipe).process(photo, on: SIMDDevice()).image.bytes()
}
