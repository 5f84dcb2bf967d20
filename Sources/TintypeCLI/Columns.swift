/// Rows of text as columns two spaces apart. Cells may be painted.
enum Columns {
    private static let gap = "  "
    /// A last column gets at least so much, however narrow the terminal is.
    private static let leastLastWidth = 20

    /// - Parameters:
    ///   - rows: cells; the last one of a row may have several lines.
    ///   - width: columns of the terminal. What does not fit is wrapped within the last cell.
    static func text(_ rows: [[String]], width: Int = .max) -> String {
        let columnCount = rows.map(\.count).max() ?? 0
        let widths = (0..<columnCount).map { column in
            // Nothing follows the last cell, so it needs no column of its own.
            rows.map { $0.dropLast().indices.contains(column) ? $0[column].columnCount : 0 }.max() ?? 0
        }
        return rows.map { row in
            let cells = zip(row.dropLast(), widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.columnCount) + gap
            }
            let indent = widths.prefix(cells.count).reduce(0) { $0 + $1 + gap.count }
            let lines = wrap(row.last ?? "", to: max(leastLastWidth, width - indent))
            return cells.joined() + lines.joined(separator: "\n" + String(repeating: " ", count: indent))
                + "\n"
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
    /// Columns that the text takes: what paints it (`ESC [ ... m`) takes none.
    var columnCount: Int {
        guard contains("\u{1B}") else { return count }
        var isPaint = false
        return reduce(0) { count, character in
            if character == "\u{1B}" { isPaint = true }
            defer { if isPaint, character == "m" { isPaint = false } }
            return isPaint ? count : count + 1
        }
    }
}
