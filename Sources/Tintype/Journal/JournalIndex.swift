/// Where in the journal each output's receipts stand: some 50 bytes an output, whatever the receipts say.
struct JournalIndex {
    struct Span {
        var offset: Int
        var length: Int32
    }

    struct Entry {
        /// The last receipt.
        var latest: Span
        var state: Receipt.State
        /// The last one that says `done`: it tells whose the file is, even where a later attempt failed.
        var done: Span?
    }

    private(set) var entries: [OutputKey: Entry] = [:]
    private(set) var lineCount = 0
    private(set) var damagedLineCount = 0

    /// Takes in a line, without its newline, that stands at `offset`.
    mutating func add(_ line: ArraySlice<UInt8>, at offset: Int) {
        lineCount += 1
        guard let (state, output) = Self.head(of: line) else {
            damagedLineCount += 1
            return
        }
        let span = Span(offset: offset, length: Int32(line.count))
        let key = OutputKey(output)
        let done = state == .done ? span : entries[key]?.done
        entries[key] = Entry(latest: span, state: state, done: done)
    }

    mutating func addDamaged() {
        lineCount += 1
        damagedLineCount += 1
    }

    /// The lines that still matter, in the journal's order.
    var liveSpans: [Span] {
        var spans: [Span] = []
        for entry in entries.values {
            if let done = entry.done, done.offset != entry.latest.offset { spans.append(done) }
            spans.append(entry.latest)
        }
        return spans.sorted { $0.offset < $1.offset }
    }

    /// What an index needs of a line, without reading all of it where it is as this tool writes it.
    private static func head(of line: ArraySlice<UInt8>) -> (Receipt.State, String)? {
        guard line.last == UInt8(ascii: "}") else { return nil }
        for (prefix, state) in prefixes where line.starts(with: prefix) {
            let rest = line.dropFirst(prefix.count)
            guard let end = rest.firstIndex(where: { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: "\\") }),
                rest[end] == UInt8(ascii: "\""), let output = String(validating: rest[..<end], as: UTF8.self)
            else { break }
            return (state, output)
        }
        return Receipt(line: line).map { ($0.state, $0.output) }
    }

    private static let prefixes: [([UInt8], Receipt.State)] = [Receipt.State.done, .publishing, .failed].map {
        (Array("{\"state\":\"\($0.rawValue)\",\"output\":\"".utf8), $0)
    }
}
