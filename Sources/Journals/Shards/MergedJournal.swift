import SystemPackage
import TintypeFiles

/// The receipts of all runs in an output folder: those in its own journal and in its shards', read without a lock.
///
/// It takes 40 bytes an output, plus the free space of a hash table. Not thread-safe.
package final class MergedJournal {
    /// A journal's file.
    package struct Source {
        package let path: String
        /// Nil for the folder's own journal.
        package let folder: ShardFolder?
    }

    /// The lines of an output in one of the files.
    private struct Entry {
        let source: UInt32
        let lines: JournalIndex.Entry
    }

    /// A line in one of the files. Places are ordered by file, then as they were written.
    private struct Place: Comparable {
        let source: UInt32
        let span: JournalIndex.Span

        static func < (left: Place, right: Place) -> Bool {
            (left.source, left.span.offset) < (right.source, right.span.offset)
        }
    }

    package let sources: [Source]
    /// Lines that cannot be read.
    package private(set) var damagedLineCount = 0
    private var entries: [OutputKey: Entry] = [:]
    /// Outputs of which two journals say that they have made them, with other bytes.
    private var disputed: Set<OutputKey> = []
    /// Open files by source.
    private var files: [UInt32: SharedFile] = [:]
    /// The folder's own journal as it was read: a run that starts replaces it.
    private var own: SharedFile?

    private static let openFileLimit = 128

    /// - Parameter manifest: only its shards' journals are read; nil reads all.
    /// - Throws: `JournalError`; `.none` if the folder has no journal.
    package init(outputFolder: String, manifest: String? = nil) throws(JournalError) {
        let own = Journal.filePath(in: outputFolder)
        let hasOwn = manifest == nil && FileIdentity(path: own) != nil
        var sources = hasOwn ? [Source(path: own, folder: nil)] : []
        for folder in ShardFolder.all(in: outputFolder) where manifest == nil || folder.manifest == manifest {
            sources += folder.journals.map { Source(path: $0.path, folder: folder) }
        }
        guard !sources.isEmpty else { throw .none(folder: outputFolder) }
        self.sources = sources
        for source in sources.indices { try read(UInt32(source)) }
    }

    private func read(_ source: UInt32) throws(JournalError) {
        var file: JournalFile
        do throws(JournalError) {
            file = try JournalFile(path: sources[Int(source)].path, isReadOnly: true)
        } catch .cannotOpen(_, .noSuchFileOrDirectory) {
            return  // It was taken in meanwhile.
        }
        try file.refresh()
        if sources[Int(source)].folder == nil { own = file.handle }
        damagedLineCount += file.index.damagedLineCount
        if entries.isEmpty { entries.reserveCapacity(file.index.entries.count) }
        for (key, lines) in file.index.entries {
            let entry = Entry(source: source, lines: lines)
            guard let known = entries[key] else {
                entries[key] = entry
                continue
            }
            guard let made = lines.done else {
                // An earlier run may have failed after a later one had made the output.
                if known.lines.done == nil { entries[key] = entry }
                continue
            }
            if let other = known.lines.done, let first = try receipt(at: other, in: known.source),
                let second = try receipt(at: made, in: source)
            {
                let isDifferent = first.file?.isOther(than: second.file) ?? (second.file != nil)
                let areSuspect = (try isSuspect(known), try isSuspect(entry))
                if isDifferent, areSuspect == (false, false) { disputed.insert(key) }
                // A copy of a receipt may lack the later one that tells of the suspicion.
                let isFirstLater = first.time > second.time || areSuspect.0 && first.time == second.time
                if isDifferent || areSuspect.0 != areSuspect.1, isFirstLater { continue }
            }
            entries[key] = entry
        }
    }

    /// Whether a journal says that the output it has made may be wrong. Another run may then make it with other bytes.
    private func isSuspect(_ entry: Entry) throws(JournalError) -> Bool {
        guard entry.lines.state != .done else { return false }
        return try receipt(at: entry.lines.latest, in: entry.source)?.isSuspect ?? false
    }

    /// An output's last receipt and its last `done` receipt.
    package func receipts(for output: OutputKey) throws(JournalError) -> (latest: Receipt?, done: Receipt?) {
        guard let entry = entries[output] else { return (nil, nil) }
        return try entry.lines.receipts { span throws(JournalError) in
            try receipt(at: span, in: entry.source)
        }
    }

    /// The state of an output's last receipt; nil without one.
    package func state(of output: OutputKey) -> Receipt.State? { entries[output]?.lines.state }

    /// Whether journals disagree on the output's bytes.
    package func isDisputed(_ output: OutputKey) -> Bool { disputed.contains(output) }

    /// Visits the last receipt of each output, by file and in the order of writing.
    ///
    /// - Parameter visit: gets nil for a line that cannot be read.
    package func forEachLatest(_ visit: (Receipt?) throws(JournalError) -> Void) throws(JournalError) {
        let places = entries.values.map { Place(source: $0.source, span: $0.lines.latest) }
        for place in places.sorted() { try visit(try receipt(at: place.span, in: place.source)) }
    }

    /// Counts outputs by the journal and the state of their last receipts.
    package var counts: [(source: Source, states: [Receipt.State: Int])] {
        var counts = sources.map { (source: $0, states: [Receipt.State: Int]()) }
        for entry in entries.values { counts[Int(entry.source)].states[entry.lines.state, default: 0] += 1 }
        return counts
    }

    /// Visits the lines of shards that are not superseded, without their newlines, by file and in the order of writing.
    func forEachLineOfShards(_ visit: ([UInt8]) throws(JournalError) -> Void) throws(JournalError) {
        let places = entries.values.lazy.filter { self.sources[Int($0.source)].folder != nil }
            .flatMap { entry in entry.lines.liveSpans.map { Place(source: entry.source, span: $0) } }
        for place in places.sorted() { try visit(try bytes(at: place.span, in: place.source)) }
    }

    private func receipt(at span: JournalIndex.Span, in source: UInt32) throws(JournalError) -> Receipt? {
        Receipt(line: try bytes(at: span, in: source))
    }

    private func bytes(at span: JournalIndex.Span, in source: UInt32) throws(JournalError) -> [UInt8] {
        let path = sources[Int(source)].path
        do throws(Errno) {
            let file: SharedFile
            if let own, sources[Int(source)].folder == nil {
                file = own
            } else if let open = files[source] {
                file = open
            } else {
                if files.count >= Self.openFileLimit { files = [:] }
                file = SharedFile(try OpenFile(reading: path))
                files[source] = file
            }
            return try file.file.bytes(at: span.offset, count: span.length)
        } catch {
            throw .cannotOpen(path: path, error)
        }
    }
}

extension FileFingerprint {
    /// Whether this is surely not the fingerprint of the same bytes. Two versions of Tintype may have hashed them otherwise.
    fileprivate func isOther(than file: FileFingerprint?) -> Bool {
        guard let file, byteCount == file.byteCount else { return true }
        return digest.isSame(as: file.digest) == false
    }
}
