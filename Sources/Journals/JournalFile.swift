import Foundation
import SystemPackage
import TintypeCryptography
import TintypeFiles

/// The journal's file and its index. The caller excludes other threads, and other processes where a method
/// says so.
struct JournalFile: ~Copyable {
    let path: String
    private let isReadOnly: Bool
    /// Shared, so that one thread can sync it while another appends.
    private(set) var handle: SharedFile
    private(set) var index = JournalIndex()

    /// Offset up to which the file is indexed: the end of a line.
    private var indexedEnd = 0
    /// The file's end after this process last wrote: the end of a line.
    private var knownEnd = 0

    /// A longer line is damaged.
    private static let maxLineByteCount = 1 << 20

    init(path: String, isReadOnly: Bool = false) throws(JournalError) {
        self.path = path
        self.isReadOnly = isReadOnly
        handle = try Self.open(path, isReadOnly)
    }

    private static func open(_ path: String, _ isReadOnly: Bool) throws(JournalError) -> SharedFile {
        do throws(Errno) {
            // Non-blocking, because opening a named pipe would wait for a writer. Nothing is written behind a link.
            let file =
                try isReadOnly
                ? OpenFile(path, .readOnly, .nonBlocking)
                : OpenFile(path, .readWrite, [.append, .create, .nonBlocking, .noFollow])
            if try file.status().isRegularFile { return SharedFile(file) }
        } catch .tooManySymbolicLinkLevels {
            throw .isLink(path: path)
        } catch {
            throw .cannotOpen(path: path, error)
        }
        throw .notARegularFile(path: path)
    }

    /// Indexes new lines of all processes; all lines if the file was replaced.
    mutating func refresh() throws(JournalError) {
        try reopenIfReplaced()
        try readNewLines()
    }

    /// The receipt at `span`; nil if it is damaged.
    func receipt(at span: JournalIndex.Span) throws(JournalError) -> Receipt? {
        Receipt(line: try bytes(at: span.offset, count: span.length))
    }

    /// The output's last receipt and its last `done` receipt, as of the last `refresh`.
    func knownReceipts(for output: String) throws(JournalError) -> (latest: Receipt?, done: Receipt?) {
        guard let entry = index.entries[OutputKey(output)] else { return (nil, nil) }
        return try entry.receipts { span throws(JournalError) in try receipt(at: span) }
    }

    /// The last receipts of all outputs in a state, in the file's order, as of the last `refresh`.
    func lastReceipts(in state: Receipt.State) throws(JournalError) -> [Receipt] {
        var found: [Receipt] = []
        let spans = index.entries.values.filter { $0.state == state }.map(\.latest)
        for span in spans.sorted(by: { $0.offset < $1.offset }) {
            if let receipt = try receipt(at: span) { found.append(receipt) }
        }
        return found
    }

    /// Appends complete lines with one write. Other processes must not write meanwhile.
    ///
    /// An unfinished last line of a dead process is repaired first. If the rest of a partial write fails, it is
    /// undone, so that the file ends with a complete line.
    mutating func append(_ line: [UInt8]) throws(JournalError) {
        try reopenIfReplaced()
        let end = try repairedEnd()
        do throws(Errno) {
            let count = try Errno.typed { try line.withUnsafeBytes { try handle.file.descriptor.write($0) } }
            if count < line.count { try complete(line[count...], from: end) }
        } catch {
            throw .cannotWrite(path: path, error)
        }
        knownEnd = end + line.count
    }

    /// Writes the rest of a partial write. Its error is the reason of the partial write.
    private func complete(_ rest: ArraySlice<UInt8>, from end: Int) throws(Errno) {
        do throws(Errno) {
            try handle.file.write(Array(rest))
        } catch {
            try handle.file.truncate(to: end)
            throw error
        }
    }

    /// Completes an unfinished last line if it is a whole receipt, and removes it otherwise.
    mutating func repair() throws(JournalError) { knownEnd = try repairedEnd() }

