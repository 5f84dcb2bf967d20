import TintypeLocking
import TintypeOperations

/// The streams of a session's events, each with a buffer of its own.
final class EventStreams: Sendable {
    private struct Reference {
        weak var buffer: EventBuffer?
    }

    private let readers = Locked<[Reference]>([])

    /// A new stream of all later events. It ends with `finish`.
    func makeStream() -> AsyncStream<PhotoSession.Event> {
        let buffer = EventBuffer()
        readers.withLock { readers in
            readers.removeAll { $0.buffer == nil }
            readers.append(Reference(buffer: buffer))
        }
        // The stream alone keeps the buffer.
        return AsyncStream {
            await buffer.next()
        } onCancel: {
            buffer.finish()
        }
    }

    func yield(_ event: PhotoSession.Event) {
        for buffer in buffers { buffer.add(event) }
    }

    /// Ends all streams, after the events that they have.
    func finish() {
        for buffer in buffers { buffer.finish() }
    }

    private var buffers: [EventBuffer] { readers.withLock { $0.compactMap(\.buffer) } }
}

/// Events that a stream's reader has not taken yet.
///
/// A reader that keeps up gets each event. If it falls behind, events that later ones have made old are dropped, so
/// that there are at most a few for each photo. The last ones stay: those of each photo, and the session's.
final class EventBuffer: Sendable {
    fileprivate struct State {
        var events: [PhotoSession.Event] = []
        /// Index of the first event that was not taken.
        var first = 0
        /// With so many events, old ones are dropped.
        var limit = EventBuffer.leastLimit
        var waiters: [CheckedContinuation<PhotoSession.Event?, Never>] = []
        var isFinished = false
    }

    /// More than a session sends while a reader is at one event. Chosen by eye.
    static let leastLimit = 256

    private let state = Locked(State())

    /// Events that wait now.
    var count: Int { state.withLock { $0.events.count - $0.first } }

    func add(_ event: PhotoSession.Event) {
        let waiter = state.withLock { state -> CheckedContinuation<PhotoSession.Event?, Never>? in
            guard !state.isFinished else { return nil }
            if !state.waiters.isEmpty { return state.waiters.removeFirst() }
            state.append(event)
            return nil
        }
        waiter?.resume(returning: event)
    }

    /// Waits for the next event; nil at the end.
    func next() async -> PhotoSession.Event? {
        await withCheckedContinuation { continuation in
            let next = state.withLock { state -> PhotoSession.Event?? in
                if let event = state.removeFirst() { return .some(event) }
                if state.isFinished { return .some(nil) }
                state.waiters.append(continuation)
                return nil
            }
            if let next { continuation.resume(returning: next) }
        }
    }

    func finish() {
        let waiters = state.withLock { state in
            state.isFinished = true
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume(returning: nil) }
    }
}

extension EventBuffer.State {
    fileprivate mutating func append(_ event: PhotoSession.Event) {
        events.append(event)
        if events.count >= limit { dropOldEvents() }
    }

    fileprivate mutating func removeFirst() -> PhotoSession.Event? {
        guard first < events.count else { return nil }
        defer {
            first += 1
            if first == events.count { (events, first) = ([], 0) }
        }
        return events[first]
    }

    private mutating func dropOldEvents() {
        var subjects: Set<PhotoSession.Event.Subject> = []
        var kept: [PhotoSession.Event] = []
        for event in events[first...].reversed() {
            if case .changed(.item) = event, subjects.contains(.change(.all)) { continue }
            if subjects.insert(event.subject).inserted { kept.append(event) }
        }
        (events, first) = (kept.reversed(), 0)
        limit = max(EventBuffer.leastLimit, 2 * events.count)
    }
}

extension PhotoSession.Event {
    /// What an event is about. A later event with the same subject says all that an earlier one did.
    fileprivate enum Subject: Hashable {
        case outcome(ObjectIdentifier)
        case change(ReloadOperation.Scope)
        case networkActivity
        case rest
    }

    fileprivate var subject: Subject {
        switch self {
        case .filtered(let record, _), .failed(let record, _, _): .outcome(ObjectIdentifier(record))
        case .changed(let scope): .change(scope)
        case .networkActivity: .networkActivity
        case .rested: .rest
        }
    }
}
