import Foundation

/// A session's unfinished operations, by item. An item is in at most one of the dictionaries.
struct OperationsInProgress {
    var downloads: [Int: any ImageDataProvider] = [:]
    var filtrations: [Int: any ImageDataProvider] = [:]
    /// On the serial main queue, which no queue's `cancelAllOperations` reaches.
    var reloads: [Int: ReloadOperation] = [:]
    var reloadOfEverything: ReloadOperation?
    /// Items whose operation was cancelled, and whose end was not handled yet. `isCancelled` does not tell
    /// this: cancelling an operation that has just finished leaves it false.
    private var cancelledItems: Set<Int> = []

    /// Items with an unfinished operation.
    var itemCount: Int { downloads.count + filtrations.count + reloads.count }

    var isEmpty: Bool { itemCount == 0 && reloadOfEverything == nil }

    func operation(of item: Int) -> Operation? { downloads[item] ?? filtrations[item] ?? reloads[item] }

    var items: [Int] { Array(downloads.keys) + filtrations.keys + reloads.keys }

    func isCancelled(_ item: Int) -> Bool { cancelledItems.contains(item) }

    mutating func cancel(_ item: Int) {
        guard let operation = operation(of: item) else { return }
        cancelledItems.insert(item)
        operation.cancel()
    }

    mutating func cancelAll() {
        for item in items { cancel(item) }
        reloadOfEverything?.cancel()
    }

    /// Removes the item's operation, which has ended.
    ///
    /// - Returns: whether it had been cancelled.
    mutating func remove(_ item: Int) -> Bool {
        downloads[item] = nil
        filtrations[item] = nil
        reloads[item] = nil
        return cancelledItems.remove(item) != nil
    }
}
