import Glibc
import TintypeLocking

/// The server's end of one connection. All calls block, and return false or nil once the client is gone.
package final class FaultConnection: Sendable {
    private let descriptor: Locked<Int32?>

    init(_ descriptor: Int32) {
        self.descriptor = Locked(descriptor)
    }

    /// Sends a response with its right length.
    @discardableResult
    package func respond(
        _ status: Int = 200, _ headers: [String] = [], body: [UInt8] = []
    ) -> FaultServer.Next {
        send(head(status, headers + ["Content-Length: \(body.count)"])) && send(body) ? .keepAlive : .close
    }

    @discardableResult
    package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

    @discardableResult
    package func send(_ bytes: [UInt8]) -> Bool {
        guard let descriptor = descriptor.withLock({ $0 }) else { return false }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    package func head(_ status: Int, _ headers: [String]) -> String {
        (["HTTP/1.1 \(status) Reason"] + headers).joined(separator: "\r\n") + "\r\n\r\n"
    }

    /// Sends endlessly, until the client closes.
    package func sendForever(_ bytes: [UInt8]) {
        while send(bytes) {}
    }

    /// - Returns: whether the client closed its end; the alternative is that the server was stopped.
    @discardableResult
    package func waitForClient() -> Bool {
        var byte: UInt8 = 0
        guard let descriptor = descriptor.withLock({ $0 }) else { return false }
        while recv(descriptor, &byte, 1, 0) > 0 {}
        return self.descriptor.withLock { $0 } != nil
    }

    /// Closes with a TCP reset in place of an orderly end.
    package func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        descriptor.withLock { descriptor in
            guard let descriptor else { return }
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        }
        close()
    }

    package func close() {
        descriptor.withLock { descriptor in
            if let descriptor { Glibc.close(descriptor) }
            descriptor = nil
        }
    }

    /// Ends every blocked call.
    package func interrupt() {
        descriptor.withLock { descriptor in
            if let descriptor { shutdown(descriptor, Int32(SHUT_RDWR)) }
        }
    }

    /// Reads a request's body; nil if the client goes before its end.
    package func readBody(of request: FaultServer.Request) -> [UInt8]? {
        let count = request.headers["content-length"].flatMap { Int($0) } ?? 0
        if request.headers["expect"] == "100-continue" { send("HTTP/1.1 100 Continue\r\n\r\n") }
        var body = [UInt8](repeating: 0, count: count)
        guard let descriptor = descriptor.withLock({ $0 }) else { return nil }
        var position = 0
        while position < count {
            let number = body.withUnsafeMutableBytes {
                recv(descriptor, $0.baseAddress! + position, count - position, 0)
            }
            guard number > 0 else { return nil }
            position += number
        }
        return body
    }

    /// Up to the empty line.
    func readHead() -> String? {
        var head: [UInt8] = []
        var byte: UInt8 = 0
        guard let descriptor = descriptor.withLock({ $0 }) else { return nil }
        while !head.suffix(4).elementsEqual([13, 10, 13, 10]) {
            guard recv(descriptor, &byte, 1, 0) == 1, head.count < 65_536 else { return nil }
            head.append(byte)
        }
        return String(decoding: head, as: UTF8.self)
    }
}
