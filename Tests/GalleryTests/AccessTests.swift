import Foundation
import NIOHTTP1
import TestSupport
import Testing

@testable import TintypeGallery

/// Who gets an answer, and who does not.
struct AccessTests {
    private func withGallery(_ body: (TestGallery) async throws -> Void) async throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "a.jpg")
        try await TestGallery([folder.path]).use(body)
    }

    @Test func theTokenBecomesACookieThatScriptsCannotRead() async throws {
        try await withGallery { gallery in
            let token = gallery.server.address.split(separator: "=")[1]
            #expect(token.count == 32)
            let answer = try #require(try await gallery.get("/?token=\(token)", headers: ["Cookie": ""]))
            #expect(answer.status == 303)
            #expect(answer.headers["location"] == "/")
            let cookie = try #require(answer.headers["set-cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"))
            #expect(try await gallery.get("/")?.status == 200)
        }
    }

    @Test func aPageReadsNoFilesButThoseOfTheFirstChain() async throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "a.jpg")
        for name in ["one.cube", "other.cube"] {
            try folder.write(Array("LUT_1D_SIZE 2\n0 0 0\n1 1 0.5\n".utf8), to: name)
        }
        let chain = "lut:file=" + folder.path("one.cube")
        try await TestGallery([folder.path("a.jpg")], chain: chain).use { gallery in
            let other = "lut:file=" + folder.path("other.cube")
            for (text, status) in [(chain + ",intensity=0.5", 200), (other, 422)] {
                let answer = try await gallery.post("/api/recipe", #"{"chain":"\#(text)","device":"cpu"}"#)
                #expect(answer?.status == status, "\(text)")
            }
            #expect(try await gallery.get("/api/gallery")?.text.contains(#""name":"lut""#) == true)
        }
        try await withGallery { gallery in
            let answer = try await gallery.post("/api/recipe", #"{"chain":"\#(chain)","device":"cpu"}"#)
            #expect(answer?.status == 422)
            #expect(try await gallery.get("/api/gallery")?.text.contains(#""files":[]"#) == true)
        }
    }

    /// As `--recipe looks/recipe.json` names it.
    @Test func aTableBesideTheRecipeIsReadWhenThePageChangesTheChain() async throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "a.jpg")
        for name in ["looks/one.cube", "looks/other.cube"] {
            try folder.write(Array("LUT_1D_SIZE 2\n0 0 0\n1 1 0.5\n".utf8), to: name)
        }
        let chain = "lut:file=one.cube", looks = folder.path("looks")
        try await TestGallery([folder.path("a.jpg")], chain: chain, fileFolder: looks).use { gallery in
            for (text, status) in [(chain + ",intensity=0.5", 200), ("lut:file=other.cube", 422)] {
                let answer = try await gallery.post("/api/recipe", #"{"chain":"\#(text)","device":"cpu"}"#)
                #expect(answer?.status == status, "\(text): \(answer?.text ?? "")")
            }
            // The command is for the current folder, the chain for one recipe and another.
            let recipe = gallery.gallery.recipe.withLock { $0 }.message(gallery.gallery.settings)
            #expect(recipe.chain.hasPrefix("lut:file=one.cube#"))
            #expect(recipe.command.contains("lut:file=\(looks)/one.cube#"), "\(recipe.command)")
        }
    }

    @Test func filesFoundBelowTheFoldersAreOfferedAndNoOthers() async throws {
        let folder = try TemporaryFolder()
        try folder.write(try TestPhoto.jpeg(width: 64, height: 48, seed: 1), to: "a.jpg")
        let table = Array("LUT_1D_SIZE 2\n0 0 0\n1 1 0.5\n".utf8)
        for name in ["in/one, two+3.cube", "in/other.cube"] { try folder.write(table, to: name) }
        try await TestGallery([folder.path("a.jpg")], chain: "noir").use { gallery in
            func status(_ name: String) async throws -> Int? {
                let chain = "lut:file=\(folder.path(name))"
                return try await gallery.post("/api/recipe", #"{"chain":"\#(chain)","device":"cpu"}"#)?.status
            }
            #expect(try await status("in/one, two+3.cube") == 422)
            gallery.gallery.offer(filterFiles: [folder.path("in/one, two+3.cube")])
            #expect(try await status("in/one, two+3.cube") == 200)
            #expect(try await status("in/other.cube") == 422)
            let text = try #require(try await gallery.get("/api/gallery")?.text)
            #expect(text.contains("one, two+3.cube") && text.contains(#""isTable":true"#))
        }
    }

    @Test func everyAnswerForbidsFramingSniffingAndInlineScripts() async throws {
        try await withGallery { gallery in
            for path in ["/", "/api/gallery", "/none"] {
                let headers = try #require(try await gallery.get(path)).headers
                #expect(
                    headers["content-security-policy"]?.contains("default-src 'none'; script-src 'self'")
                        == true)
                #expect(headers["content-security-policy"]?.contains("unsafe") == false)
                #expect(headers["x-content-type-options"] == "nosniff")
                #expect(headers["cross-origin-resource-policy"] == "same-origin")
            }
        }
    }

    @Test func othersAreRefused() async throws {
        try await withGallery { gallery in
            let port = gallery.server.port
            let wrong = "tintype-\(port)=\(String(repeating: "0", count: 32))"
            let refused: [[String: String]] = [
                ["Cookie": ""], ["Cookie": wrong], ["Cookie": "tintype-\(port)="], ["Host": "example.com"],
                ["Host": "example.com:\(port)"], ["Host": "127.0.0.1"], ["Host": "127.0.0.1:1"],
                ["Host": "127.0.0.1:\(port).example.com"], ["Host": "[::1]:\(port)"],
            ]
            for headers in refused {
                for path in ["/", "/api/gallery", "/api/photos/0/before?version=1", "/?token=", "/?token=0"] {
                    let answer = try #require(try await gallery.get(path, headers: headers))
                    #expect(answer.status == 403, "\(headers) \(path)")
                    #expect(!answer.text.contains(gallery.cookie.split(separator: "=")[1]))
                }
            }
            let foreign: [[String: String]] = [
                ["Origin": ""], ["Origin": "null"], ["Origin": "http://example.com"],
                ["Origin": "https://127.0.0.1:\(port)"], ["Origin": "http://127.0.0.1:\(port).example.com"],
            ]
            for headers in foreign {
                let answer = try await gallery.post("/api/session", #"{"action":"start"}"#, headers: headers)
                #expect(answer?.status == 403, "\(headers)")
            }
            let form = ["Content-Type": "application/x-www-form-urlencoded"]
            #expect(
                try await gallery.post("/api/session", #"{"action":"start"}"#, headers: form)?.status == 415)
        }
    }

    /// Browsers leave HTTP's own port out of `Host` and `Origin`.
    @Test func atPort80AHostNeedsNoPort() {
        let access = AccessControl(port: 80)
        func status(_ host: String, origin: String) -> HTTPResponseStatus? {
            let headers: HTTPHeaders = [
                "host": host, "origin": origin, "cookie": "tintype-80=\(access.token)",
                "content-type": "application/json",
            ]
            let head = HTTPRequestHead(
                version: .http1_1, method: .POST, uri: "/api/session", headers: headers)
            return access.answer(to: HTTPRequest(head, body: []))?.status
        }
        for host in ["127.0.0.1", "localhost", "127.0.0.1:80", "localhost:80"] {
            #expect(status(host, origin: "http://\(host)") == nil, "\(host)")
            #expect(status(host, origin: "http://example.com") == .forbidden, "\(host)")
        }
        for host in ["", "example.com", "127.0.0.1:8080", "127.0.0.1.example.com"] {
            #expect(status(host, origin: "http://\(host)") == .forbidden, "\(host)")
        }
    }

    @Test func noPathLeadsOutOfThePage() async throws {
        try await withGallery { gallery in
            let steps = [
                "..", "%2e%2e", "%2E.", ".%2e", "..%2f", "%2e%2e%2f", "..%5c", "..\\", "..;", "%252e%252e",
            ]
            let shapes = steps.flatMap { step in
                [
                    "/\(step)/\(step)/\(step)/etc/passwd", "/api/\(step)/\(step)/etc/passwd",
                    "/api/photos/\(step)/before?run=\(gallery.gallery.run)&version=1",
                    "/api/photos/0/\(step)?run=\(gallery.gallery.run)&version=1",
                ]
            }
            #expect(shapes.count == 40)
            for path in shapes + [
                "//etc/passwd", "/etc/passwd", "/file:///etc/passwd", "/gallery.js%00.html", "*",
            ] {
                let status = try await gallery.get(path)?.status
                #expect(status == 404 || status == 400, "\(path): \(status ?? 0)")
            }
        }
    }

    @Test func brokenAndOversizedRequestsAreRefused() async throws {
        try await withGallery { gallery in
            let host = "Host: \(gallery.host)\r\nCookie: \(gallery.cookie)\r\n"
            let long = String(repeating: "a", count: 1 << 20)
            let broken = [
                "GET\r\n\r\n", "GET / HTTP/9.9\r\n\(host)\r\n",
                "GET /\u{0} HTTP/1.1\r\n\(host)\r\n",
                "G@T / HTTP/1.1\r\n\(host)\r\n", "GET / HTTP/1.1\r\n\(host)X\r\n: y\r\n\r\n",
                "GET / HTTP/1.1\r\n\(host)X: \(long)\r\n\r\n", "GET /\(long) HTTP/1.1\r\n\(host)\r\n",
                "POST /api/session HTTP/1.1\r\n\(host)Content-Length: -1\r\n\r\n",
                "POST /api/session HTTP/1.1\r\n\(host)Content-Length: x\r\n\r\n",
                "POST /api/session HTTP/1.1\r\n\(host)Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "POST /api/session HTTP/1.1\r\n\(host)Transfer-Encoding: chunked\r\n\r\nzz\r\n\r\n",
                "\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
            ]
            for request in broken {
                let client = try Client(port: gallery.server.port)
                client.send(request)
                let status = try? await client.response().map(\.status) ?? 400
                #expect((400..<500).contains(status ?? 0), "\(request.prefix(60).debugDescription)")
            }
            let body = #"{"action":""# + String(repeating: "x", count: 70 << 10) + #""}"#
            #expect(try await gallery.post("/api/session", body)?.status == 413)
            for body in ["", "{", "[]", "null", #"{"action":"fly"}"#, #"{"action":7}"#] {
                #expect(try await gallery.post("/api/session", body)?.status == 400, "\(body)")
            }
            for path in [
                "/api/photos?first=-1&count=1", "/api/photos?first=x&count=1",
                "/api/photos?count=5000&first=0",
            ] {
                #expect(try await gallery.get(path)?.status == 404)
            }
            #expect(try await gallery.get("/")?.status == 200, "the server still answers")
        }
    }
}
