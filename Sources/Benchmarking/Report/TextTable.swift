/// Rows of text as columns two spaces apart. Cells may be coloured.
package enum TextTable {
    private static let gap = "  "
    /// The least width of the last column, however narrow the terminal is.
    private static let leastLastWidth = 20

    /// - Parameters:
    ///   - rows: cells; the last one of a row may have several lines.
    ///   - wordColumnCount: columns that are flush left; those after them are flush right.
    ///   - width: columns of the terminal. What does not fit is wrapped within a last cell of words.
    package static func text(
        _ rows: [[String]], wordColumnCount: Int = .max, width: Int = .max
    ) -> String {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            // Nothing follows words in a last cell, so they do not widen the column.
            rows.map { row in
                let isSet = column < row.count - 1 || (column < row.count && column >= wordColumnCount)
                return isSet ? row[column].columnCount : 0
            }.max() ?? 0
        }
        return rows.map { row in
            row.indices.reduce("") { line, column in
                let cell = row[column], isLast = column == row.count - 1
                let blanks = String(repeating: " ", count: max(0, widths[column] - cell.columnCount))
                if column >= wordColumnCount { return line + blanks + cell + (isLast ? "" : gap) }
                guard isLast else { return line + cell + blanks + gap }
                let indent = line.columnCount
                let lines = wrap(cell, to: max(leastLastWidth, width - indent))
                return line + lines.joined(separator: "\n" + String(repeating: " ", count: indent))
            } + "\n"
        }.joined()
    }

    /// Lines of whole words; a word that is longer than a line is not cut, so that it can be copied.
    private static func wrap(_ text: String, to width: Int) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { line in
            line.split(separator: " ").reduce(into: [""]) { lines, word in
                let current = lines[lines.count - 1]
                if current.isEmpty {
                    lines[lines.count - 1] = String(word)
                } else if current.columnCount + 1 + String(word).columnCount <= width {
                    lines[lines.count - 1] += " " + word
                } else {
                    lines.append(String(word))
                }
            }
        }
    }
}

extension String {
    /// The number of columns on a terminal. Escape sequences for colours (`ESC [ ... m`) take none.
    package var columnCount: Int {
        guard contains("\u{1B}") else { return count }
        var isPaint = false
        return reduce(0) { count, character in
            if character == "\u{1B}" { isPaint = true }
            defer { if isPaint, character == "m" { isPaint = false } }
            return isPaint ? count : count + 1
        }
    }
}
