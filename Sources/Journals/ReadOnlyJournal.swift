import Foundation
import SystemPackage
import TintypeFiles

/// A journal, read without a lock and never written. Not thread-safe.
package final class ReadOnlyJournal {
    private(set) var file: JournalFile

    /// A folder's own journal.
    ///
    /// - Returns: nil if the folder has none.
    package convenience init?(outputFolder: String) throws(JournalError) {
        try self.init(path: Journal.filePath(in: outputFolder))
    }

    /// - Returns: nil if there is no such file.
    fileprivate init?(path: String) throws(JournalError) {
        guard let status = try? Stat(path), status.isRegularFile else { return nil }
        file = try JournalFile(path: path, isReadOnly: true)
        try file.refresh()
    }

    /// Whether an existing file is an output in the journal.
    ///
    /// - Parameter output: its path relative to the folder.
    package func hasMade(_ output: String) throws(JournalError) -> Bool {
        let key = OutputKey(output)
        if hasMade(key) { return true }
        // Another run may be at work. Its outputs are in the journal before they get their names.
        try file.refresh()
        return hasMade(key)
    }

    private func hasMade(_ key: OutputKey) -> Bool {
        guard let entry = file.index.entries[key] else { return false }
        return entry.done != nil || entry.state == .publishing
    }
}

/// All journals of an output folder: its own and its shards'. Not thread-safe.
package final class FolderJournals {
    private let journals: [ReadOnlyJournal]

    /// - Returns: nil if the folder has none.
    package init?(outputFolder: String) throws(JournalError) {
        let shards = ShardFolder.all(in: outputFolder).flatMap { $0.journals.map(\.path) }
        var journals: [ReadOnlyJournal] = []
        for path in [Journal.filePath(in: outputFolder)] + shards {
            if let journal = try ReadOnlyJournal(path: path) { journals.append(journal) }
        }
        self.journals = journals
        if journals.isEmpty { return nil }
    }

    /// Whether an existing file is an output in one of the journals.
    ///
    /// - Parameter output: its path relative to the folder.
    package func hasMade(_ output: String) throws(JournalError) -> Bool {
        for journal in journals where try journal.hasMade(output) { return true }
        return false
    }
}