    /// Replaces the file by one without superseded lines. Other processes must not write meanwhile.
    mutating func compact() throws(JournalError) {
        do throws(Errno) {
            try OpenFile.replace(path) { new throws(Errno) in
                try copy(index.liveSpans, to: new)
            }
        } catch {
            throw .cannotWrite(path: path, error)
        }
        try refresh()
    }

    /// Writes the lines of these outputs that are not superseded, as of the last `refresh`.
    ///
    /// - Parameter copied: the lines that `new` has already. They are not written again.
    func copyLiveLines(
        of outputs: Set<OutputKey>, to new: borrowing OpenFile, unless copied: inout Set<Digest>
    ) throws(JournalError) {
        do throws(Errno) {
            try copy(index.liveSpans(of: outputs), to: new) { copied.insert(SHA256.hash($0)).inserted }
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    private func copy(
        _ spans: [JournalIndex.Span], to new: borrowing OpenFile,
        where isWanted: ([UInt8]) -> Bool = { _ in true }
    ) throws(Errno) {
        var pending: [UInt8] = []
        for span in spans {
            let line = try handle.file.bytes(at: span.offset, count: span.length)
            guard isWanted(line) else { continue }
            pending += line
            pending.append(UInt8(ascii: "\n"))
            if pending.count > 1 << 20 {
                try new.write(pending)
                pending = []
            }
        }
        try new.write(pending)
    }

    /// Opens the file again if another process has compacted the journal and so replaced the file.
    private mutating func reopenIfReplaced() throws(JournalError) {
        guard let opened = try? handle.file.status() else { return }
        guard FileIdentity(path: path) != FileIdentity(opened) else { return }
        handle = try Self.open(path, isReadOnly)
        index = JournalIndex()
        (indexedEnd, knownEnd) = (0, 0)
        try readNewLines()
    }

    private mutating func readNewLines() throws(JournalError) {
        let size = try size()
        var isSkipping = false
        var buffer: [UInt8] = []
        // Offset of the buffer's first byte in the file.
        var start = indexedEnd
        while start + buffer.count < size {
            let chunk = try bytes(at: start + buffer.count, count: min(1 << 20, size - start - buffer.count))
            if chunk.isEmpty { break }
            buffer += chunk
            var rest = buffer[...]
            while let newline = rest.firstIndex(of: UInt8(ascii: "\n")) {
                if isSkipping {
                    index.addDamaged()
                } else {
                    index.add(rest[..<newline], at: start + rest.startIndex)
                }
                isSkipping = false
                rest = rest[(newline + 1)...]
            }
            start += rest.startIndex
            indexedEnd = start
            buffer = Array(rest)
            if buffer.count > Self.maxLineByteCount {
                isSkipping = true
                start += buffer.count
                buffer = []
            }
        }
    }

    private func size() throws(JournalError) -> Int {
        do throws(Errno) {
            return try handle.file.status().byteCount
        } catch {
            throw .cannotOpen(path: path, error)
        }
    }

    /// Repairs the file's end, and returns its offset.
    private func repairedEnd() throws(JournalError) -> Int {
        let end = try size()
        if end == 0 || end == knownEnd { return end }
        let tail = try bytes(at: max(0, end - Self.maxLineByteCount), count: min(end, Self.maxLineByteCount))
        guard tail.last != UInt8(ascii: "\n") else { return end }
        let unfinished = tail.suffix(from: tail.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0)
        do throws(Errno) {
            if Receipt(line: unfinished) != nil || unfinished.count == Self.maxLineByteCount {
                try handle.file.write([UInt8(ascii: "\n")])
                return end + 1
            }
            try handle.file.truncate(to: end - unfinished.count)
            return end - unfinished.count
        } catch {
            throw .cannotWrite(path: path, error)
        }
    }

    private func bytes(at offset: Int, count: Int) throws(JournalError) -> [UInt8] {
        do throws(Errno) {
            return try handle.file.bytes(at: offset, count: count)
        } catch {
            throw .cannotOpen(path: path, error)
        }
    }
}
