import TintypeLocking
import TintypePhotos
import TintypeOperations

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
        var states: [PhotoRecord.State?] = []
        var errors: [Int: PhotoError] = [:]
        var counts: PhotoCounts
    }

    private let make: (@Sendable (Int) -> PhotoRecord)?
    private let kept: Locked<Kept>

    public let startIndex = 0

    public var endIndex: Int { kept.withLock { make == nil ? $0.all.count : $0.states.count } }

    /// Numbers of photos by state, in constant time. Any thread may read them.
    ///
    /// If records are made on demand, photos without a record count as new unless they are filtered or have
    /// failed.
    public var counts: PhotoCounts { kept.withLock { $0.counts } }

    /// Keeps these records in memory.
    public init(_ records: [PhotoRecord]) {
        make = nil
        kept = Locked(Kept(all: records, counts: PhotoCounts(records)))
    }

    /// - Precondition: the records are kept, not made on demand.
    func append(_ records: [PhotoRecord]) {
        precondition(make == nil, "records made on demand have a fixed number")
        kept.withLock { kept in
            kept.all += records
            for record in records { kept.counts[record.kind] += 1 }
        }
    }

    /// - Parameter make: makes a record on demand, on any thread. It must not access these records.
    package init(count: Int, make: @escaping @Sendable (Int) -> PhotoRecord) {
        self.make = make
        var counts = PhotoCounts()
        counts.new = count
        kept = Locked(Kept(states: Array(repeating: nil, count: count), counts: counts))
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
            case .filtered: record.move(toFiltered: nil, keepsOriginal: false)
            case .failed:
                record.move(toFailed: kept.errors[item] ?? .noImage, in: .filter, keepsOriginal: false)
            default: kept.counts.move(from: .new, to: record.kind)
            }
            kept.records[item] = record
            return record
        }
    }

    var areMadeOnDemand: Bool { make != nil }

    /// Records made on demand and not released yet.
    var keptCount: Int { kept.withLock { $0.records.count } }

    /// A photo's state, without making a record; nil if only its record can tell.
    func state(of item: Int) -> PhotoRecord.State? {
        if make == nil { return self[item].state }
        return kept.withLock { $0.records[item]?.state ?? $0.states[item] }
    }

    /// Whether a record's photo was filtered and its image released. Those of records made on demand stay filtered.
    func isReleased(_ item: Int) -> Bool { make == nil && self[item].isReleased }

    /// Changes a record and counts its new state.
    func update(_ item: Int, _ change: (PhotoRecord) -> Void) {
        let record = self[item]
        let old = record.kind
        change(record)
        let new = record.kind
        if new != old { kept.withLock { $0.counts.move(from: old, to: new) } }
    }

    /// Releases a record made on demand.
    func letGo(of item: Int) {
        guard make != nil else { return }
        kept.withLock { kept in
            guard let record = kept.records.removeValue(forKey: item) else { return }
            // A downloaded image is released with its record, so the photo is new again.
            let state = record.state
            switch state {
            case .filtered, .failed: kept.states[item] = state
            case .new, .downloaded:
                kept.states[item] = nil
                kept.counts.move(from: PhotoCounts.Kind(state), to: .new)
            }
            kept.errors[item] = record.error
        }
    }

    /// Puts all records back into their initial state.
    func reset() { changeAll { $0.reset() } }

    /// Puts all records back to where they were before their filter. A record made on demand that was
    /// released is put back into its initial state.
    func undoFilters() { changeAll { $0.undoFilter() } }

    private func changeAll(_ change: (PhotoRecord) -> Void) {
        guard make != nil else {
            for record in self { change(record) }
            return kept.withLock { $0.counts = PhotoCounts($0.all) }
        }
        kept.withLock { kept in
            for record in kept.records.values { change(record) }
            kept.states = Array(repeating: nil, count: kept.states.count)
            kept.errors = [:]
            kept.counts = PhotoCounts(kept.records.values)
            kept.counts.new += kept.states.count - kept.records.count
        }
    }
}
