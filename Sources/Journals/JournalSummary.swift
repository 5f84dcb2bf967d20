import TintypeFiles

/// Totals of a folder's journals, its own and those of its shards: each output counts once, by its last receipt.
public struct JournalSummary: Hashable, Sendable {
    /// Outputs that are complete.
    public private(set) var doneCount = 0
    /// Outputs whose photos have failed.
    public private(set) var failedCount = 0
    /// Outputs that a killed run was publishing. The next run settles them.
    public private(set) var interruptedCount = 0
    /// Pixels of the filtered input photos.
    public private(set) var pixelCount = 0
    /// Bytes of the outputs.
    public private(set) var byteCount = 0
    /// Filtered photos by the identifier of their device; `unknown` if the receipt has none.
    public private(set) var photosByDevice: [String: Int] = [:]
    /// Photos that a fallback device filtered.
    public private(set) var fallbackCount = 0
    /// Times of the first and the last of these receipts, in seconds since 1970; nil without any.
    public private(set) var timeSpan: ClosedRange<Double>?
    /// Lines that cannot be read. Their outputs are not counted.
    public private(set) var damagedLineCount = 0

    /// Reads a folder's journals without changing anything, and without keeping its receipts.
    ///
    /// - Parameter visit: called for every output's last receipt, in the journal's order.
    /// - Throws: `JournalError`; `.none` if the folder has no journal.
    public init(outputFolder: String, visit: (Receipt) -> Void = { _ in }) throws(JournalError) {
        self.init()
        let journal = try MergedJournal(outputFolder: outputFolder)
        var summary = self
        summary.damagedLineCount = journal.damagedLineCount
        try journal.forEachLatest { receipt throws(JournalError) in
            guard let receipt else {
                summary.damagedLineCount += 1
                return
            }
            summary.add(receipt)
            visit(receipt)
        }
        self = summary
    }

    private init() {}

    private mutating func add(_ receipt: Receipt) {
        timeSpan =
            timeSpan.map { min($0.lowerBound, receipt.time)...max($0.upperBound, receipt.time) }
            ?? receipt.time...receipt.time
        switch receipt.state {
        case .publishing: interruptedCount += 1
        case .failed: failedCount += 1
        case .moved: break
        case .done:
            doneCount += 1
            pixelCount += receipt.pixelCount
            byteCount += receipt.file?.byteCount ?? 0
            photosByDevice[receipt.device ?? "unknown", default: 0] += 1
            if receipt.fallback != nil { fallbackCount += 1 }
        }
    }
}
