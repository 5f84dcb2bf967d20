import Foundation
import NIOHTTP1
import Tintype

/// Answers the requests of the page. Nothing of a request ever becomes a path of the file system.
struct Routes: Sendable {
    private let gallery: Gallery
    private let access: AccessControl

    init(_ gallery: Gallery, _ access: AccessControl) {
        self.gallery = gallery
        self.access = access
    }

    /// Takes the bytes of a file, whose `name` is in the query.
    static let uploadPath = "/api/files"

    /// The most bytes of a request's body, by its head: only who may send a file may send much.
    func bodyLimit(_ head: HTTPRequestHead) -> Int {
        let request = HTTPRequest(head, body: [])
        let mayUpload = request.path == Self.uploadPath && access.answer(to: request) == nil
        return mayUpload ? Uploads.fileLimit : HTTPConnection.bodyLimit
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        if let answer = access.answer(to: request) { return answer }
        do {
            return request.method == .POST ? try await post(request) : try await get(request)
        } catch let refusal as Refusal {
            return refusal.response
        } catch is DecodingError {
            return .error(.badRequest, "The request is not the JSON that this address takes.")
        } catch {
            return .error(.unprocessableEntity, "\(error)")
        }
    }

    private struct Refusal: Error {
        let response: HTTPResponse

        static let notFound = Refusal(response: .error(.notFound, "There is nothing at this address."))
    }

    // MARK: GET

    private func get(_ request: HTTPRequest) async throws -> HTTPResponse {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch Array(parts) {
        case ["api", "gallery"]: return .json(try await gallery.message())
        case ["api", "recipe"]: return .json(gallery.recipeMessage)
        case ["api", "photos"]:
            let first = try number(request.query["first"], in: 0...gallery.photoCount)
            let count = try number(request.query["count"], in: 0...1000)
            return .json(gallery.photos(first..<min(first + count, gallery.photoCount)))
        case ["api", "events"]:
            let feed = EventFeed(
                gallery, after: request.header("last-event-id").flatMap { Int($0) },
                of: try pageName(request.query["page"]))
            return HTTPResponse(
                .ok, headers: ["content-type": "text/event-stream"],
                body: .stream(byteCount: nil) { try await feed.next() })
        case let parts
        where parts.count == 4 && parts[0] == "api" && parts[1] == "photos" && parts[3] == "recipe":
            return .json(gallery.recipeMessage(of: try item(parts[2])))
        case let parts where parts.count == 4 && parts[0] == "api" && parts[1] == "photos":
            return try await picture(parts[3], of: try item(parts[2]), request)
        case let parts where parts.count == 1:
            guard let file = WebFile.named(parts[0].isEmpty ? "index.html" : String(parts[0])) else {
                throw Refusal.notFound
            }
            return HTTPResponse(.ok, headers: ["content-type": file.type], body: .bytes(file.bytes))
        default: throw Refusal.notFound
        }
    }

    private func picture(
        _ name: Substring, of item: Int, _ request: HTTPRequest
    ) async throws -> HTTPResponse {
        guard let kind = Gallery.Picture(rawValue: String(name)) else { throw Refusal.notFound }
        guard request.query["run"] == gallery.run else { throw Refusal.notFound }
        let version = try number(request.query["version"], in: 0...Int(UInt32.max))
        let tag = "\"\(gallery.run)-\(item)-\(version)-\(kind.rawValue)\""
        let headers: HTTPHeaders = ["cache-control": "private, max-age=31536000, immutable", "etag": tag]
        guard let picture = try await gallery.picture(kind, of: item, version: version) else {
            throw Refusal.notFound
        }
        if request.header("if-none-match") == tag { return HTTPResponse(.notModified, headers: headers) }
        return HTTPResponse(
            .ok, headers: headers.adding("content-type", picture.format.mediaType), body: picture.body)
    }

    // MARK: POST

