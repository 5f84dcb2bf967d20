import Foundation
import Glibc

/// An HTTP client that sends exactly the bytes that a test wants.
final class Client {
    struct Response {
        let status: Int
        /// Names in lower case.
        let headers: [String: String]
        let body: [UInt8]

        var text: String { String(decoding: body, as: UTF8.self) }

        func json<Value: Decodable>(_ type: Value.Type) throws -> Value {
            try JSONDecoder().decode(type, from: Data(body))
        }
    }

    struct Failure: Error {
        let reason: String
    }

    private let socket: Int32
    private var received: [UInt8] = []

    /// The seconds until a read fails, which only a failing test waits for.
    private static let patience = 120

    init(port: Int) throws {
        socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var limit = timeval(tv_sec: Self.patience, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &limit, socklen_t(MemoryLayout<timeval>.size))
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard connected == 0 else { throw Failure(reason: "cannot connect") }
    }

    deinit { close(socket) }

    func send(_ text: String) { send(Array(text.utf8)) }

    func send(_ bytes: [UInt8]) {
        var sent = 0
        while sent < bytes.count {
            let count = bytes[sent...].withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
            }
            if count <= 0 { return }  // The server has closed; its answer is still to be read.
            sent += count
        }
    }

    /// Reads more bytes, on a thread of its own: the server in this process needs the threads of Swift's tasks.
    ///
    /// - Returns: false at the end of the connection.
    private func readMore() async throws -> Bool {
        let socket = socket
        let bytes: [UInt8] = try await withCheckedThrowingContinuation { continuation in
            Thread.detachNewThread {
                var buffer = [UInt8](repeating: 0, count: 1 << 16)
                let count = recv(socket, &buffer, buffer.count, 0)
                if count < 0, errno == EAGAIN {
                    continuation.resume(throwing: Failure(reason: "no answer in time"))
                } else {
                    continuation.resume(returning: Array(buffer.prefix(max(0, count))))
                }
            }
        }
        received += bytes
        return !bytes.isEmpty
    }

    /// Reads until `end`, and removes and returns what is before it; nil if the connection ends first.
    func read(until end: String) async throws -> String? {
        let end = Array(end.utf8)
        while true {
            if let range = received.firstRange(of: end) {
                let text = String(decoding: received[..<range.lowerBound], as: UTF8.self)
                received.removeSubrange(..<range.upperBound)
                return text
            }
            if try await !readMore() { return nil }
        }
    }

    /// The next response; nil if the server has closed the connection.
    func response(hasBody: Bool = true) async throws -> Response? {
        guard let head = try await read(until: "\r\n\r\n") else { return nil }
        let lines = head.components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count > 1, let status = Int(words[1]) else {
            throw Failure(reason: "no status: \(lines[0])")
        }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let sides = line.split(separator: ":", maxSplits: 1)
            headers[sides[0].lowercased()] =
                sides.count > 1 ? sides[1].trimmingCharacters(in: .whitespaces) : ""
        }
        let body: [UInt8]
        if hasBody, headers["transfer-encoding"] == "chunked", headers["content-type"] != "text/event-stream"
        {
            body = try await readChunks()
        } else {
            body = try await read(hasBody ? Int(headers["content-length"] ?? "0") ?? 0 : 0)
        }
        return Response(status: status, headers: headers, body: body)
    }

    private func read(_ count: Int) async throws -> [UInt8] {
        while received.count < count, try await readMore() {}
        guard received.count >= count else { throw Failure(reason: "the body ends early") }
        defer { received.removeFirst(count) }
        return Array(received[..<count])
    }

    private func readChunks() async throws -> [UInt8] {
        var body: [UInt8] = []
        while let size = try await read(until: "\r\n") {
            guard let count = Int(size, radix: 16) else { throw Failure(reason: "no chunk: \(size)") }
            body += try await read(count)
            _ = try await read(until: "\r\n")
            if count == 0 { return body }
        }
        throw Failure(reason: "the body ends early")
    }
}
