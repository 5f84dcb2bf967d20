import NIOCore
import NIOEmbedded
import TestSupport
import Testing

@testable import TintypeGallery

/// How long connections stay open. Their time passes only when a test says so.
struct ConnectionTimeTests {
    /// How much less than a time limit passes.
    private static let moment = TimeAmount.seconds(1)

    @Test func aConnectionInUseStaysOpenAndAnIdleOneIsClosed() async throws {
        try await TestGallery([]).use { gallery in
            let connection = try await Connection(to: gallery)
            for _ in 1...3 {
                await connection.advance(by: GalleryServer.requestLimit - Self.moment)
                try await connection.send(gallery.head("GET", "/gallery.css"))
                await gallery.server.waitForResponses()
                #expect(try await connection.status == 200)
            }
            await connection.advance(by: GalleryServer.requestLimit - Self.moment)
            #expect(connection.isOpen)
            await connection.advance(by: Self.moment)
            #expect(!connection.isOpen)
        }
    }

    @Test func aRequestThatComesInPartsHasToArriveInTime() async throws {
        try await TestGallery([]).use { gallery in
            let connection = try await Connection(to: gallery)
            let request = gallery.head("GET", "/gallery.css")
            try await connection.send(String(request.prefix(20)))
            await connection.advance(by: GalleryServer.requestLimit - Self.moment)
            #expect(connection.isOpen)
            try await connection.send(String(request.dropFirst(20).prefix(20)))
            await connection.advance(by: Self.moment)
            #expect(!connection.isOpen)
        }
    }

    /// A tunnel may be slow.
    @Test func aFileMayTakeLongerThanARequestIfItsSenderMayUpload() async throws {
        try await TestGallery([]).use { gallery in
            let lines = ["LUT_3D_SIZE 2\n"] + [String](repeating: "0 0 0\n", count: 8)
            for mayUpload in [true, false] {
                let connection = try await Connection(to: gallery)
                let headers = [
                    "Origin": "http://\(gallery.host)", "Content-Type": "application/octet-stream",
                    "Content-Length": "\(lines.joined().utf8.count)",
                    "Cookie": mayUpload ? gallery.cookie : "x=y",
                ]
                try await connection.send(gallery.head("POST", "/api/files?name=a.cube", headers))
                for line in lines where connection.isOpen {
                    try await connection.send(line)
                    await connection.advance(by: GalleryServer.requestLimit - Self.moment)
                }
                await gallery.server.waitForResponses()
                #expect(connection.isOpen == mayUpload)
                #expect(try await (connection.status == 200) == mayUpload)
            }
        }
    }

    @Test func aFeedWithNothingToSendStaysOpen() async throws {
        try await TestGallery([]).use { gallery in
            let connection = try await Connection(to: gallery)
            try await connection.send(gallery.head("GET", "/api/events"))
            #expect(try await connection.receives("event: all"))
            await connection.advance(by: .hours(1))
            #expect(connection.isOpen)
            gallery.gallery.changes.addStatus()
            #expect(try await connection.receives("event: status"))
        }
    }

    @Test func aClientThatTakesNothingIsDisconnectedHoweverSmallTheResponse() async throws {
        try await TestGallery([]).use { gallery in
            let connection = try await Connection(to: gallery, takesWrites: false)
            try await connection.send(gallery.head("GET", "/", ["Cookie": ""]))
            await connection.writes(1)
            await connection.advance(by: GalleryServer.writeLimit - Self.moment)
            #expect(connection.isOpen)
            await connection.advance(by: Self.moment)
            #expect(!connection.isOpen)
        }
    }
}

/// A connection to a gallery's server without a socket.
private final class Connection {
    private let channel = NIOAsyncTestingChannel()
    private let written: AsyncStream<Void>

    init(to gallery: TestGallery, takesWrites: Bool = true) async throws {
        let (written, continuation) = AsyncStream.makeStream(of: Void.self)
        self.written = written
        let server = gallery.server
        try await channel.testingEventLoop.executeInContext { [channel] in
            try server.admit(channel)
            let client = ClientEnd(takesWrites: takesWrites) { continuation.yield() }
            try channel.pipeline.syncOperations.addHandler(client, position: .first)
            channel.pipeline.register(promise: nil)
            channel.pipeline.connect(
                to: try SocketAddress(ipAddress: "127.0.0.1", port: server.port), promise: nil)
        }
    }

    var isOpen: Bool { channel.isActive }

    func advance(by time: TimeAmount) async { await channel.testingEventLoop.advanceTime(by: time) }

    func send(_ text: String) async throws {
        try await channel.testingEventLoop.executeInContext { [channel] in
            channel.pipeline.fireChannelRead(ByteBuffer(string: text))
            channel.pipeline.fireChannelReadComplete()
        }
    }

    /// Waits for some more writes to the client.
    func writes(_ count: Int) async { for await _ in written.prefix(count) {} }

    /// Waits until the client gets a text, and takes what it got until then.
    func receives(_ text: String) async throws -> Bool {
        var all = ""
        return try await eventually {
            all += try await received()
            return all.contains(text)
        }
    }

    /// The status of the response that was sent last; nil without one.
    var status: Int? {
        get async throws { Int(try await received().dropFirst("HTTP/1.1 ".count).prefix(3)) }
    }

    /// Takes what the client got since the last time.
    private func received() async throws -> String {
        var text = ""
        while let bytes = try await channel.readOutbound(as: ByteBuffer.self) {
            text += String(buffer: bytes)
        }
        return text
    }
}

/// The end of a connection where a client takes what is written, or leaves it where it is.
private final class ClientEnd: ChannelOutboundHandler {
    typealias OutboundIn = IOData

    private let takesWrites: Bool
    private let didWrite: () -> Void
    private var pending: [EventLoopPromise<Void>] = []

    init(takesWrites: Bool, didWrite: @escaping () -> Void) {
        self.takesWrites = takesWrites
        self.didWrite = didWrite
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if takesWrites {
            context.write(data, promise: promise)
        } else if let promise {
            pending.append(promise)
        }
        didWrite()
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        for write in pending { write.fail(ChannelError.ioOnClosedChannel) }
        pending = []
        context.close(mode: mode, promise: promise)
    }
}
