/// A table of the report, for a terminal or for the page. The first columns have words, the others figures.
struct ReportTable {
    let heads: [String]
    let wordColumnCount: Int
    private(set) var rows: [(cells: [String], isAlarming: Bool)] = []

    init(_ heads: [String], wordColumnCount: Int) {
        self.heads = heads
        self.wordColumnCount = wordColumnCount
    }

    mutating func add(_ cells: [String], isAlarming: Bool = false) {
        precondition(cells.count == heads.count, "a cell a column")
        rows.append((cells, isAlarming))
    }

    /// For a terminal; empty where there are no rows.
    var text: String {
        rows.isEmpty ? "" : TextTable.text([heads] + rows.map(\.cells), wordColumnCount: wordColumnCount)
    }

    /// For the page; empty where there are no rows.
    var html: String {
        guard !rows.isEmpty else { return "" }
        let body = rows.map { row($0.cells, "td", $0.isAlarming ? " class=\"alarm\"" : "") }
        return "<div class=\"wide\"><table><thead>\(row(heads, "th"))</thead>"
            + "<tbody>\(body.joined())</tbody></table></div>\n"
    }

    private func row(_ cells: [String], _ tag: String, _ attributes: String = "") -> String {
        let texts = cells.enumerated().map { column, cell in
            let kind = column >= wordColumnCount ? " class=\"figure\"" : ""
            return "<\(tag)\(kind)>\(cell.escapedForHTML)</\(tag)>"
        }
        return "<tr\(attributes)>\(texts.joined())</tr>\n"
    }
}

extension String {
    /// The text as it stands in HTML, also within an attribute's quotes.
    var escapedForHTML: String {
        replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
            .replacing("\"", with: "&quot;")
    }
}
