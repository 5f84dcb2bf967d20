import CTintypeLibCrypto
import Foundation
import TintypeCryptography
import TintypeLocking

/// A small S3 server on 127.0.0.1, which checks each request's signature and the hash of its body by itself.
package final class S3Server: Sendable {
    package struct Object: Equatable, Sendable {
        package var bytes: [UInt8]
        /// Content-Type and `x-amz-meta-` headers, by lower-case names.
        package var headers: [String: String] = [:]

        package init(_ bytes: [UInt8], headers: [String: String] = [:]) {
            self.bytes = bytes
            self.headers = headers
        }

        package var eTag: String { "\"\(MD5.hash(bytes).hexadecimal)\"" }
    }

    /// A request whose signature was right.
    package struct Request: Sendable {
        package let method: String
        package let bucket: String
        package let key: String
        package let query: [String: String]
        package let headers: [String: String]
        package let body: [UInt8]
        /// Counted from 1.
        package let number: Int
    }

    /// What a test answers in place of the server.
    package enum Fault: Sendable {
        case error(Int, String)
        case answer(Int, [String], [UInt8])
        /// The request is performed, and the connection closed without an answer.
        case lostAnswer
        /// The answer's body ends after so many bytes.
        case cut(Int)
    }

    package typealias Script = @Sendable (Request) -> Fault?

    private struct State {
        var objects: [String: Object] = [:]
        var uploads: [String: Upload] = [:]
        var requests: [Request] = []
        var refusals: [String] = []
    }

    private struct Upload {
        let key: String
        let headers: [String: String]
        var parts: [Int: [UInt8]] = [:]
    }

    package static let accessKey = "AKIATEST", secretKey = "a/Secret+Key", token = "The+Token=="
    package static let bucket = "photos"
    /// Variables that let a program use the server.
    package var environment: [String: String] {
        [
            "AWS_ACCESS_KEY_ID": Self.accessKey, "AWS_SECRET_ACCESS_KEY": Self.secretKey,
            "AWS_SESSION_TOKEN": Self.token, "AWS_REGION": "eu-test-1", "AWS_ENDPOINT_URL_S3": endpoint,
        ]
    }

    private let server: Locked<FaultServer?>
    private let state = Locked(State())
    private let script: Script
    private let pageLength: Int
    /// How a listing writes the quotes of an ETag.
    private let quote: String

    /// - Parameters:
    ///   - pageLength: objects in one answer of a listing.
    ///   - quote: how a listing writes the quotes of an ETag.
    ///   - script: asked before each request.
    package init(
        pageLength: Int = 1000, quote: String = "&quot;", _ script: @escaping Script = { _ in nil }
    ) throws {
        self.script = script
        self.pageLength = pageLength
        self.quote = quote
        server = Locked(nil)
        let own = try FaultServer { [weak self] request, connection in
            self?.serve(request, connection) ?? .close
        }
        server.withLock { $0 = own }
    }

    package var endpoint: String { "http://127.0.0.1:\(server.withLock { $0?.port ?? 0 })" }
    package var objects: [String: Object] { state.withLock { $0.objects } }
    package var requests: [Request] { state.withLock { $0.requests } }
    /// Why requests were refused; empty if all signatures were right.
    package var refusals: [String] { state.withLock { $0.refusals } }
    package var unfinishedUploadCount: Int { state.withLock { $0.uploads.count } }

    package func put(_ bytes: [UInt8], at key: String) {
        state.withLock { $0.objects[key] = Object(bytes) }
    }

    package func change(_ key: String, _ body: (inout Object?) -> Void) {
        var object = state.withLock { $0.objects[key] }
        body(&object)
        state.withLock { [object] in $0.objects[key] = object }
    }

    package func stop() { server.withLock { $0 }?.stop() }

    private func serve(_ http: FaultServer.Request, _ connection: FaultConnection) -> FaultServer.Next {
        guard let body = connection.readBody(of: http) else { return .close }
        let target = S3Target(http.target)
        if let refusal = S3Signature(http, target, body).refusal {
            state.withLock { $0.refusals.append("\(http.method) \(http.target): \(refusal)") }
            return answer(.error(403, "SignatureDoesNotMatch"), http, connection)
        }
        let request = state.withLock { state in
            let request = Request(
                method: http.method, bucket: target.bucket, key: target.key, query: target.query,
                headers: http.headers, body: body, number: state.requests.count + 1)
            state.requests.append(request)
            return request
        }
        let fault = script(request)
        switch fault {
        case .error?, .answer?: return answer(fault!, http, connection)
        case .lostAnswer?:
            _ = perform(request)
            return .close
        case .cut(let count)?:
            guard case .answer(let status, let headers, let bytes) = perform(request) else { return .close }
            connection.send(connection.head(status, headers + ["Content-Length: \(bytes.count)"]))
            connection.send(Array(bytes.prefix(count)))
            return .close
        case nil: return answer(perform(request), http, connection)
        }
    }

    private func answer(
        _ answer: Fault, _ http: FaultServer.Request, _ connection: FaultConnection
    ) -> FaultServer.Next {
        var (status, headers, bytes): (Int, [String], [UInt8])
        switch answer {
        case .error(let code, let name):
            let text = "<?xml version=\"1.0\"?><Error><Code>\(name)</Code><Message>No.</Message></Error>"
            (status, headers, bytes) = (code, ["Content-Type: application/xml"], Array(text.utf8))
        case .answer(let code, let fields, let body): (status, headers, bytes) = (code, fields, body)
        case .lostAnswer, .cut: return .close
        }
        headers.append("Content-Length: \(bytes.count)")
        let isSent =
            connection.send(connection.head(status, headers))
            && (http.method == "HEAD" || connection.send(bytes))
        return isSent ? .keepAlive : .close
    }

    private func perform(_ request: Request) -> Fault {
        guard request.bucket == Self.bucket else { return .error(404, "NoSuchBucket") }
        if request.key.isEmpty {
            return request.method == "HEAD" ? .answer(200, [], []) : list(request)
        }
        switch request.method {
        case "GET", "HEAD": return read(request)
        case "PUT" where request.query["uploadId"] != nil: return putPart(request)
        case "PUT": return write(request.key, request.body, request.headers, request)
        case "POST" where request.query["uploads"] != nil: return beginUpload(request)
        case "POST": return completeUpload(request)
        case "DELETE":
            state.withLock { $0.uploads[request.query["uploadId"] ?? ""] = nil }
            return .answer(204, [], [])
        default: return .error(405, "MethodNotAllowed")
        }
    }

    private func list(_ request: Request) -> Fault {
        let prefix = request.query["prefix"] ?? ""
        let after = request.query["continuation-token"].map { String($0.dropFirst("after ".count)) } ?? ""
        let all = objects.filter { $0.key.hasPrefix(prefix) && $0.key > after }.sorted { $0.key < $1.key }
        let page = all.prefix(pageLength)
        var text = "<?xml version=\"1.0\"?><ListBucketResult><EncodingType>url</EncodingType>"
        text += "<IsTruncated>\(all.count > page.count)</IsTruncated>"
        if all.count > page.count, let last = page.last {
            text +=
                "<NextContinuationToken>after \(last.key.replacing("&", with: "&amp;"))</NextContinuationToken>"
        }
        for (key, object) in page {
            text +=
                "<Contents><Key>\(S3Target.encode(key, keeping: "/"))</Key><Size>\(object.bytes.count)</Size>"
            let eTag = object.eTag.replacing("\"", with: quote)
            text += "<ETag>\(eTag)</ETag>"
            text += "<LastModified>2026-01-02T03:04:05.678Z</LastModified></Contents>"
        }
        return .answer(200, [], Array("\(text)</ListBucketResult>".utf8))
    }

    private func read(_ request: Request) -> Fault {
        guard let object = objects[request.key] else { return .error(404, "NoSuchKey") }
        let headers = ["ETag: \(object.eTag)"] + object.headers.map { "\($0.key): \($0.value)" }
        guard let range = request.headers["range"], request.headers["if-range"] == object.eTag,
            let first = Int(range.dropFirst("bytes=".count).dropLast())
        else { return .answer(200, headers, object.bytes) }
        let count = object.bytes.count
        return .answer(
            206, headers + ["Content-Range: bytes \(first)-\(count - 1)/\(count)"],
            Array(object.bytes[first...]))
    }

    private func write(
        _ key: String, _ bytes: [UInt8], _ headers: [String: String], _ request: Request
    ) -> Fault {
        if request.headers["if-none-match"] == "*", objects[key] != nil {
            return .error(412, "PreconditionFailed")
        }
        let kept = headers.filter { $0.key.hasPrefix("x-amz-meta-") || $0.key == "content-type" }
        let object = Object(bytes, headers: kept)
        state.withLock { $0.objects[key] = object }
        return .answer(200, ["ETag: \(object.eTag)"], [])
    }

    private func beginUpload(_ request: Request) -> Fault {
        let id = "upload \(request.number)"
        state.withLock { $0.uploads[id] = Upload(key: request.key, headers: request.headers) }
        let text = "<InitiateMultipartUploadResult><UploadId>\(id)</UploadId></InitiateMultipartUploadResult>"
        return .answer(200, [], Array(text.utf8))
    }

    private func putPart(_ request: Request) -> Fault {
        let known = state.withLock { state in
            state.uploads[request.query["uploadId"] ?? ""]?.parts[
                Int(request.query["partNumber"] ?? "") ?? 0] =
                request.body
            return state.uploads[request.query["uploadId"] ?? ""] != nil
        }
        return known ? .answer(200, ["ETag: \(Object(request.body).eTag)"], []) : .error(404, "NoSuchUpload")
    }

    private func completeUpload(_ request: Request) -> Fault {
        let id = request.query["uploadId"] ?? ""
        guard let upload = state.withLock({ $0.uploads[id] }) else { return .error(404, "NoSuchUpload") }
        let parts = upload.parts.sorted { $0.key < $1.key }
        let list = String(decoding: request.body, as: UTF8.self)
        for (number, bytes) in parts {
            let expected = "<Part><PartNumber>\(number)</PartNumber><ETag>\(Object(bytes).eTag)</ETag></Part>"
            guard list.contains(expected) else { return .error(400, "InvalidPart") }
        }
        let written = write(upload.key, parts.flatMap(\.value), upload.headers, request)
        guard case .answer(let status, let headers, _) = written else { return written }
        state.withLock { $0.uploads[id] = nil }
        let text = "<?xml version=\"1.0\"?><CompleteMultipartUploadResult></CompleteMultipartUploadResult>"
        return .answer(status, headers, Array(text.utf8))
    }
}

