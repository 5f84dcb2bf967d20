import NIOHTTP1
import Tintype

/// A request whose body has arrived.
struct HTTPRequest: Sendable {
    let method: HTTPMethod
    /// The path and the query, undecoded.
    let path: String
    let query: [String: String]
    let headers: HTTPHeaders
    let body: [UInt8]

    init(_ head: HTTPRequestHead, body: [UInt8]) {
        method = head.method
        headers = head.headers
        self.body = body
        let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(parts.first ?? "")
        var query: [String: String] = [:]
        for pair in parts.dropFirst().first?.split(separator: "&") ?? [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            query[String(sides[0])] = sides.count > 1 ? String(sides[1]) : ""
        }
        self.query = query
    }

    /// The value of a header that occurs once; nil if it is missing or ambiguous.
    func header(_ name: String) -> String? {
        let values = headers[name]
        return values.count == 1 ? values[0] : nil
    }

    /// The value of a cookie.
    func cookie(_ name: String) -> String? {
        for pair in headers["cookie"].flatMap({ $0.split(separator: ";") }) {
            let sides = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
            if sides.count == 2, sides[0] == name { return String(sides[1]) }
        }
        return nil
    }
}

/// A response, whose body may be made while it is sent.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Each call gives the next bytes; nil ends the body. `byteCount` is nil if it is not known before.
        case stream(byteCount: Int?, next: @Sendable () async throws -> [UInt8]?)
    }

    var status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: Body

    init(_ status: HTTPResponseStatus, headers: HTTPHeaders = [:], body: Body = .bytes([])) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// A refusal, with one sentence that a user can act on.
    static func error(_ status: HTTPResponseStatus, _ message: String) -> HTTPResponse {
        .json(ErrorMessage(error: message), status)
    }

    static func json(_ value: some Encodable, _ status: HTTPResponseStatus = .ok) -> HTTPResponse {
        HTTPResponse(
            status, headers: ["content-type": "application/json"], body: .bytes(Array(value.jsonText().utf8)))
    }
}

private struct ErrorMessage: Encodable {
    let error: String
}
