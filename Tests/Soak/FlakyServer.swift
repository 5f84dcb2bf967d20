import Foundation
import TestSupport
import TintypeFiles
import TintypeLocking

/// A server on 127.0.0.1 that sends photos of the stock, and fails at random.
struct FlakyServer {
    let server: FaultServer

    /// A fault depends on the seed, the address and how often it was asked for, not on the order of requests.
    init(_ photos: [PhotoStock.Photo], seed: UInt64) throws {
        let asked = Asked()
        server = try FaultServer { request, connection in
            let index = Int(request.target.split(separator: "/").first ?? "") ?? 0
            let photo = photos[index].bytes
            var random = SeededGenerator(
                seed: seed ^ UInt64(truncatingIfNeeded: ContentHash.number(of: request.target))
                    &+ UInt64(asked.count(of: request.target)))
            let length = "Content-Length: \(photo.count)\r\n"
            switch Int.random(in: 0..<40, using: &random) {
            case 0: return connection.respond(404)
            case 1...3: return connection.respond(503)
            case 4...6:
                connection.send("HTTP/1.1 200 OK\r\nETag: \"a\"\r\n\(length)\r\n")
                connection.send(Array(photo.prefix(photo.count / 2)))
                return .close
            case 7...9:
                connection.reset()
                return .close
            case 10...12: usleep(20_000)
            default: break
            }
            return connection.respond(200, ["ETag: \"a\""], body: photo)
        }
    }
}

/// How often each address was asked for.
private final class Asked: Sendable {
    private let counts = Locked<[String: Int]>([:])

    func count(of target: String) -> Int {
        counts.withLock { counts in
            counts[target, default: 0] += 1
            return counts[target] ?? 0
        }
    }
}
