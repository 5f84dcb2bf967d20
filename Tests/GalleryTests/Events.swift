import Foundation

/// What the page knows of a photo.
struct Photo: Decodable, Equatable {
    var name: String
    var state: String
    var version: Int
    var error: String?
    var stars: Int
}

struct Photos: Decodable {
    let first: Int
    let photos: [Photo]
}

/// A page's connection for events.
final class Events {
    private let gallery: TestGallery
    private let client: Client
    private(set) var lastID = ""

    /// - Parameter page: the page's name; empty if it has none.
    init(_ gallery: TestGallery, after id: String = "", of page: String = "") async throws {
        self.gallery = gallery
        client = try Client(port: gallery.server.port)
        client.send(
            gallery.head("GET", "/api/events\(page.isEmpty ? "" : "?page=\(page)")", ["Last-Event-ID": id]))
        _ = try await client.response()
    }

    /// The next event; comments are skipped. Chunk sizes lie on lines of their own.
    func next() async throws -> (name: String, data: String)? {
        while let block = try await client.read(until: "\n\n") {
            let lines = block.components(separatedBy: "\n").map {
                $0.trimmingCharacters(in: .whitespaces)
            }
            func field(_ name: String) -> String? {
                lines.first { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
            }
            guard let name = field("event"), let data = field("data") else { continue }
            lastID = field("id") ?? lastID
            return (name, data)
        }
        return nil
    }

    /// Reads events until `isDone` is true of all changes so far: states by photo.
    func states(until isDone: ([Int: [String]]) -> Bool) async throws -> [Int: [String]] {
        var states: [Int: [String]] = [:]
        while !isDone(states), let event = try await next() {
            if event.name == "all" {
                // The page asks for its cells again.
                let all = try await gallery.get("/api/photos?first=0&count=100")?.json(Photos.self)
                for (item, photo) in (all?.photos ?? []).enumerated() {
                    states[item, default: []].append(photo.state)
                }
            }
            guard event.name == "photos" else { continue }
            let message = try JSONSerialization.jsonObject(with: Data(event.data.utf8)) as? [String: Any]
            for change in message?["changes"] as? [[Any]] ?? [] {
                guard let item = change[0] as? Int, let state = change[1] as? String else { continue }
                if states[item]?.last != state { states[item, default: []].append(state) }
            }
        }
        return states
    }
}
