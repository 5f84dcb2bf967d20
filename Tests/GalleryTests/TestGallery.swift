import Foundation
import Gallery
import TestSupport
import Tintype

/// A gallery with a server, and a client that has its cookie.
final class TestGallery: Sendable {
    let gallery: Gallery
    let server: GalleryServer
    let cookie: String

    /// - Parameter photos: files or addresses.
    init(
        _ inputs: [String], chain: String = "noir", output: String? = nil, downloader: PhotoDownloader? = nil
    ) async throws {
        var settings = Gallery.Settings(
            title: "test", chain: try FilterChain(parsing: chain.isEmpty ? [] : [chain]))
        settings.device = "cpu"
        settings.output = output
        settings.downloader = downloader
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

    var host: String { "127.0.0.1:\(server.port)" }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> Client.Response? {
        let client = try Client(port: server.port)
        client.send(head("GET", path, headers))
        return try await client.response()
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
