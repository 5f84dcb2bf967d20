/// Where in the journal each output's receipts stand: 32 bytes an output, and what a hash table leaves free,
/// whatever the receipts say.
struct JournalIndex {
    struct Span: Hashable {
        var offset: Int
        var length: Int
    }

    struct Entry {
        private var latestWord: UInt64
        private var doneWord: UInt64

        /// - Parameter previous: what was known of the output before this line.
        fileprivate init(_ span: Span, _ state: Receipt.State, after previous: Entry?) {
            latestWord = Self.word(span, state)
            doneWord = state == .done ? latestWord : previous?.doneWord ?? 0
        }

        /// The last receipt.
        var latest: Span { Self.span(latestWord) }
        var state: Receipt.State { Self.states[Int(latestWord & 3)] }
        /// The last one that says `done`: it tells whose the file is, even where a later attempt failed.
        var done: Span? { doneWord == 0 ? nil : Self.span(doneWord) }

        private static let states: [Receipt.State] = [.publishing, .done, .failed]

        /// 41 bits of offset, 21 of length, 2 of state: a journal of two terabytes, and lines of up to 2 MiB, of
        /// which `JournalFile` takes half. No word is zero: lines have a length.
        private static func word(_ span: Span, _ state: Receipt.State) -> UInt64 {
            precondition(span.offset < 1 << 41 && span.length < 1 << 21, "the journal is too large")
            let state = UInt64(states.firstIndex(of: state) ?? 0)
            return UInt64(span.offset) << 23 | UInt64(span.length) << 2 | state
        }

        private static func span(_ word: UInt64) -> Span {
            Span(offset: Int(word >> 23), length: Int(word >> 2 & 0x1F_FFFF))
        }
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
        let key = OutputKey(output)
        entries[key] = Entry(Span(offset: offset, length: line.count), state, after: entries[key])
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
