import Locking
import Photos

/// A session's photos, by number.
///
/// Either records that somebody keeps, or, for sets too large to keep, records that exist while something is
/// done for them: of each of the others one byte is kept, and of those that failed the error.
public final class PhotoRecords: RandomAccessCollection, Sendable {
    private struct Kept {
        /// Those that somebody keeps.
        var all: [PhotoRecord] = []
        /// Of the others, those that something is done for.
        var records: [Int: PhotoRecord] = [:]
        /// Of those that were let go of.
        var states: [PhotoRecord.State?]
        var errors: [Int: PhotoError] = [:]
    }

    private let make: (@Sendable (Int) -> PhotoRecord)?
    private let kept: Locked<Kept>

    public let startIndex = 0

    public var endIndex: Int { kept.withLock { make == nil ? $0.all.count : $0.states.count } }

    public init(_ records: [PhotoRecord]) {
        make = nil
        kept = Locked(Kept(all: records, states: []))
    }

    /// - Precondition: somebody keeps the records.
    func append(_ records: [PhotoRecord]) {
        precondition(make == nil, "records that are made when they are needed have a fixed number")
        kept.withLock { $0.all += records }
    }

    /// - Parameter make: makes a record when it is needed, on any thread; it must not ask for another one.
    package init(count: Int, make: @escaping @Sendable (Int) -> PhotoRecord) {
        self.make = make
        kept = Locked(Kept(states: Array(repeating: nil, count: count)))
    }

    /// One that was filtered or has failed, and was let go of, comes back as such, without its image.
    public subscript(item: Int) -> PhotoRecord {
        precondition(indices.contains(item), "there is no record \(item)")
        guard let make else { return kept.withLock { $0.all[item] } }
        return kept.withLock { kept in
            if let record = kept.records[item] { return record }
            let record = make(item)
            switch kept.states[item] {
            case .filtered: record.move(toFiltered: nil)
            case .failed: record.move(toFailed: kept.errors[item] ?? .noImage)
            default: break
            }
            kept.records[item] = record
            return record
        }
    }

    /// Records that were made and not let go of.
    var keptCount: Int { kept.withLock { $0.records.count } }

    /// How far a photo is; nil where only its record could say. Makes no record.
    func state(of item: Int) -> PhotoRecord.State? {
        if make == nil { return self[item].state }
        return kept.withLock { $0.records[item]?.state ?? $0.states[item] }
    }

    /// Nothing is done for the photo any more.
    func letGo(of item: Int) {
        guard make != nil else { return }
        kept.withLock { kept in
            guard let record = kept.records.removeValue(forKey: item) else { return }
            // What was downloaded goes with its record: it is new again.
            switch record.state {
            case .filtered, .failed: kept.states[item] = record.state
            case .new, .downloaded: kept.states[item] = nil
            }
            kept.errors[item] = record.error
        }
    }

    /// All are as they were in the beginning.
    func reset() {
        guard make != nil else {
            for record in self { record.reset() }
            return
        }
        kept.withLock { kept in
            for record in kept.records.values { record.reset() }
            kept.states = Array(repeating: nil, count: kept.states.count)
            kept.errors = [:]
        }
    }
}
