import CTintypeSharing
import Glibc

/// A connection that can no longer be used.
struct ConnectionLost: Error {
    /// What this process could not do. The other one is not to blame.
    enum OwnFailure {
        /// A message is longer than any may be.
        case tooLong(byteCount: Int)
        /// A call failed for want of memory or descriptors.
        case outOfResources(call: String)
    }

    /// Nil if the other process has ended, or sends nonsense.
    var ownFailure: OwnFailure?

    init(_ ownFailure: OwnFailure? = nil) { self.ownFailure = ownFailure }
    init(_: MalformedMessage) {}
}

/// A descriptor that is closed with its last reference.
final class OwnedDescriptor: Sendable {
    let number: Int32

    init(_ number: Int32) { self.number = number }
    deinit { close(number) }
}

/// One end of a stream of messages between two processes.
///
/// One thread at a time uses it.
final class MessageSocket: Sendable {
    /// A message: what it is, its contents, and a descriptor that came with it.
    struct Message: Sendable {
        let kind: UInt8
        let contents: [UInt8]
        let descriptor: OwnedDescriptor?
    }

    /// Precedes each message's contents.
    private struct Header: BitwiseCopyable {
        var byteCount: Int
        var kind: UInt8
    }

    /// A render plan with a table of colours has some MiB.
    static let usualLimit = 1 << 30

    var descriptor: Int32 { owned.number }
    private let owned: OwnedDescriptor
    private let limit: Int

    /// - Parameters:
    ///   - descriptor: a connected socket.
    ///   - limit: the most bytes of a message's contents.
    init(_ descriptor: OwnedDescriptor, limit: Int = usualLimit) {
        owned = descriptor
        self.limit = limit
    }

    /// Two connected ends; nil if there are too many open files.
    static func pair(limit: Int = usualLimit) -> (MessageSocket, MessageSocket)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        return (
            MessageSocket(OwnedDescriptor(ends[0]), limit: limit),
            MessageSocket(OwnedDescriptor(ends[1]), limit: limit)
        )
    }

    /// Lets messages that stop in their middle fail after a time. Waiting for a message has no limit.
    func setTimeLimit(_ limit: Duration) {
        let microseconds = Int(min(max(limit / .microseconds(1), 1), 1e15))
        var time = timeval(tv_sec: microseconds / 1_000_000, tv_usec: microseconds % 1_000_000)
        for option in [SO_SNDTIMEO, SO_RCVTIMEO] {
            setsockopt(descriptor, SOL_SOCKET, option, &time, socklen_t(MemoryLayout<timeval>.size))
        }
    }

    /// - Parameter descriptor: sent along; stays the caller's.
    func send(_ kind: UInt8, _ contents: [UInt8] = [], descriptor: Int32 = -1) throws(ConnectionLost) {
        guard contents.count <= limit else {
            throw ConnectionLost(.tooLong(byteCount: contents.count))
        }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(MemoryLayout<Header>.size + contents.count)
        withUnsafeBytes(of: Header(byteCount: contents.count, kind: kind)) { bytes += $0 }
        bytes += contents
        guard csharing_send(self.descriptor, bytes, bytes.count, descriptor) == 0 else {
            throw ConnectionLost()
        }
    }

    func receive() throws(ConnectionLost) -> Message {
        var header = Header(byteCount: 0, kind: 0)
        var descriptor: OwnedDescriptor?
        try receive(&header, MemoryLayout<Header>.size, &descriptor)
        var contents: [UInt8] = []
        if header.byteCount > 0 {
            guard header.byteCount <= limit else { throw ConnectionLost() }
            contents = Array(repeating: 0, count: header.byteCount)
            try receive(&contents, contents.count, &descriptor)
        }
        return Message(kind: header.kind, contents: contents, descriptor: descriptor)
    }

    private func receive(
        _ bytes: UnsafeMutableRawPointer, _ byteCount: Int, _ descriptor: inout OwnedDescriptor?
    ) throws(ConnectionLost) {
        var number = descriptor?.number ?? -1
        let code = csharing_receive(self.descriptor, bytes, byteCount, &number)
        if descriptor == nil, number >= 0 { descriptor = OwnedDescriptor(number) }
        switch code {
        case 0: break
        case EMFILE: throw ConnectionLost(.outOfResources(call: "receiving a descriptor"))
        default: throw ConnectionLost()
        }
    }

    /// Whether a message, or the stream's end, arrives within a time.
    func hasMessage(within milliseconds: Int32) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
