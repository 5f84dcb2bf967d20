/// The rows that a pass hands on: whole batches, and at the end what is left.
struct RowBatches {
    /// Rows in a batch; a multiple of every layout's row granularity.
    static let rowCount = 16

    /// The rows of the pass's result.
    let height: Int
    private(set) var current = 0..<0

    init(height: Int) { self.height = height }

    /// The next batch, if its rows are among the first `complete` ones; nil if it is not due.
    mutating func next(complete: Int) -> Range<Int>? {
        let first = current.upperBound
        guard first < complete, complete - first >= Self.rowCount || complete == height else { return nil }
        current = first..<min(first + Self.rowCount, complete)
        return current
    }
}

extension Range<Int> {
    /// The range in groups of `count`, in order; the last may have fewer.
    func groups(of count: Int) -> some Sequence<Range<Int>> {
        stride(from: lowerBound, to: upperBound, by: count).lazy.map {
            $0..<Swift.min($0 + count, upperBound)
        }
    }
}