    private func post(_ request: HTTPRequest) async throws -> HTTPResponse {
        let parts = request.path.split(separator: "/", omittingEmptySubsequences: false).dropFirst()
        switch Array(parts) {
        case ["api", "visible"]:
            let message: VisibleRequest = try decode(request)
            let first = min(max(message.first ?? 0, 0), gallery.photoCount)
            let count = min(max(message.count ?? 0, 0), Gallery.visibleLimit, gallery.photoCount - first)
            let items = message.items.map(known) ?? Array(first..<(first + count))
            gallery.show(Set(items), on: try pageName(message.page))
        case ["api", "photos"]:
            let message: PhotosRequest = try decode(request)
            return .json(gallery.photos(known(message.items)))
        case ["api", "find"]:
            let found = try await gallery.find(try decode(request))
            return HTTPResponse(
                .ok, headers: ["content-type": "application/octet-stream"],
                body: .bytes(found.flatMap { withUnsafeBytes(of: UInt32($0).bigEndian) { Array($0) } }))
        case ["api", "session"]:
            let message: SessionRequest = try decode(request)
            gallery.perform(message.action)
        case ["api", "recipe"]:
            let message: RecipeRequest = try decode(request)
            return .json(try await gallery.change(chain: message.chain, device: message.device))
        case ["api", "files"]:
            guard let name = request.query["name"]?.removingPercentEncoding else { throw Refusal.notFound }
            return .json(try await gallery.upload(request.body, named: name))
        case ["api", "save"]: try await gallery.save(try decode(request))
        case ["api", "save", "folders"]:
            let message: SaveRequest = try decode(request)
            return .json(try await gallery.saveFolders(for: message))
        case ["api", "save", "action"]:
            let message: SaveActionRequest = try decode(request)
            gallery.perform(message.action)
        case ["api", "preferences"]:
            let message: PreferenceRequest = try decode(request)
            try await gallery.threads.runIfActive { [gallery] in
                try gallery.preferences.set(message.name, message.text)
            }
        case ["api", "stars"]: try await gallery.give(try decode(request))
        case ["api", "stars", "unwritten"]: return .json(try await gallery.starsToWrite())
        case ["api", "stars", "write"]: return .json(try await gallery.writeStars())
        case ["api", "looks"]:
            let message: LooksRequest = try decode(request)
            let photos = message.photos.prefix(Gallery.lookLimit).filter { 0..<gallery.photoCount ~= $0 }
            return HTTPResponse(
                .ok, headers: ["content-type": "application/octet-stream", "cache-control": "no-store"],
                body: framed(try gallery.looks(of: photos, longSide: message.longSide, chain: message.chain)))
        case let parts where parts.count == 4 && parts[0] == "api" && parts[1] == "photos":
            let item = try item(parts[2])
            switch parts[3] {
            case "retry": gallery.retry(item)
            case "recipe":
                let message: OwnRequest = try decode(request)
                return .json(try await gallery.change(chainOf: item, to: message.chain))
            case "file": return try await file(of: item, try decode(request))
            case "open":
                let message: OpenRequest = try decode(request)
                gallery.open(item, on: try pageName(message.page))
            default: throw Refusal.notFound
            }
        default: throw Refusal.notFound
        }
        return HTTPResponse(.noContent)
    }

    /// A photo as it would be saved, with its name as in RFC 6266.
    private func file(of item: Int, _ request: FileRequest) async throws -> HTTPResponse {
        let file = try await gallery.file(of: item, request)
        let name = file.name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "photo"
        return HTTPResponse(
            .ok,
            headers: [
                "content-type": file.data.format.mediaType,
                "content-disposition": "attachment; filename*=UTF-8''\(name)",
            ], body: file.data.body)
    }

    /// Of each picture its photo's number, the size of the whole photo, and the numbers of bytes of `Looks.Picture.rough` and of its
    /// file, as big-endian words of 32 bits; then these.
    private func framed(_ pictures: AsyncStream<Looks.Picture>) -> HTTPResponse.Body {
        let frames = FrameReader(pictures)
        return .stream(byteCount: nil) { await frames.next() }
    }

    private func decode<Message: Decodable>(_ request: HTTPRequest) throws -> Message {
        try JSONDecoder().decode(Message.self, from: Data(request.body))
    }

    /// Those of a page's photos that there are, up to the limit.
    private func known(_ items: [Int]) -> [Int] {
        items.prefix(Gallery.visibleLimit).filter { 0..<gallery.photoCount ~= $0 }
    }

    private func item(_ text: Substring) throws -> Int {
        guard gallery.photoCount > 0 else { throw Refusal.notFound }
        return try number(String(text), in: 0...(gallery.photoCount - 1))
    }

    /// The name that a page has given itself: any short text.
    private func pageName(_ text: String?) throws -> String? {
        guard text?.utf8.count ?? 0 <= 64 else {
            throw Refusal(response: .error(.badRequest, "A page's name has at most 64 bytes."))
        }
        return text
    }

    /// A number of decimal digits.
    private func number(_ text: String?, in range: ClosedRange<Int>) throws -> Int {
        guard let text, text.allSatisfy(\.isASCII), text.allSatisfy(\.isNumber), let number = Int(text),
            range.contains(number)
        else { throw Refusal.notFound }
        return number
    }
}

extension HTTPHeaders {
    fileprivate func adding(_ name: String, _ value: String) -> HTTPHeaders {
        var headers = self
        headers.add(name: name, value: value)
        return headers
    }
}

/// The bytes of pictures, one after the other.
private actor FrameReader {
    private var pictures: AsyncStream<Looks.Picture>.Iterator

    init(_ pictures: AsyncStream<Looks.Picture>) {
        self.pictures = pictures.makeAsyncIterator()
    }

    func next() async -> [UInt8]? {
        var iterator = pictures
        defer { pictures = iterator }
        guard let picture = await iterator.next(isolation: self) else { return nil }
        let names = Array(picture.rough.utf8)
        let head = [picture.item, picture.width, picture.height, names.count, picture.bytes.count]
        return head.flatMap { number in withUnsafeBytes(of: UInt32(number).bigEndian) { Array($0) } }
            + names + picture.bytes
    }
}
