import Foundation
import Logging
import TestSupport
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// An operation that runs a test's closure, then yields a few bytes.
final class TestStep: ImageOperation, @unchecked Sendable {
    private let work: @Sendable (TestStep) throws -> Void

    init(_ name: String, logger: Logger, _ work: @escaping @Sendable (TestStep) throws -> Void = { _ in }) {
        self.work = work
        super.init(name: name, image: .placeholder, logger: logger)
    }

    override func process(_ image: EncodedImage) throws -> EncodedImage {
        try work(self)
        return image
    }
}

/// A session of photos that are placeholder bytes, and a log of its events.
final class TestSession: Sendable {
    typealias Work = @Sendable (Int, TestStep) throws -> Void

    /// `download 3`, `filter 3`, `reload 3`, `reload all`, `failed 3`, in the order in which they happened.
    let happened: Happenings
    let log: LogRecorder
    let session: PhotoSession
    private let target: Target
    private let rests = Shared<[SessionSummary]>([])

    /// - Parameters:
    ///   - download, filter: what the step of a photo, named by its index, does; a step that throws has
    ///     failed.
    convenience init(
        _ records: [PhotoRecord], _ configure: (inout PhotoSession.Configuration) -> Void = { _ in },
        download: @escaping Work = { _, _ in }, filter: @escaping Work = { _, _ in }
    ) {
        self.init(PhotoRecords(records), configure, download: download, filter: filter)
    }

    init(
        _ records: PhotoRecords, _ configure: (inout PhotoSession.Configuration) -> Void = { _ in },
        download: @escaping Work = { _, _ in }, filter: @escaping Work = { _, _ in }
    ) {
        let happened = Happenings()
        let log = LogRecorder()
        let logger = log.logger
        let main = SerialMainQueue.makePrivate()
        let target = Target(main, happened)
        var configuration = PhotoSession.Configuration()
        configure(&configuration)
        let steps = PhotoSteps(
            download: { record in
                TestStep("download \(record.name)", logger: logger) {
                    try download(Int(record.name)!, $0)
                    if $0.isCancelled { throw CancellationError() }
                    happened.add("download \(record.name)")
                }
            },
            filter: { record in
                TestStep("filter \(record.name)", logger: logger) {
                    try filter(Int(record.name)!, $0)
                    if $0.isCancelled { throw CancellationError() }
                    happened.add("filter \(record.name)")
                }
            })
        var events = SessionEvents()
        events.failed = { record, _, _ in happened.add("failed \(record.name)") }
        events.rested = { [rests] summary in
            precondition(main.isCurrent)
            rests.change { $0.append(summary) }
        }
        session = PhotoSession(
            records, steps: steps, on: main, target: target, configuration: configuration, logger: logger,
            events: events)
        (self.happened, self.log, self.target) = (happened, log, target)
    }

    /// Waits until the session has become idle this many times.
    func rested(_ count: Int = 1) async -> SessionSummary? {
        guard await eventually({ rests.value.count >= count }) else { return nil }
        return rests.value[count - 1]
    }

    var restCount: Int { rests.value.count }

    static func records(_ count: Int) -> [PhotoRecord] {
        (0..<count).map { PhotoRecord(url: URL(string: "http://127.0.0.1:9/\($0)")!) }
    }

    final class Happenings: Sendable {
        private let storage = Shared<[String]>([])

        var all: [String] { storage.value }

        func add(_ event: String) { storage.change { $0.append(event) } }

        func count(_ prefix: String) -> Int { all.count { $0.hasPrefix(prefix) } }
    }

    private final class Target: ReloadTarget {
        private let main: SerialMainQueue
        private let happened: Happenings

        init(_ main: SerialMainQueue, _ happened: Happenings) {
            (self.main, self.happened) = (main, happened)
        }

        func reloadAll() {
            precondition(main.isCurrent)
            happened.add("reload all")
        }

        func reload(item: Int) {
            precondition(main.isCurrent)
            happened.add("reload \(item)")
        }
    }
}
