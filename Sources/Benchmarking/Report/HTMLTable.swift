/// A table: the first columns flush left, figures flush right.
struct HTMLTable {
    private let wordColumnCount: Int
    private var rows: [String] = []
    private let head: String

    init(_ heads: [String], wordColumnCount: Int) {
        self.wordColumnCount = wordColumnCount
        head = Self.row(heads, "th", wordColumnCount)
    }

    mutating func add(_ cells: [String], isAlarming: Bool = false) {
        rows.append(Self.row(cells, "td", wordColumnCount, isAlarming ? " class=\"alarm\"" : ""))
    }

    var html: String {
        "<div class=\"wide\"><table><thead>\(head)</thead><tbody>\(rows.joined())</tbody></table></div>\n"
    }

    private static func row(
        _ cells: [String], _ tag: String, _ wordColumnCount: Int, _ attributes: String = ""
    ) -> String {
        let texts = cells.enumerated().map { column, cell in
            let isFigure = column >= wordColumnCount
            return "<\(tag)\(isFigure ? " class=\"figure\"" : "")>\(cell.escapedForHTML)</\(tag)>"
        }
        return "<tr\(attributes)>\(texts.joined())</tr>\n"
    }
}

extension String {
    /// The text as it stands in HTML and SVG, also within an attribute's quotes.
    var escapedForHTML: String {
        var text = ""
        for character in self {
            switch character {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            default: text.append(character)
            }
        }
        return text
    }
}