/// A request's target, decoded.
struct S3Target {
    let path: String
    let bucket: String
    let key: String
    let query: [String: String]

    init(_ target: String) {
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        path = String(halves[0])
        let parts = path.dropFirst().split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        bucket = parts[0].removingPercentEncoding ?? ""
        key = parts.count > 1 ? parts[1].removingPercentEncoding ?? "" : ""
        let items = halves.count > 1 ? halves[1].split(separator: "&") : []
        query = Dictionary(
            items.map { item in
                let pair = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                    .map { $0.removingPercentEncoding ?? "" }
                return (pair[0], pair.count > 1 ? pair[1] : "")
            }, uniquingKeysWith: { first, _ in first })
    }

    static func encode(_ text: String, keeping others: String = "") -> String {
        let plain = CharacterSet(
            charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~" + others)
        return text.addingPercentEncoding(withAllowedCharacters: plain) ?? ""
    }
}

/// Signature Version 4, computed from the request.
///
/// Source: AWS Identity and Access Management User Guide, "Create a signed AWS API request".
private struct S3Signature {
    /// Why the request is refused; nil if it is right.
    let refusal: String?

    init(_ request: FaultServer.Request, _ target: S3Target, _ body: [UInt8]) {
        refusal = Self.refusal(of: request, target, body)
    }

