/// Rows of text as columns two spaces apart. The last cell of a row may be painted: nothing is aligned with its end.
enum Columns {
    static func text(_ rows: [[String]]) -> String {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            rows.map { $0.indices.contains(column) ? $0[column].count : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = row.enumerated().map { column, cell in
                // Nothing follows the last cell, so nothing pads it.
                column == row.count - 1
                    ? cell : cell + String(repeating: " ", count: widths[column] - cell.count)
            }
            return cells.joined(separator: "  ") + "\n"
        }.joined()
    }
}
