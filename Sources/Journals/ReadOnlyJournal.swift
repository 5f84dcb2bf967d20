import Files
import Foundation
import SystemPackage

/// A folder's journal, read without a lock and never written. Not thread-safe.
package final class ReadOnlyJournal {
    private(set) var file: JournalFile

    /// - Returns: nil if the folder has no journal.
    package init?(outputFolder: String) throws(JournalError) {
        let path = Journal.filePath(in: outputFolder)
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
