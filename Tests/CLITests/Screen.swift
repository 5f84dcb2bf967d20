/// A terminal emulator for the control sequences that the tool uses.
struct Screen {
    private let columnCount: Int
    private var rows: [[Character]] = [[]]
    private var column = 0
    private var wraps = true

    init(columns: Int, showing text: String) {
        columnCount = columns
        // CR LF is one character of Swift's.
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\r": column = 0
            case "\n": rows.append([])
            case "\u{1B}": obey(Self.takeSequence(&rest))
            default: put(Character(scalar))
            }
        }
    }

    /// Rows from the top, without blanks at their ends; empty ones at the bottom are left out.
    var lines: [String] {
        var lines = rows.map { row in
            String(row.reversed().drop { $0 == " " }.reversed())
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    private mutating func put(_ character: Character) {
        if column == columnCount {
            guard wraps else { return }
            rows.append([])
            column = 0
        }
        let row = rows.count - 1
        while rows[row].count <= column { rows[row].append(" ") }
        rows[row][column] = character
        column += 1
    }

    private mutating func obey(_ sequence: String) {
        switch sequence {
        // The cursor is always in the last row.
        case "[K": rows[rows.count - 1].removeSubrange(min(column, rows[rows.count - 1].count)...)
        case "[?7l": wraps = false
        case "[?7h": wraps = true
        default: precondition(sequence.hasSuffix("m"), "unknown sequence ESC \(sequence)")
        }
    }

    private static func takeSequence(_ rest: inout String.UnicodeScalarView.SubSequence) -> String {
        var sequence = ""
        while let scalar = rest.popFirst() {
            sequence.unicodeScalars.append(scalar)
            if scalar.properties.isAlphabetic { break }
        }
        return sequence
    }
}