    private static func refusal(
        of request: FaultServer.Request, _ target: S3Target, _ body: [UInt8]
    ) -> String? {
        let headers = request.headers
        guard let authorization = headers["authorization"], authorization.hasPrefix("AWS4-HMAC-SHA256 "),
            let date = headers["x-amz-date"], let hash = headers["x-amz-content-sha256"]
        else { return "it is not signed" }
        guard hash == SHA256.hash(body).hexadecimal else { return "the body has another hash" }
        guard headers["x-amz-security-token"] == S3Server.token else { return "it has no token" }
        let fields = Dictionary(
            authorization.dropFirst("AWS4-HMAC-SHA256 ".count).split(separator: ",").compactMap {
                field -> (String, String)? in
                let pair = field.split(separator: "=", maxSplits: 1)
                guard pair.count == 2 else { return nil }
                return (pair[0].trimmingCharacters(in: .whitespaces), String(pair[1]))
            }, uniquingKeysWith: { first, _ in first })
        let names = fields["SignedHeaders"]?.split(separator: ";").map(String.init) ?? []
        guard names == names.sorted() else { return "the signed headers are in no order" }
        let unsigned = headers.keys.filter {
            ($0.hasPrefix("x-amz-") || $0 == "host") && !names.contains($0)
        }
        guard unsigned.isEmpty else { return "\(unsigned) are not signed" }
        let query = target.query.map { (S3Target.encode($0.key), S3Target.encode($0.value)) }
            .sorted { $0 < $1 }.map { "\($0.0)=\($0.1)" }.joined(separator: "&")
        // What was sent is encoded anew, so that a path in another encoding is refused.
        let path = S3Target.encode(target.path.removingPercentEncoding ?? "", keeping: "/")
        let canonical =
            [request.method, path, query]
            + names.map { "\($0):\(headers[$0] ?? "")" } + ["", names.joined(separator: ";"), hash]
        let scope = "\(date.prefix(8))/eu-test-1/s3/aws4_request"
        guard fields["Credential"] == "\(S3Server.accessKey)/\(scope)" else { return "it has another scope" }
        let text = [
            "AWS4-HMAC-SHA256", date, scope,
            SHA256.hash(canonical.joined(separator: "\n")).hexadecimal,
        ].joined(separator: "\n")
        var key = Array("AWS4\(S3Server.secretKey)".utf8)
        for part in scope.split(separator: "/") { key = authenticationCode(of: String(part), key: key) }
        let signature = authenticationCode(of: text, key: key)
        return fields["Signature"] == signature.hexadecimal ? nil : "the signature is wrong"
    }

    /// HMAC with SHA-256.
    private static func authenticationCode(of text: String, key: [UInt8]) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: 32) { code, count in
            EVP_Q_mac(
                nil, "HMAC", nil, "SHA256", nil, key, key.count, text, text.utf8.count, code.baseAddress,
                code.count, &count)
        }
    }
}

extension Sequence<UInt8> {
    package var hexadecimal: String { map { String(format: "%02x", $0) }.joined() }
}
