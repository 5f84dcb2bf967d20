/// The offsets of each output's receipts in the journal. It takes 32 bytes an output, plus the free space of
/// a hash table.
struct JournalIndex {
    struct Span: Hashable {
        var offset: Int
        var length: Int
    }

    struct Entry {
        private var latestWord: UInt64
        private var doneWord: UInt64

        /// - Parameter previous: the output's entry before this line.
        fileprivate init(_ span: Span, _ state: Receipt.State, after previous: Entry?) {
            latestWord = Self.word(span, state)
            doneWord = state == .done ? latestWord : previous?.doneWord ?? 0
        }

        /// The last receipt.
        var latest: Span { Self.span(latestWord) }
        var state: Receipt.State { Self.states[Int(latestWord & 3)] }
        /// The last `done` receipt: it identifies the output's file, even if a later attempt failed.
        var done: Span? { doneWord == 0 ? nil : Self.span(doneWord) }

        /// The lines that are not superseded.
        var liveSpans: [Span] {
            guard let done, done != latest else { return [latest] }
            return [done, latest]
        }

        /// The last receipt and the last `done` receipt.
        func receipts(
            _ read: (Span) throws(JournalError) -> Receipt?
        ) throws(JournalError) -> (latest: Receipt?, done: Receipt?) {
            let latest = try read(self.latest)
            guard let done, done != self.latest else {
                return (latest, latest?.state == .done ? latest : nil)
            }
            return (latest, try read(done))
        }

        private static let states: [Receipt.State] = [.publishing, .done, .failed, .moved]

        /// 41 bits of offset, 21 of length, 2 of state: journals of up to 2 TiB, and lines of up to 2 MiB;
        /// `JournalFile` allows 1 MiB. No word is zero, because no line is empty.
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

    /// Adds the line at `offset`, given without its newline.
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

    /// The last `done` receipts.
    var doneSpans: [Span] { entries.values.compactMap(\.done) }

    /// The lines that are not superseded, in the journal's order.
    var liveSpans: [Span] { Self.liveSpans(entries.values) }

    /// Those of these outputs.
    func liveSpans(of outputs: Set<OutputKey>) -> [Span] {
        Self.liveSpans(entries.lazy.filter { outputs.contains($0.key) }.map(\.value))
    }

    private static func liveSpans(_ entries: some Sequence<Entry>) -> [Span] {
        entries.flatMap(\.liveSpans).sorted { $0.offset < $1.offset }
    }

    /// A line's state and output. A line in Tintype's own form is not parsed as a whole.
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

    private static let prefixes: [([UInt8], Receipt.State)] = [
        Receipt.State.done, .publishing, .failed, .moved,
    ].map {
        (Array("{\"state\":\"\($0.rawValue)\",\"output\":\"".utf8), $0)
    }
}
