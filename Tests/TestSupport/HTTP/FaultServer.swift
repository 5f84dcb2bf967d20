import Foundation
import Glibc
import TintypeLocking

/// An HTTP/1.1 server on 127.0.0.1 that does whatever its handler does: cuts, stalls, lies, resets.
///
/// Each connection has a thread of its own, so a handler may block.
package final class FaultServer: Sendable {
    package struct Request: Sendable {
        package let method: String
        package let target: String
        /// Names in lower case.
        package let headers: [String: String]
        /// Which connection it came on, counted from 1.
        package let connection: Int
        /// Which request of this server it is, counted from 1.
        package let number: Int
    }

    package enum Next {
        case keepAlive, close
    }

    package typealias Handler = @Sendable (Request, FaultConnection) -> Next

    private struct State {
        var requests: [Request] = []
        var connections: [Int: FaultConnection] = [:]
        var connectionCount = 0
        var isStopped = false
    }

    package let port: UInt16
    private let listener: Int32
    private let handler: Handler
    private let state = Locked(State())
    private let threads = DispatchGroup()

    package init(_ handler: @escaping Handler) throws {
        (listener, port) = try boundToLoopback()
        guard listen(listener, 128) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
        self.handler = handler
        startThread { $0.acceptConnections() }
    }

    deinit { close(listener) }

    package var requests: [Request] { state.withLock { $0.requests } }
    package var connectionCount: Int { state.withLock { $0.connectionCount } }

    package func url(_ target: String = "/photo.jpg") -> URL {
        URL(string: "http://127.0.0.1:\(port)\(target)")!
    }

    /// Ends every connection and waits for the threads. Nothing is accepted afterwards.
    package func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return Array(state.connections.values)
        }
        shutdown(listener, Int32(SHUT_RDWR))
        connections.forEach { $0.interrupt() }
        threads.wait()
    }

    private func startThread(_ body: @escaping @Sendable (FaultServer) -> Void) {
        threads.enter()
        Thread.detachNewThread {
            body(self)
            self.threads.leave()
        }
    }

    private func acceptConnections() {
        while true {
            let descriptor = accept(listener, nil, nil)
            if descriptor < 0, errno == EINTR || errno == ECONNABORTED { continue }
            guard descriptor >= 0 else { return }
            _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
            let connection = FaultConnection(descriptor)
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.connectionCount += 1
                state.connections[state.connectionCount] = connection
                return state.connectionCount
            }
            guard let number else { return connection.close() }
            startThread { $0.serve(connection, number) }
        }
    }

    private func serve(_ connection: FaultConnection, _ number: Int) {
        while let head = connection.readHead() {
            let request = record(head, connection: number)
            guard handler(request, connection) == .keepAlive else { break }
        }
        connection.close()
        state.withLock { _ = $0.connections.removeValue(forKey: number) }
    }

    private func record(_ head: String, connection: Int) -> Request {
        let lines = head.components(separatedBy: "\r\n")
        let headers = lines.dropFirst().compactMap { line -> (String, String)? in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
            return (line[..<colon].lowercased(), value)
        }
        let words = lines[0].split(separator: " ")
        return state.withLock { state in
            let request = Request(
                method: String(words[0]), target: words.count > 1 ? String(words[1]) : "",
                headers: Dictionary(headers) { first, _ in first },
                connection: connection, number: state.requests.count + 1)
            state.requests.append(request)
            return request
        }
    }
}

/// A socket that is bound to a port of 127.0.0.1 of the kernel's choice.
///
/// - Parameter sharesPort: whether a socket of another process may listen there, with `SO_REUSEPORT`.
package func boundToLoopback(sharesPort: Bool = false) throws -> (descriptor: Int32, port: UInt16) {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var shares: Int32 = sharesPort ? 1 : 0
    var address = sockaddr_in.loopback
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let option = setsockopt(
        descriptor, SOL_SOCKET, SO_REUSEPORT, &shares, socklen_t(MemoryLayout<Int32>.size))
    let code = withUnsafeMutablePointer(to: &address) { address in
        address.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
            option | bind(descriptor, address, size) | getsockname(descriptor, address, &size)
        }
    }
    guard code == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    return (descriptor, UInt16(bigEndian: address.sin_port))
}

extension sockaddr_in {
    /// 127.0.0.1, at a port of the kernel's choice.
    package static var loopback: sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }
}
