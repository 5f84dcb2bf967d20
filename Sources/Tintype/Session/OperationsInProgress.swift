import Foundation

/// A session's unfinished operations, by item. An item is in one of the dictionaries at a time.
struct OperationsInProgress {
    var downloads: [Int: any ImageDataProvider] = [:]
    var filtrations: [Int: any ImageDataProvider] = [:]
    /// On the serial main queue, which no queue's `cancelAllOperations` reaches.
    var reloads: [Int: ReloadOperation] = [:]
    var reloadOfEverything: ReloadOperation?

    /// Items that something is done for.
    var itemCount: Int { downloads.count + filtrations.count + reloads.count }

    var isEmpty: Bool { itemCount == 0 && reloadOfEverything == nil }

    func operation(of item: Int) -> Operation? { downloads[item] ?? filtrations[item] ?? reloads[item] }

    var items: [Int] { Array(downloads.keys) + filtrations.keys + reloads.keys }

    func cancelAll() {
        for operation in downloads.values { operation.cancel() }
        for operation in filtrations.values { operation.cancel() }
        for operation in reloads.values { operation.cancel() }
        reloadOfEverything?.cancel()
    }
}
