import Locking
import Photos

/// A session's photos, by index.
///
/// The records are either all kept in memory, or, for very large sets, made on demand and released after use.
/// A released record leaves one byte of state, and its error if it failed.
public final class PhotoRecords: RandomAccessCollection, Sendable {
    private struct Kept {
        /// All records, if they are kept.
        var all: [PhotoRecord] = []
        /// Records made on demand and not released yet.
        var records: [Int: PhotoRecord] = [:]
        /// States of released records.
        var states: [PhotoRecord.State?]
        var errors: [Int: PhotoError] = [:]
    }

    private let make: (@Sendable (Int) -> PhotoRecord)?
    private let kept: Locked<Kept>

    public let startIndex = 0

    public var endIndex: Int { kept.withLock { make == nil ? $0.all.count : $0.states.count } }

    /// Keeps these records in memory.
    public init(_ records: [PhotoRecord]) {
        make = nil
        kept = Locked(Kept(all: records, states: []))
    }

    /// - Precondition: the records are kept, not made on demand.
    func append(_ records: [PhotoRecord]) {
        precondition(make == nil, "records made on demand have a fixed number")
        kept.withLock { $0.all += records }
    }

    /// - Parameter make: makes a record on demand, on any thread. It must not access these records.
    package init(count: Int, make: @escaping @Sendable (Int) -> PhotoRecord) {
        self.make = make
        kept = Locked(Kept(states: Array(repeating: nil, count: count)))
    }

    /// The record at an index. A released record is made again in its state `filtered` or `failed`, without
    /// its image.
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

    /// Records made on demand and not released yet.
    var keptCount: Int { kept.withLock { $0.records.count } }

    /// A photo's state, without making a record; nil if only its record can tell.
    func state(of item: Int) -> PhotoRecord.State? {
        if make == nil { return self[item].state }
        return kept.withLock { $0.records[item]?.state ?? $0.states[item] }
    }

    /// Releases a record made on demand.
    func letGo(of item: Int) {
        guard make != nil else { return }
        kept.withLock { kept in
            guard let record = kept.records.removeValue(forKey: item) else { return }
            // A downloaded image is released with its record, so the photo is new again.
            switch record.state {
            case .filtered, .failed: kept.states[item] = record.state
            case .new, .downloaded: kept.states[item] = nil
            }
            kept.errors[item] = record.error
        }
    }

    /// Puts all records back into their initial state.
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
