import Dispatch
import NIOCore
import NIOEmbedded
import Tintype
import TintypeGallery
import TintypeLocking

/// A gallery's server, which gets bytes of a fuzzer as a browser's.
final class FuzzedGallery: Sendable {
    private let gallery: Gallery
    private let server: GalleryServer
    private let loop = NIOAsyncTestingEventLoop()
    private let token: [UInt8]
    /// What stands in an input for what the fuzzer cannot know.
    private let marks: [(mark: [UInt8], text: [UInt8])]

    /// - Parameter photos: paths of files.
    init(_ photos: [String]) async throws {
        var settings = Gallery.Settings(title: "fuzzing", chain: try FilterChain(parsing: ["noir"]))
        settings.device = "cpu"
        gallery = try Gallery(settings, on: .makePrivate())
        server = try await GalleryServer(gallery, port: 0)
        let token = String(server.address.split(separator: "=")[1])
        self.token = Array(token.utf8)
        marks = [
            ("@HOST@", "127.0.0.1:\(server.port)"), ("@COOKIE@", "tintype-\(server.port)=\(token)"),
            ("@TOKEN@", token), ("@RUN@", gallery.run),
        ].map { (Array($0.utf8), Array($1.utf8)) }
        var collector = InputCollector(outputFolder: nil)
        collector.collect(try photos.map { try Input($0) })
        collector.nameEntries()
        gallery.append(collector.photos)
    }

    /// Sends bytes on a connection of their own, and reads the first part of an answer.
    ///
    /// `@HOST@`, `@RUN@`, `@COOKIE@` and `@TOKEN@` stand for what the browser of the gallery's user sends. Without one of the
    /// last two, nothing but a refusal may be answered.
    func send(_ bytes: [UInt8]) {
        let answer = wait { [self] in await exchange(filled(bytes)) }
        guard Self.grants.contains(where: { answer.starts(with: Array("HTTP/1.1 \($0)".utf8)) }) else {
            return
        }
        precondition(filled(bytes).firstRange(of: token) != nil, "a request without the token is answered")
    }

    /// The statuses of answers that only the gallery's user gets.
    private static let grants = ["200", "204", "303"]

    /// Bytes with what their marks stand for.
    private func filled(_ bytes: [UInt8]) -> [UInt8] {
        var (result, rest) = ([UInt8](), bytes[...])
        while let start = rest.firstIndex(of: UInt8(ascii: "@")) {
            result += rest[..<start]
            rest = rest[start...]
            if let (mark, text) = marks.first(where: { rest.starts(with: $0.mark) }) {
                result += text
                rest = rest.dropFirst(mark.count)
            } else {
                result.append(rest.removeFirst())
            }
        }
        return result + rest
    }

    /// The channel has no socket: all that was sent has arrived at once, so half a request need not be waited for.
    private func exchange(_ request: [UInt8]) async -> [UInt8] {
        let channel = NIOAsyncTestingChannel(loop: loop)
        try? await loop.executeInContext { [server] in
            try server.admit(channel)
            channel.pipeline.register(promise: nil)
            channel.pipeline.connect(
                to: try SocketAddress(ipAddress: "127.0.0.1", port: server.port), promise: nil)
            channel.pipeline.fireChannelRead(ByteBuffer(bytes: request))
            channel.pipeline.fireChannelReadComplete()
        }
        // Half a request gets no answer.
        let answer =
            server.isResponding
            ? try? await channel.waitForOutboundWrite(as: ByteBuffer.self)
            : try? await channel.readOutbound(as: ByteBuffer.self)
        try? await channel.close()
        await server.waitForResponses()
        return answer.map { Array($0.readableBytesView) } ?? []
    }
}

/// Blocks the thread until an asynchronous call has ended.
func wait<Result: Sendable>(for body: @escaping @Sendable () async -> Result) -> Result {
    let result = Locked<Result?>(nil)
    let done = DispatchSemaphore(value: 0)
    Task.detached {
        let value = await body()
        result.withLock { $0 = value }
        done.signal()
    }
    done.wait()
    return result.withLock { $0! }
}
