/// A table of text: the first columns flush left, figures flush right.
struct TextGrid {
    private let heads: [String]
    /// Columns of words, before those of figures.
    private let wordColumnCount: Int
    private var rows: [[String]] = []

    init(_ heads: [String], wordColumnCount: Int) {
        self.heads = heads
        self.wordColumnCount = wordColumnCount
    }

    mutating func add(_ row: [String]) {
        precondition(row.count == heads.count, "a cell a column")
        rows.append(row)
    }

    /// Columns of characters that the widest line takes.
    var width: Int { widths.reduce(0, +) + 2 * (heads.count - 1) }

    var text: String {
        let widths = widths
        return ([heads] + rows).map { row in
            let cells = row.enumerated().map { column, cell in
                let padding = String(repeating: " ", count: widths[column] - cell.count)
                return column < wordColumnCount ? cell + padding : padding + cell
            }
            var line = cells.joined(separator: "  ")[...]
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }

    private var widths: [Int] {
        heads.indices.map { column in ([heads] + rows).map { $0[column].count }.max() ?? 0 }
    }
}
