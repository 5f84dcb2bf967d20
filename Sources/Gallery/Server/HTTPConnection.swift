import NIOCore
import NIOHTTP1

/// One connection: collects each request, and sends its response.
///
/// A request must arrive whole within a time limit, a long one part by part, and so must every write to a slow client.
final class HTTPConnection: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    /// Bytes of a usual request's body.
    static let bodyLimit = 64 << 10

    private let responses: ResponseTasks
    private let limit: @Sendable (HTTPRequestHead) -> Int
    private let respond: @Sendable (HTTPRequest) async -> HTTPResponse
    /// The most bytes of the request's body.
    private var bodyLimit = 0
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []
    private var deadline: Scheduled<Void>?
    /// Responses that are being made or sent. The next request may come before it is known that a response was
    /// sent.
    private var responseCount = 0
    private var response: Task<Void, Never>?

    /// - Parameter bodyLimit: the most bytes of a request's body.
    init(
        _ responses: ResponseTasks,
        bodyLimit: @escaping @Sendable (HTTPRequestHead) -> Int,
        respond: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.responses = responses
        limit = bodyLimit
        self.respond = respond
    }

    func channelActive(context: ChannelHandlerContext) { startDeadline(context.channel) }

    func channelInactive(context: ChannelHandlerContext) {
        deadline?.cancel()
        response?.cancel()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            bodyLimit = limit(head)
            body = []
        case .body(let bytes):
            guard body.count + bytes.readableBytes <= bodyLimit else {
                return refuseBody(context.channel)
            }
            body += bytes.readableBytesView
            // Whoever may send much may take longer, as long as it comes.
            if bodyLimit > Self.bodyLimit { startDeadline(context.channel) }
        case .end:
            guard let head else { return }
            self.head = nil
            deadline?.cancel()
            send(HTTPRequest(head, body: body), head, context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }

    private func startDeadline(_ channel: any Channel) {
        deadline?.cancel()
        deadline = channel.eventLoop.scheduleTask(in: GalleryServer.requestLimit) {
            channel.close(promise: nil)
        }
    }

    private func endResponse(_ channel: any Channel) {
        responseCount -= 1
        if responseCount == 0 { startDeadline(channel) }
    }

    private func refuseBody(_ channel: any Channel) {
        guard let head else { return }
        self.head = nil
        deadline?.cancel()
        response = responses.start {
            try? await HTTPResponse.error(.payloadTooLarge, "The request is too large.")
                .write(to: channel, version: head.version, isKeptAlive: false, hasBody: true)
            channel.close(promise: nil)
        }
    }

    private func send(_ request: HTTPRequest, _ head: HTTPRequestHead, _ channel: any Channel) {
        let respond = respond
        let isKeptAlive = head.isKeepAlive
        let done = channel.eventLoop.makePromise(of: Void.self)
        responseCount += 1
        done.futureResult.assumeIsolated().whenSuccess { [weak self] in self?.endResponse(channel) }
        response = responses.start {
            do {
                try await respond(request).write(
                    to: channel, version: head.version, isKeptAlive: isKeptAlive,
                    hasBody: head.method != .HEAD)
                done.succeed()
                if !isKeptAlive { channel.close(promise: nil) }
            } catch {
                // The client has gone, or the body cannot be read: a cut connection tells the client.
                done.fail(error)
                channel.close(promise: nil)
            }
        }
    }
}

extension HTTPResponse {
    /// What every response has: nothing of it may be kept, framed, guessed or sent on.
    private static let security: HTTPHeaders = [
        "content-security-policy":
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "x-content-type-options": "nosniff",
        "referrer-policy": "no-referrer",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
    ]

    /// Sends the response. Each part waits until the client has taken the one before it.
    fileprivate func write(
        to channel: any Channel, version: HTTPVersion, isKeptAlive: Bool, hasBody: Bool
    ) async throws {
        var headers = headers
        headers.add(contentsOf: Self.security)
        if !headers.contains(name: "cache-control") { headers.add(name: "cache-control", value: "no-store") }
        if !isKeptAlive { headers.add(name: "connection", value: "close") }
        switch body {
        case .bytes(let bytes): headers.add(name: "content-length", value: "\(bytes.count)")
        case .stream(let byteCount?, _): headers.add(name: "content-length", value: "\(byteCount)")
        case .stream(nil, _): break  // The encoder sends chunks.
        }
        let head = HTTPResponseHead(version: version, status: status, headers: headers)
        try await Self.write(.head(head), to: channel)
        if hasBody {
            switch body {
            case .bytes(let bytes): try await Self.write(bytes, to: channel)
            case .stream(_, let next):
                while let bytes = try await next() { try await Self.write(bytes, to: channel) }
            }
        }
        try await Self.write(.end(nil), to: channel)
    }

    private static func write(_ bytes: [UInt8], to channel: any Channel) async throws {
        guard !bytes.isEmpty else { return }
        try await Self.write(.body(.byteBuffer(channel.allocator.buffer(bytes: bytes))), to: channel)
    }

    /// Sends a part, and waits until the client has taken it. One that does not take it in time is disconnected.
    private static func write(_ part: HTTPServerResponsePart, to channel: any Channel) async throws {
        try await channel.eventLoop.flatSubmit {
            let deadline = channel.eventLoop.scheduleTask(in: GalleryServer.writeLimit) {
                channel.close(promise: nil)
            }
            let written = channel.writeAndFlush(part)
            written.whenComplete { _ in deadline.cancel() }
            return written
        }.get()
    }
}
