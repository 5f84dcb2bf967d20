import NIOCore
import NIOHTTP1
import NIOPosix
import TintypeLocking

/// Serves a gallery on 127.0.0.1.
package final class GalleryServer: Sendable {
    /// Connections at once. A browser opens six to a host, and one for events.
    static let connectionLimit = 256
    /// How long a request may take to arrive, and a connection may wait for one.
    static let requestLimit = TimeAmount.seconds(30)
    /// How long a client may take for each part of a response, of at most some hundred kilobytes.
    static let writeLimit = TimeAmount.seconds(60)

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let channel: any Channel
    private let entrance: Entrance
    package let port: Int
    /// The address to open: it has the token.
    package let address: String

    /// - Parameters:
    ///   - port: 0 takes a free one.
    /// - Throws: `IOError` if the port is taken.
    package init(_ gallery: Gallery, port: Int) async throws {
        let entrance = Entrance()
        self.entrance = entrance
        do {
            channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 256)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try entrance.admit(channel) }
                }
                .bind(host: "127.0.0.1", port: port).get()
        } catch {
            try? await group.shutdownGracefully()
            throw error
        }
        self.port = channel.localAddress?.port ?? port
        let access = AccessControl(port: self.port)
        address = "http://127.0.0.1:\(self.port)/?token=\(access.token)"
        entrance.open(Routes(gallery, access))
    }

    /// Serves a channel that did not come through the port. To be called on its event loop.
    package func admit(_ channel: any Channel) throws { try entrance.admit(channel) }

    /// Whether a response is being made.
    package var isResponding: Bool { entrance.responses.isRunning }

    /// Returns once no response is being made.
    package func waitForResponses() async { await entrance.responses.waitForEnd() }

    /// Closes the port and all connections, and waits until no response is being made.
    package func stop() async {
        try? await channel.close()
        entrance.connections.closeAll()
        // They use the event loop to the end.
        await waitForResponses()
        try? await group.shutdownGracefully()
    }
}

/// Thrown while a connection is accepted, which closes it.
private struct TooManyConnections: Error {}

/// The open connections.
private final class Connections: Sendable {
    private let all = Locked<[ObjectIdentifier: any Channel]>([:])

    /// - Returns: whether there is room for the connection.
    func add(_ channel: any Channel) -> Bool {
        let id = ObjectIdentifier(channel)
        let fits = all.withLock { all in
            guard all.count < GalleryServer.connectionLimit else { return false }
            all[id] = channel
            return true
        }
        if fits { channel.closeFuture.whenComplete { [self] _ in remove(id) } }
        return fits
    }

    private func remove(_ id: ObjectIdentifier) { all.withLock { _ = $0.removeValue(forKey: id) } }

    func closeAll() {
        for channel in all.withLock({ Array($0.values) }) { channel.close(promise: nil) }
    }
}

/// Admits connections. Passes their requests on once the server knows its port, which the routes need.
private final class Entrance: Sendable {
    let connections = Connections()
    let responses = ResponseTasks()
    private let routes = Locked<Routes?>(nil)

    func open(_ routes: Routes) { self.routes.withLock { $0 = routes } }

    func admit(_ channel: any Channel) throws {
        guard connections.add(channel) else { throw TooManyConnections() }
        let pipeline = channel.pipeline.syncOperations
        try pipeline.configureHTTPServerPipeline(withPipeliningAssistance: true, withErrorHandling: true)
        try pipeline.addHandler(
            HTTPConnection(
                responses, bodyLimit: { [self] in bodyLimit($0) },
                respond: { [self] in await respond(to: $0) }))
    }

    private func bodyLimit(_ head: HTTPRequestHead) -> Int {
        routes.withLock { $0 }?.bodyLimit(head) ?? 0
    }

    private func respond(to request: HTTPRequest) async -> HTTPResponse {
        guard let routes = routes.withLock({ $0 }) else {
            return .error(.serviceUnavailable, "The server is starting.")
        }
        return await routes.respond(to: request)
    }
}
