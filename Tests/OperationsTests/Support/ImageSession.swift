import Foundation
import TestSupport
import Tintype

@testable import TintypeOperations
@testable import TintypePhotos
@testable import TintypeSessions

/// A session whose images tell what made them: their first byte is 0 after the download, 255 after the
/// decryption, and the filter's mark after it.
final class ImageSession: Sendable {
    typealias Work = @Sendable (Int, Operation) throws -> Void

    let session: PhotoSession
    /// `download 3`, `decrypt 3`, `filter 3`, in the order in which they were done; not those that were cancelled.
    let done = Shared<[String]>([])
    private let rests = Shared<[SessionSummary]>([])
    private let byteCount: Int

    /// - Parameters:
    ///   - byteCount: of each image.
    ///   - decrypt: nil for photos that are not encrypted.
    ///   - changed: called on the serial main queue, and may ask the session.
    init(
        _ count: Int, byteCount: Int = 10,
        _ configure: (inout PhotoSession.Configuration) -> Void = { _ in },
        download: @escaping Work = { _, _ in }, decrypt: Work? = nil,
        filter: @escaping Work = { _, _ in },
        changed: @escaping @Sendable (PhotoSession, ReloadOperation.Scope) -> Void = { _, _ in }
    ) {
        var configuration = PhotoSession.Configuration()
        configure(&configuration)
        let holder = Shared<PhotoSession?>(nil)
        var events = SessionEvents()
        events.rested = { [rests] summary in rests.change { $0.append(summary) } }
        events.changed = { scope in
            if let session = holder.value { changed(session, scope) }
        }
        self.byteCount = byteCount
        session = PhotoSession(
            TestSession.records(count),
            steps: Self.steps(
                done, byteCount, mark: 1, download: download, decrypt: decrypt, filter: filter),
            on: .makePrivate(), configuration: configuration, events: events)
        holder.change { [session] in $0 = session }
    }

    func steps(
        mark: UInt8, download: @escaping Work = { _, _ in }, filter: @escaping Work = { _, _ in }
    ) -> PhotoSteps {
        Self.steps(done, byteCount, mark: mark, download: download, filter: filter)
    }

    private static func steps(
        _ done: Shared<[String]>, _ byteCount: Int, mark: UInt8, download: @escaping Work,
        decrypt: Work? = nil, filter: @escaping Work
    ) -> PhotoSteps {
        func step(_ name: String, _ mark: UInt8, _ work: @escaping Work)
            -> @Sendable (PhotoRecord) -> ImageOperation
        {
            { record in
                MarkingStep("\(name) \(record.name)", mark, byteCount) { operation in
                    try work(Int(record.name)!, operation)
                    if operation.isCancelled { throw CancellationError() }
                    done.change { $0.append("\(name) \(record.name)") }
                }
            }
        }
        var steps = PhotoSteps(download: step("download", 0, download), filter: step("filter", mark, filter))
        if let decrypt { steps.decrypt = step("decrypt", 255, decrypt) }
        return steps
    }

    /// Waits until the session has become idle this many times.
    func rested(_ count: Int = 1) async -> SessionSummary? {
        guard await eventually({ rests.value.count >= count }) else { return nil }
        return rests.value[count - 1]
    }

    var restCount: Int { rests.value.count }

    func count(_ prefix: String) -> Int { done.value.count { $0.hasPrefix(prefix) } }

    func items(_ state: PhotoRecord.State) -> [Int] {
        session.records.indices.filter { session.records[$0].state == state }
    }
}

private final class MarkingStep: ImageOperation, @unchecked Sendable {
    private let mark: UInt8
    private let byteCount: Int
    private let work: @Sendable (Operation) throws -> Void

    init(
        _ name: String, _ mark: UInt8, _ byteCount: Int,
        _ work: @escaping @Sendable (Operation) throws -> Void
    ) {
        (self.mark, self.byteCount, self.work) = (mark, byteCount, work)
        super.init(name: name, image: .placeholder)
    }

    override func process(_ image: EncodedImage) throws -> EncodedImage {
        try work(self)
        return try EncodedImage(bytes: [mark] + [UInt8](repeating: 7, count: byteCount - 1))
    }
}

extension PhotoRecord.Snapshot {
    /// The mark of the filter that made the image; nil without a filtered image.
    var mark: UInt8? { filtered.flatMap { try? $0.bytes().first } }
}
