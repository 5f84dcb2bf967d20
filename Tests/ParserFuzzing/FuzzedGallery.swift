import Foundation
import Gallery
import Glibc
import Tintype

/// A gallery's server, which gets bytes of a fuzzer as a browser's.
final class FuzzedGallery: Sendable {
    private let gallery: Gallery
    private let server: GalleryServer

    /// - Parameter photos: paths of files.
    init(_ photos: [String]) async throws {
        var settings = Gallery.Settings(title: "fuzzing", chain: try FilterChain(parsing: ["noir"]))
        settings.device = "cpu"
        gallery = try Gallery(settings, on: .makePrivate())
        server = try await GalleryServer(gallery, port: 0)
        var collector = InputCollector(outputFolder: nil)
        collector.collect(try photos.map { try Input($0) })
        collector.nameEntries()
        try gallery.append(collector.photos)
    }

    /// Sends bytes on a connection of their own, and reads what is answered at once.
    ///
    /// `@HOST@`, `@COOKIE@` and `@TOKEN@` stand for what the browser of the gallery's user sends. Without one of the last
    /// two, nothing but a refusal may be answered.
    func send(_ bytes: [UInt8]) {
        let token = String(server.address.split(separator: "=")[1])
        let request = bytes.replacing(Array("@HOST@".utf8), with: Array("127.0.0.1:\(server.port)".utf8))
            .replacing(Array("@COOKIE@".utf8), with: Array("tintype-\(server.port)=\(token)".utf8))
            .replacing(Array("@TOKEN@".utf8), with: Array(token.utf8))
        let answer = exchange(request)
        guard request.firstRange(of: Array(token.utf8)) == nil else { return }
        for status in ["200", "204", "303"] {
            precondition(
                !answer.starts(with: Array("HTTP/1.1 \(status)".utf8)),
                "a request without the token got \(status)")
        }
    }

    private func exchange(_ request: [UInt8]) -> [UInt8] {
        let socket = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(socket) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(server.port).bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        let connected = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        var error = connected == 0 ? 0 : errno
        if error == EINTR {
            // libFuzzer's timer. The connection is made all the same.
            var events = pollfd(fd: socket, events: Int16(POLLOUT), revents: 0)
            while poll(&events, 1, -1) < 0, errno == EINTR {}
            var size = socklen_t(MemoryLayout.size(ofValue: error))
            getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size)
        }
        precondition(error == 0, "the gallery accepts no connection: \(String(cString: strerror(error)))")
        // A reset frees the port at once; otherwise a second's requests would use up all ports.
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout.size(ofValue: linger)))
        _ = request.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
        // Half a request gets no answer.
        var events = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        guard poll(&events, 1, 5) > 0 else { return [] }
        var buffer = [UInt8](repeating: 0, count: 4096)
        return Array(buffer.prefix(max(0, recv(socket, &buffer, buffer.count, 0))))
    }
}
