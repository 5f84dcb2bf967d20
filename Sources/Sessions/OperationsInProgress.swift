import Foundation
import TintypeOperations

/// A session's unfinished operations: at most one for each item.
struct OperationsInProgress {
    enum Kind {
        case download, decryption, filtration
        /// On the serial main queue, which no queue's `cancelAllOperations` reaches.
        case reload
        /// Moves images to named files. Never cancelled: it is short, and nobody waits for it.
        case parking
    }

    private struct Entry {
        let kind: Kind
        let operation: Operation
        /// Whether the session has cancelled the operation. Its own `isCancelled` does not tell this:
        /// cancelling an operation that has just finished leaves it false.
        var isCancelled = false
    }

    private var entries: [Int: Entry] = [:]
    private(set) var downloadCount = 0
    var reloadOfEverything: ReloadOperation?

    /// Items with an unfinished operation.
    var itemCount: Int { entries.count }

    var isEmpty: Bool { entries.isEmpty && reloadOfEverything == nil }

    var items: [Int] { Array(entries.keys) }

    func operation(of item: Int) -> Operation? { entries[item]?.operation }

    func kind(of item: Int) -> Kind? { entries[item]?.kind }

    func isCancelled(_ item: Int) -> Bool { entries[item]?.isCancelled ?? false }

    /// - Precondition: the item has no unfinished operation.
    mutating func add(_ operation: Operation, _ kind: Kind, of item: Int) {
        precondition(entries[item] == nil, "an item has one operation at a time")
        entries[item] = Entry(kind: kind, operation: operation)
        if kind == .download { downloadCount += 1 }
    }

    mutating func cancel(_ item: Int) {
        guard let entry = entries[item], entry.kind != .parking else { return }
        entries[item]?.isCancelled = true
        // A cancelled operation ends when the queue starts it, so it is started before all others.
        entry.operation.queuePriority = .veryHigh
        entry.operation.cancel()
    }

    mutating func cancelAll() {
        for item in items { cancel(item) }
        reloadOfEverything?.cancel()
    }

    /// Removes the item's operation, which has ended.
    ///
    /// - Returns: whether it had been cancelled.
    mutating func remove(_ item: Int) -> Bool {
        guard let entry = entries.removeValue(forKey: item) else { return false }
        if entry.kind == .download { downloadCount -= 1 }
        return entry.isCancelled
    }
}
